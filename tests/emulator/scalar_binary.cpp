#include <algorithm>
#include <array>
#include <cstdlib>

#include "emulator/scalar_float.h"
#include "emulator/scalar_op.h"

namespace halyard::emulator {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

// The result, and scc says whether it is not zero.
template <class T>
T nonzero(Wave& wave, T value) {
  wave.scc = value != 0 ? 1 : 0;
  return value;
}

template <class T>
T chosen(Wave& wave, bool first, T a, T b) {
  wave.scc = first ? 1 : 0;
  return first ? a : b;
}

U32 add_signed(Wave& wave, U32 a, U32 b) {
  const U32 sum = a + b;
  wave.scc = ((a ^ sum) & (b ^ sum)) >> 31;
  return sum;
}
U32 subtract_signed(Wave& wave, U32 a, U32 b) {
  const U32 difference = a - b;
  wave.scc = ((a ^ b) & (a ^ difference)) >> 31;
  return difference;
}
U32 with_carry(Wave& wave, U64 wide) {
  wave.scc = (wide >> 32) != 0 ? 1 : 0;
  return static_cast<U32>(wide);
}
template <U32 kShift>
U32 shift_add(Wave& wave, U32 a, U32 b) {
  return with_carry(wave, (U64{a} << kShift) + b);
}

// Bits 0 to 4 (5) of b: first bit; bits 16 to 22: how many.
template <class T, class Wide>
T field(Wave& wave, Wide value, U32 b) {
  constexpr U32 kBits = sizeof(T) * 8;
  const U32 first = b & (kBits - 1), n = std::min(b >> 16 & 0x7f, kBits);
  Wide result = 0;
  if (n != 0) {
    result = static_cast<Wide>(value >> first);
    if (n < kBits) {
      using Unsigned = std::make_unsigned_t<Wide>;
      result =
          static_cast<Wide>(static_cast<Wide>(static_cast<Unsigned>(result) << (kBits - n)) >> (kBits - n));
    }
  }
  return nonzero(wave, static_cast<T>(result));
}

constexpr auto integer_rows = std::to_array<ScalarRow>({
    binary<U32, U32, U32>(0, "s_add_u32", [](Wave& w, U32 a, U32 b) { return with_carry(w, U64{a} + b); }),
    binary<U32, U32, U32>(1, "s_sub_u32", [](Wave& w, U32 a, U32 b) { return with_carry(w, U64{a} - b); }),
    binary<U32, U32, U32>(2, "s_add_i32", [](Wave& w, U32 a, U32 b) { return add_signed(w, a, b); }),
    binary<U32, U32, U32>(3, "s_sub_i32", [](Wave& w, U32 a, U32 b) { return subtract_signed(w, a, b); }),
    binary<U32, U32, U32>(4, "s_addc_u32",
                          [](Wave& w, U32 a, U32 b) { return with_carry(w, U64{a} + b + w.scc); }),
    binary<U32, U32, U32>(5, "s_subb_u32",
                          [](Wave& w, U32 a, U32 b) { return with_carry(w, U64{a} - b - w.scc); }),
    binary<U32, I32, I32>(6, "s_absdiff_i32",
                          [](Wave& w, I32 a, I32 b) {
                            const I64 d = I64{a} - b;
                            return nonzero(w, static_cast<U32>(d < 0 ? -d : d));
                          }),
    binary<U32, U32, U32>(8, "s_lshl_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a << (b & 31)); }),
    binary<U64, U64, U32>(9, "s_lshl_b64", [](Wave& w, U64 a, U32 b) { return nonzero(w, a << (b & 63)); }),
    binary<U32, U32, U32>(10, "s_lshr_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a >> (b & 31)); }),
    binary<U64, U64, U32>(11, "s_lshr_b64", [](Wave& w, U64 a, U32 b) { return nonzero(w, a >> (b & 63)); }),
    binary<I32, I32, U32>(12, "s_ashr_i32", [](Wave& w, I32 a, U32 b) { return nonzero(w, a >> (b & 31)); }),
    binary<I64, I64, U32>(13, "s_ashr_i64", [](Wave& w, I64 a, U32 b) { return nonzero(w, a >> (b & 63)); }),
    binary<U32, U32, U32>(14, "s_lshl1_add_u32", [](Wave& w, U32 a, U32 b) { return shift_add<1>(w, a, b); }),
    binary<U32, U32, U32>(15, "s_lshl2_add_u32", [](Wave& w, U32 a, U32 b) { return shift_add<2>(w, a, b); }),
    binary<U32, U32, U32>(16, "s_lshl3_add_u32", [](Wave& w, U32 a, U32 b) { return shift_add<3>(w, a, b); }),
    binary<U32, U32, U32>(17, "s_lshl4_add_u32", [](Wave& w, U32 a, U32 b) { return shift_add<4>(w, a, b); }),
    binary<I32, I32, I32>(18, "s_min_i32", [](Wave& w, I32 a, I32 b) { return chosen(w, a < b, a, b); }),
    binary<U32, U32, U32>(19, "s_min_u32", [](Wave& w, U32 a, U32 b) { return chosen(w, a < b, a, b); }),
    binary<I32, I32, I32>(20, "s_max_i32", [](Wave& w, I32 a, I32 b) { return chosen(w, a > b, a, b); }),
    binary<U32, U32, U32>(21, "s_max_u32", [](Wave& w, U32 a, U32 b) { return chosen(w, a > b, a, b); }),
    binary<U32, U32, U32>(22, "s_and_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a & b); }),
    binary<U64, U64, U64>(23, "s_and_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, a & b); }),
    binary<U32, U32, U32>(24, "s_or_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a | b); }),
    binary<U64, U64, U64>(25, "s_or_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, a | b); }),
    binary<U32, U32, U32>(26, "s_xor_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a ^ b); }),
    binary<U64, U64, U64>(27, "s_xor_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, a ^ b); }),
    binary<U32, U32, U32>(28, "s_nand_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, ~(a & b)); }),
    binary<U64, U64, U64>(29, "s_nand_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, ~(a & b)); }),
    binary<U32, U32, U32>(30, "s_nor_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, ~(a | b)); }),
    binary<U64, U64, U64>(31, "s_nor_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, ~(a | b)); }),
    binary<U32, U32, U32>(32, "s_xnor_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, ~(a ^ b)); }),
    binary<U64, U64, U64>(33, "s_xnor_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, ~(a ^ b)); }),
    binary<U32, U32, U32>(34, "s_and_not1_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a & ~b); }),
    binary<U64, U64, U64>(35, "s_and_not1_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, a & ~b); }),
    binary<U32, U32, U32>(36, "s_or_not1_b32", [](Wave& w, U32 a, U32 b) { return nonzero(w, a | ~b); }),
    binary<U64, U64, U64>(37, "s_or_not1_b64", [](Wave& w, U64 a, U64 b) { return nonzero(w, a | ~b); }),
    binary<U32, U32, U32>(38, "s_bfe_u32", [](Wave& w, U32 a, U32 b) { return field<U32, U32>(w, a, b); }),
    binary<I32, I32, U32>(39, "s_bfe_i32", [](Wave& w, I32 a, U32 b) { return field<I32, I32>(w, a, b); }),
    binary<U64, U64, U32>(40, "s_bfe_u64", [](Wave& w, U64 a, U32 b) { return field<U64, U64>(w, a, b); }),
    binary<I64, I64, U32>(41, "s_bfe_i64", [](Wave& w, I64 a, U32 b) { return field<I64, I64>(w, a, b); }),
    binary<U32, U32, U32>(42, "s_bfm_b32",
                          [](Wave&, U32 a, U32 b) { return ((U32{1} << (a & 31)) - 1) << (b & 31); }),
    binary<U64, U32, U32>(43, "s_bfm_b64",
                          [](Wave&, U32 a, U32 b) { return ((U64{1} << (a & 63)) - 1) << (b & 63); }),
    binary<U32, U32, U32>(44, "s_mul_i32", [](Wave&, U32 a, U32 b) { return a * b; }),
    binary<U32, U32, U32>(45, "s_mul_hi_u32",
                          [](Wave&, U32 a, U32 b) { return static_cast<U32>(U64{a} * b >> 32); }),
    binary<U32, I32, I32>(46, "s_mul_hi_i32",
                          [](Wave&, I32 a, I32 b) { return static_cast<U32>(I64{a} * b >> 32); }),
    binary<U32, U32, U32>(48, "s_cselect_b32", [](Wave& w, U32 a, U32 b) { return w.scc != 0 ? a : b; }),
    binary<U64, U64, U64>(49, "s_cselect_b64", [](Wave& w, U64 a, U64 b) { return w.scc != 0 ? a : b; }),
    binary<U32, U32, U32>(50, "s_pack_ll_b32_b16",
                          [](Wave&, U32 a, U32 b) { return (a & 0xffff) | b << 16; }),
    binary<U32, U32, U32>(51, "s_pack_lh_b32_b16",
                          [](Wave&, U32 a, U32 b) { return (a & 0xffff) | (b & 0xffff0000); }),
    binary<U32, U32, U32>(52, "s_pack_hh_b32_b16",
                          [](Wave&, U32 a, U32 b) { return a >> 16 | (b & 0xffff0000); }),
    binary<U32, U32, U32>(53, "s_pack_hl_b32_b16", [](Wave&, U32 a, U32 b) { return a >> 16 | b << 16; }),
});

template <class F>
constexpr ScalarRow float_row(uint16_t opcode, const char* name, F) {
  return binary<U32, U32, U32>(opcode, name, [](Wave& w, U32 a, U32 b) {
    return float_out(w, F{}(w, float_in(w, a), float_in(w, b)));
  });
}
template <class F>
constexpr ScalarRow half_row(uint16_t opcode, const char* name, F) {
  return binary<U32, U32, U32>(
      opcode, name, [](Wave& w, U32 a, U32 b) { return half_out(w, F{}(w, half_in(w, a), half_in(w, b))); });
}

bool ieee(const Wave& wave) {
  return (wave.mode & kModeIeee) != 0;
}

float fused(Wave& w, U32 a, U32 b, U32 c) {
  return std::fma(float_in(w, a), float_in(w, b), float_in(w, c));
}

void fmaak(Wave& w, const Instruction& i) {
  write_scalar(w, i.dst,
               float_out(w, fused(w, read_scalar(w, i, i.src[0]), read_scalar(w, i, i.src[1]), i.literal)));
}
void fmamk(Wave& w, const Instruction& i) {
  write_scalar(w, i.dst,
               float_out(w, fused(w, read_scalar(w, i, i.src[0]), i.literal, read_scalar(w, i, i.src[1]))));
}

constexpr auto float_rows = std::to_array<ScalarRow>({
    float_row(64, "s_add_f32", [](Wave&, float a, float b) { return a + b; }),
    float_row(65, "s_sub_f32", [](Wave&, float a, float b) { return a - b; }),
    float_row(66, "s_min_f32", [](Wave& w, float a, float b) { return min_of(ieee(w), a, b); }),
    float_row(67, "s_max_f32", [](Wave& w, float a, float b) { return max_of(ieee(w), a, b); }),
    float_row(68, "s_mul_f32", [](Wave&, float a, float b) { return a * b; }),
    ScalarRow{69, "s_fmaak_f32", fmaak, 1, 1, 1, kLiteralAddend},
    ScalarRow{70, "s_fmamk_f32", fmamk, 1, 1, 1, kLiteralAddend},
    accumulate<U32, U32, U32>(71, "s_fmac_f32",
                              [](Wave& w, U32 a, U32 b, U32 c) { return float_out(w, fused(w, a, b, c)); }),
    binary<U32, U32, U32>(72, "s_cvt_pk_rtz_f16_f32",
                          [](Wave& w, U32 a, U32 b) {
                            const U32 low = float_to_half_toward_zero(float_in(w, a));
                            return low | U32{float_to_half_toward_zero(float_in(w, b))} << 16;
                          }),
    half_row(73, "s_add_f16", [](Wave&, double a, double b) { return a + b; }),
    half_row(74, "s_sub_f16", [](Wave&, double a, double b) { return a - b; }),
    half_row(75, "s_min_f16", [](Wave& w, float a, float b) { return double{min_of(ieee(w), a, b)}; }),
    half_row(76, "s_max_f16", [](Wave& w, float a, float b) { return double{max_of(ieee(w), a, b)}; }),
    half_row(77, "s_mul_f16", [](Wave&, double a, double b) { return a * b; }),
    accumulate<U32, U32, U32>(78, "s_fmac_f16",
                              [](Wave& w, U32 a, U32 b, U32 c) {
                                // Product exact, sum rounded to double first: 53 bits hold any sum of halves.
                                const double product = double{half_in(w, a)} * double{half_in(w, b)};
                                return half_out(w, product + double{half_in(w, c)});
                              }),
});

}  // namespace

std::span<const ScalarRow> scalar_binary_rows() {
  static const auto rows = [] {
    std::array<ScalarRow, integer_rows.size() + float_rows.size()> all{};
    std::copy(float_rows.begin(), float_rows.end(),
              std::copy(integer_rows.begin(), integer_rows.end(), all.begin()));
    return all;
  }();
  return rows;
}

}  // namespace halyard::emulator
