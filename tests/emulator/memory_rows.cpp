#include "emulator/memory_rows.h"

#include <array>

#include "emulator/atomic.h"

namespace halyard::emulator {
namespace {

using enum MemoryUse;

template <class T, class F>
constexpr AccessRow atomic_row(uint16_t opcode, const char* name, F, uint8_t n_operands = 1) {
  constexpr uint8_t kRegisters = sizeof(T) / 4;
  return {opcode,  name,        sizeof(T), kRegisters, static_cast<uint8_t>(kRegisters * n_operands),
          kAtomic, atomic<T, F>};
}

constexpr auto rows = std::to_array<AccessRow>({
    {16, "load_u8", 1, 1, 0, kRead, load<1, Extend::kZero>},
    {17, "load_i8", 1, 1, 0, kRead, load<1, Extend::kSign>},
    {18, "load_u16", 2, 1, 0, kRead, load<2, Extend::kZero>},
    {19, "load_i16", 2, 1, 0, kRead, load<2, Extend::kSign>},
    {20, "load_b32", 4, 1, 0, kRead, load<4, Extend::kNone>},
    {21, "load_b64", 8, 2, 0, kRead, load<8, Extend::kNone>},
    {22, "load_b96", 12, 3, 0, kRead, load<12, Extend::kNone>},
    {23, "load_b128", 16, 4, 0, kRead, load<16, Extend::kNone>},
    {24, "store_b8", 1, 0, 1, kWrite, store<1>},
    {25, "store_b16", 2, 0, 1, kWrite, store<2>},
    {26, "store_b32", 4, 0, 1, kWrite, store<4>},
    {27, "store_b64", 8, 0, 2, kWrite, store<8>},
    {28, "store_b96", 12, 0, 3, kWrite, store<12>},
    {29, "store_b128", 16, 0, 4, kWrite, store<16>},
    {30, "load_d16_u8", 1, 1, 0, kRead, load<1, Extend::kD16LowZero>},
    {31, "load_d16_i8", 1, 1, 0, kRead, load<1, Extend::kD16LowSign>},
    {32, "load_d16_b16", 2, 1, 0, kRead, load<2, Extend::kD16LowZero>},
    {33, "load_d16_hi_u8", 1, 1, 0, kRead, load<1, Extend::kD16HighZero>},
    {34, "load_d16_hi_i8", 1, 1, 0, kRead, load<1, Extend::kD16HighSign>},
    {35, "load_d16_hi_b16", 2, 1, 0, kRead, load<2, Extend::kD16HighZero>},
    {36, "store_d16_hi_b8", 1, 0, 1, kWrite, store<1, 16>},
    {37, "store_d16_hi_b16", 2, 0, 1, kWrite, store<2, 16>},
    atomic_row<U32>(51, "atomic_swap_b32", kSwap),
    atomic_row<U32>(52, "atomic_cmpswap_b32", kCompareSwap, 2),
    atomic_row<U32>(53, "atomic_add_u32", kAdd),
    atomic_row<U32>(54, "atomic_sub_u32", kSubtract),
    atomic_row<U32>(55, "atomic_csub_u32", kSubtractClamped),
    atomic_row<U32>(56, "atomic_min_i32", kMinSigned),
    atomic_row<U32>(57, "atomic_min_u32", kMinUnsigned),
    atomic_row<U32>(58, "atomic_max_i32", kMaxSigned),
    atomic_row<U32>(59, "atomic_max_u32", kMaxUnsigned),
    atomic_row<U32>(60, "atomic_and_b32", kAndBits),
    atomic_row<U32>(61, "atomic_or_b32", kOrBits),
    atomic_row<U32>(62, "atomic_xor_b32", kXorBits),
    atomic_row<U32>(63, "atomic_inc_u32", kIncrement),
    atomic_row<U32>(64, "atomic_dec_u32", kDecrement),
    atomic_row<U64>(65, "atomic_swap_b64", kSwap),
    atomic_row<U64>(66, "atomic_cmpswap_b64", kCompareSwap, 2),
    atomic_row<U64>(67, "atomic_add_u64", kAdd),
    atomic_row<U64>(68, "atomic_sub_u64", kSubtract),
    atomic_row<U64>(69, "atomic_min_i64", kMinSigned),
    atomic_row<U64>(70, "atomic_min_u64", kMinUnsigned),
    atomic_row<U64>(71, "atomic_max_i64", kMaxSigned),
    atomic_row<U64>(72, "atomic_max_u64", kMaxUnsigned),
    atomic_row<U64>(73, "atomic_and_b64", kAndBits),
    atomic_row<U64>(74, "atomic_or_b64", kOrBits),
    atomic_row<U64>(75, "atomic_xor_b64", kXorBits),
    atomic_row<U64>(76, "atomic_inc_u64", kIncrement),
    atomic_row<U64>(77, "atomic_dec_u64", kDecrement),
    atomic_row<U32>(80, "atomic_cmpswap_f32", kCompareSwapFloat, 2),
    atomic_row<U32>(81, "atomic_min_f32", kMinFloat),
    atomic_row<U32>(82, "atomic_max_f32", kMaxFloat),
    atomic_row<U32>(86, "atomic_add_f32", kAddFloat),
});

}  // namespace

std::span<const AccessRow> vector_memory_rows() {
  return rows;
}

bool decode_memory(const uint32_t* words, size_t n_words, Instruction& i) {
  if (n_words < 2) return false;
  switch (words[0] >> 26) {
    case 0x3d:
      return decode_scalar_memory(words, n_words, i);
    case 0x36:
      return decode_lds(words, n_words, i);
    case 0x37:
      return decode_flat(words, n_words, i);
    case 0x38:
      return decode_buffer(words, n_words, i);
    default:
      return false;
  }
}

}  // namespace halyard::emulator
