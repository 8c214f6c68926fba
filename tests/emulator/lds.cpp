// DS: LDS, and the exchange of values between lanes that goes through its hardware.
#include <array>
#include <string>

#include "emulator/atomic.h"
#include "emulator/memory_rows.h"

namespace halyard::emulator {
namespace {

using enum MemoryUse;

// src: 0 address, 1 data, 3 second data. i.offset: both offset fields as one number of 16 bits.
void access_lds(Wave& wave, const Instruction& i) {
  const AccessRow& row = *static_cast<const AccessRow*>(i.detail);
  uint32_t offsets[kLanes];
  const uint32_t* address = wave.vgpr[i.src[0] - kVgpr0];
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    offsets[lane] = address[lane] + static_cast<uint32_t>(i.offset);
  Targets to;
  resolve_lds(wave, i, offsets, row.bytes, row.access, to);
  row.move(wave, i, to);
}

template <class T, class F>
constexpr AccessRow atomic_row(uint16_t opcode, const char* name, F, bool returns, uint8_t n_operands = 1) {
  constexpr uint8_t kRegisters = sizeof(T) / 4;
  return {opcode,
          name,
          sizeof(T),
          static_cast<uint8_t>(returns ? kRegisters : 0),
          static_cast<uint8_t>(kRegisters * n_operands),
          kAtomic,
          atomic<T, F>};
}

constexpr auto load_store_rows = std::to_array<AccessRow>({
    {13, "ds_store_b32", 4, 0, 1, kWrite, store<4>},
    {30, "ds_store_b8", 1, 0, 1, kWrite, store<1>},
    {31, "ds_store_b16", 2, 0, 1, kWrite, store<2>},
    {54, "ds_load_b32", 4, 1, 0, kRead, load<4, Extend::kNone>},
    {57, "ds_load_i8", 1, 1, 0, kRead, load<1, Extend::kSign>},
    {58, "ds_load_u8", 1, 1, 0, kRead, load<1, Extend::kZero>},
    {59, "ds_load_i16", 2, 1, 0, kRead, load<2, Extend::kSign>},
    {60, "ds_load_u16", 2, 1, 0, kRead, load<2, Extend::kZero>},
    {77, "ds_store_b64", 8, 0, 2, kWrite, store<8>},
    {118, "ds_load_b64", 8, 2, 0, kRead, load<8, Extend::kNone>},
    {160, "ds_store_b8_d16_hi", 1, 0, 1, kWrite, store<1, 16>},
    {161, "ds_store_b16_d16_hi", 2, 0, 1, kWrite, store<2, 16>},
    {162, "ds_load_u8_d16", 1, 1, 0, kRead, load<1, Extend::kD16LowZero>},
    {163, "ds_load_u8_d16_hi", 1, 1, 0, kRead, load<1, Extend::kD16HighZero>},
    {164, "ds_load_i8_d16", 1, 1, 0, kRead, load<1, Extend::kD16LowSign>},
    {165, "ds_load_i8_d16_hi", 1, 1, 0, kRead, load<1, Extend::kD16HighSign>},
    {166, "ds_load_u16_d16", 2, 1, 0, kRead, load<2, Extend::kD16LowZero>},
    {167, "ds_load_u16_d16_hi", 2, 1, 0, kRead, load<2, Extend::kD16HighZero>},
    {222, "ds_store_b96", 12, 0, 3, kWrite, store<12>},
    {223, "ds_store_b128", 16, 0, 4, kWrite, store<16>},
    {254, "ds_load_b96", 12, 3, 0, kRead, load<12, Extend::kNone>},
    {255, "ds_load_b128", 16, 4, 0, kRead, load<16, Extend::kNone>},
});

constexpr auto atomic_rows = std::to_array<AccessRow>({
    atomic_row<U32>(0, "ds_add_u32", kAdd, false),
    atomic_row<U32>(1, "ds_sub_u32", kSubtract, false),
    atomic_row<U32>(2, "ds_rsub_u32", kReverseSubtract, false),
    atomic_row<U32>(3, "ds_inc_u32", kIncrement, false),
    atomic_row<U32>(4, "ds_dec_u32", kDecrement, false),
    atomic_row<U32>(5, "ds_min_i32", kMinSigned, false),
    atomic_row<U32>(6, "ds_max_i32", kMaxSigned, false),
    atomic_row<U32>(7, "ds_min_u32", kMinUnsigned, false),
    atomic_row<U32>(8, "ds_max_u32", kMaxUnsigned, false),
    atomic_row<U32>(9, "ds_and_b32", kAndBits, false),
    atomic_row<U32>(10, "ds_or_b32", kOrBits, false),
    atomic_row<U32>(11, "ds_xor_b32", kXorBits, false),
    atomic_row<U32>(12, "ds_mskor_b32", kMaskOr, false, 2),
    atomic_row<U32>(16, "ds_cmpstore_b32", kCompareSwap, false, 2),
    atomic_row<U32>(17, "ds_cmpstore_f32", kCompareSwapFloat, false, 2),
    atomic_row<U32>(18, "ds_min_f32", kMinFloat, false),
    atomic_row<U32>(19, "ds_max_f32", kMaxFloat, false),
    atomic_row<U32>(21, "ds_add_f32", kAddFloat, false),
    atomic_row<U32>(32, "ds_add_rtn_u32", kAdd, true),
    atomic_row<U32>(33, "ds_sub_rtn_u32", kSubtract, true),
    atomic_row<U32>(34, "ds_rsub_rtn_u32", kReverseSubtract, true),
    atomic_row<U32>(35, "ds_inc_rtn_u32", kIncrement, true),
    atomic_row<U32>(36, "ds_dec_rtn_u32", kDecrement, true),
    atomic_row<U32>(37, "ds_min_rtn_i32", kMinSigned, true),
    atomic_row<U32>(38, "ds_max_rtn_i32", kMaxSigned, true),
    atomic_row<U32>(39, "ds_min_rtn_u32", kMinUnsigned, true),
    atomic_row<U32>(40, "ds_max_rtn_u32", kMaxUnsigned, true),
    atomic_row<U32>(41, "ds_and_rtn_b32", kAndBits, true),
    atomic_row<U32>(42, "ds_or_rtn_b32", kOrBits, true),
    atomic_row<U32>(43, "ds_xor_rtn_b32", kXorBits, true),
    atomic_row<U32>(44, "ds_mskor_rtn_b32", kMaskOr, true, 2),
    atomic_row<U32>(45, "ds_storexchg_rtn_b32", kSwap, true),
    atomic_row<U32>(48, "ds_cmpstore_rtn_b32", kCompareSwap, true, 2),
    atomic_row<U32>(49, "ds_cmpstore_rtn_f32", kCompareSwapFloat, true, 2),
    atomic_row<U32>(50, "ds_min_rtn_f32", kMinFloat, true),
    atomic_row<U32>(51, "ds_max_rtn_f32", kMaxFloat, true),
    atomic_row<U32>(121, "ds_add_rtn_f32", kAddFloat, true),
    atomic_row<U64>(64, "ds_add_u64", kAdd, false),
    atomic_row<U64>(71, "ds_min_u64", kMinUnsigned, false),
    atomic_row<U64>(72, "ds_max_u64", kMaxUnsigned, false),
    atomic_row<U64>(96, "ds_add_rtn_u64", kAdd, true),
    atomic_row<U64>(103, "ds_min_rtn_u64", kMinUnsigned, true),
    atomic_row<U64>(104, "ds_max_rtn_u64", kMaxUnsigned, true),
});

// Two places, one offset field each, in units of the size or of 64 times the size.
template <uint32_t kBytes>
void place_two(Wave& wave, const Instruction& i, MemoryUse use, Targets* to) {
  const auto fields = static_cast<uint32_t>(i.offset);
  const auto unit = static_cast<uint32_t>(i.number);
  const uint32_t* address = wave.vgpr[i.src[0] - kVgpr0];
  for (uint32_t which = 0; which < 2; ++which) {
    uint32_t offsets[kLanes];
    const uint32_t offset = (fields >> 8 * which & 0xff) * unit;
    for (uint32_t lane = 0; lane < kLanes; ++lane) offsets[lane] = address[lane] + offset;
    resolve_lds(wave, i, offsets, kBytes, use, to[which]);
  }
}
template <uint32_t kBytes>
void load_two(Wave& wave, const Instruction& i) {
  Targets from[2];
  place_two<kBytes>(wave, i, kRead, from);
  load_into<kBytes, Extend::kNone>(wave, i, from[0], i.dst - kVgpr0);
  load_into<kBytes, Extend::kNone>(wave, i, from[1], i.dst - kVgpr0 + kBytes / 4);
}
template <uint32_t kBytes>
void store_two(Wave& wave, const Instruction& i) {
  Targets to[2];
  place_two<kBytes>(wave, i, kWrite, to);
  store_from<kBytes, 0>(wave, to[0], i.src[1] - kVgpr0);
  store_from<kBytes, 0>(wave, to[1], i.src[3] - kVgpr0);
}

// Each lane reads the data of the lane that its address names; a lane that is off gives 0.
void permute_backward(Wave& wave, const Instruction& i) {
  const uint32_t *address = wave.vgpr[i.src[0] - kVgpr0], *data = wave.vgpr[i.src[1] - kVgpr0];
  Lanes result;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t from = (address[lane] + static_cast<uint32_t>(i.offset)) / 4 % kLanes;
    result[lane] = (wave.exec() >> from & 1) != 0 ? data[from] : 0;
  }
  write_lanes(wave, i.dst, result);
}

// Each lane gives its data to the lane that its address names; of two givers the higher lane stays.
void permute_forward(Wave& wave, const Instruction& i) {
  const uint32_t *address = wave.vgpr[i.src[0] - kVgpr0], *data = wave.vgpr[i.src[1] - kVgpr0];
  Lanes result = {};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((wave.exec() >> lane & 1) == 0) continue;
    result[(address[lane] + static_cast<uint32_t>(i.offset)) / 4 % kLanes] = data[lane];
  }
  write_lanes(wave, i.dst, result);
}

// The offset says which lane: four selects for each group of four, or and, or, xor masks of the lane number.
void swizzle(Wave& wave, const Instruction& i) {
  const auto pattern = static_cast<uint32_t>(i.offset);
  if (pattern >= 0xc000) fault(wave, i, "a rotating or FFT pattern of ds_swizzle");
  const uint32_t* data = wave.vgpr[i.src[0] - kVgpr0];
  Lanes result;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const bool quad = (pattern & 0x8000) != 0;
    const uint32_t from = quad ? (lane & ~3u) | (pattern >> lane % 4 * 2 & 3)
                               : ((lane & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    result[lane] = (wave.exec() >> from & 1) != 0 ? data[from] : 0;
  }
  write_lanes(wave, i.dst, result);
}

void nothing(Wave&, const Instruction&) {}

struct OtherRow {
  uint8_t opcode;
  const char* name;
  Execute execute;
  uint8_t n_dst, n_address, n_data, n_second;
  uint16_t unit;  // of the offset fields
};
constexpr auto other_rows = std::to_array<OtherRow>({
    {14, "ds_store_2addr_b32", store_two<4>, 0, 1, 1, 1, 4},
    {15, "ds_store_2addr_stride64_b32", store_two<4>, 0, 1, 1, 1, 256},
    {20, "ds_nop", nothing, 0, 0, 0, 0, 0},
    {53, "ds_swizzle_b32", swizzle, 1, 1, 0, 0, 0},
    {55, "ds_load_2addr_b32", load_two<4>, 2, 1, 0, 0, 4},
    {56, "ds_load_2addr_stride64_b32", load_two<4>, 2, 1, 0, 0, 256},
    {78, "ds_store_2addr_b64", store_two<8>, 0, 1, 2, 2, 8},
    {79, "ds_store_2addr_stride64_b64", store_two<8>, 0, 1, 2, 2, 512},
    {119, "ds_load_2addr_b64", load_two<8>, 4, 1, 0, 0, 8},
    {120, "ds_load_2addr_stride64_b64", load_two<8>, 4, 1, 0, 0, 512},
    {178, "ds_permute_b32", permute_forward, 1, 1, 1, 0, 0},
    {179, "ds_bpermute_b32", permute_backward, 1, 1, 1, 0, 0},
});

const AccessRow* find_access(uint32_t opcode) {
  for (const AccessRow& row : load_store_rows) {
    if (row.opcode == opcode) return &row;
  }
  for (const AccessRow& row : atomic_rows) {
    if (row.opcode == opcode) return &row;
  }
  return nullptr;
}

const OtherRow* find_other(uint32_t opcode) {
  for (const OtherRow& row : other_rows) {
    if (row.opcode == opcode) return &row;
  }
  return nullptr;
}

}  // namespace

bool decode_lds(const uint32_t* words, size_t, Instruction& i) {
  if ((words[0] >> 17 & 1) != 0) return false;  // global data share
  const uint32_t opcode = words[0] >> 18 & 0xff;
  i.size_dwords = 2;
  i.offset = static_cast<int32_t>(words[0] & 0xffff);
  i.src[0] = vgpr(words[1]);
  i.src[1] = vgpr(words[1] >> 8);
  i.src[3] = vgpr(words[1] >> 16);
  i.dst = vgpr(words[1] >> 24);
  i.counter = Counter::kLds;
  if (const AccessRow* row = find_access(opcode)) {
    const uint8_t n_registers = static_cast<uint8_t>((row->bytes + 3) / 4);
    i.detail = row;
    i.name = row->name;
    i.execute = access_lds;
    if (row->access == kAtomic && row->n_dst != 0) i.flags = kReturns;
    add_read(i, i.src[0]);
    if (row->n_data != 0) add_read(i, i.src[1], n_registers);
    if (row->n_data > n_registers) add_read(i, i.src[3], n_registers);
    if (row->n_dst != 0) add_write(i, i.dst, row->n_dst);
    return true;
  }
  const OtherRow* row = find_other(opcode);
  if (row == nullptr) return false;
  i.name = row->name;
  i.execute = row->execute;
  i.number = row->unit;
  add_read(i, i.src[0], row->n_address);
  add_read(i, i.src[1], row->n_data);
  add_read(i, i.src[3], row->n_second);
  add_write(i, i.dst, row->n_dst);
  return true;
}

}  // namespace halyard::emulator
