// Binary16 arithmetic, one value or two to a register. Sums, products, quotients and roots are made in float,
// which has more than twice the digits, so that the second rounding changes nothing; fma is made in double,
// where sum and product of halves are exact as far as the rounding can see, and narrowed once.
#include "emulator/vector_float_math.h"

namespace halyard::emulator {
namespace {

using enum Format;

half fma_half(half a, half b, half c) {
  return half_from(static_cast<double>(a.value) * static_cast<double>(b.value) +
                   static_cast<double>(c.value));
}
// The exact NaN rules of min and max need the signalling bit, which the way over float keeps.
half min_half(bool ieee, half a, half b) {
  return half{min_of(ieee, a.value, b.value)};
}
half max_half(bool ieee, half a, half b) {
  return half{max_of(ieee, a.value, b.value)};
}
half fraction(half x) {
  const float part = x.value - std::floor(x.value);
  return half{part > 0x1.ffcp-1f ? 0x1.ffcp-1f : part};
}
int16_t frexp_exponent(half x) {
  int exponent = 0;
  if (is_nan(x.value) || is_infinite(x.value)) return 0;
  std::frexp(x.value, &exponent);
  return static_cast<int16_t>(exponent);
}
half frexp_mantissa(half x) {
  int exponent = 0;
  return is_nan(x.value) || is_infinite(x.value) ? x : half{std::frexp(x.value, &exponent)};
}
half div_fixup(half quotient, half denominator, half numerator) {
  const float n = numerator.value;
  const float d = denominator.value;
  const uint32_t sign = (float_to_bits(d) ^ float_to_bits(n)) & 0x80000000u;
  if (is_nan(n)) return half{quiet(n)};
  if (is_nan(d)) return half{quiet(d)};
  if ((n == 0 && d == 0) || (is_infinite(n) && is_infinite(d))) return half{bits_to_float(0xffc00000u)};
  if (d == 0 || is_infinite(n)) return half{bits_to_float(sign | 0x7f800000u)};
  if (is_infinite(d) || n == 0) return half{bits_to_float(sign)};
  if (is_nan(quotient.value)) return half{bits_to_float(sign | 0x7f800000u)};
  return half{bits_to_float(sign | (float_to_bits(quotient.value) & 0x7fffffffu))};
}

template <auto F>
constexpr auto kPacked2 =
    [](Context x, Pair<half> a, Pair<half> b) { return Pair<half>{F(x, a.lo, b.lo), F(x, a.hi, b.hi)}; };
constexpr auto kPackedFma = [](Pair<half> a, Pair<half> b, Pair<half> c) {
  return Pair<half>{fma_half(a.lo, b.lo, c.lo), fma_half(a.hi, b.hi, c.hi)};
};

constexpr VectorOp kOps[] = {
    op<[](half x) { return half_from(1.0 / static_cast<double>(x.value)); }>(kVop1, 84, "v_rcp_f16"),
    op<[](half x) { return half_from(std::sqrt(static_cast<double>(x.value))); }>(kVop1, 85, "v_sqrt_f16"),
    op<[](half x) { return half_from(1.0 / std::sqrt(static_cast<double>(x.value))); }>(kVop1, 86,
                                                                                        "v_rsq_f16"),
    op<[](half x) { return half_from(std::log2(static_cast<double>(x.value))); }>(kVop1, 87, "v_log_f16"),
    op<[](half x) { return half_from(std::exp2(static_cast<double>(x.value))); }>(kVop1, 88, "v_exp_f16"),
    op<[](half x) { return frexp_mantissa(x); }>(kVop1, 89, "v_frexp_mant_f16"),
    op<[](half x) { return frexp_exponent(x); }>(kVop1, 90, "v_frexp_exp_i16_f16"),
    op<[](half x) { return half{std::floor(x.value)}; }>(kVop1, 91, "v_floor_f16"),
    op<[](half x) { return half{std::ceil(x.value)}; }>(kVop1, 92, "v_ceil_f16"),
    op<[](half x) { return half{std::trunc(x.value)}; }>(kVop1, 93, "v_trunc_f16"),
    op<[](half x) { return half{std::nearbyint(x.value)}; }>(kVop1, 94, "v_rndne_f16"),
    op<[](half x) { return fraction(x); }>(kVop1, 95, "v_fract_f16"),
    op<[](half x) { return half_from(sine_of_turns(static_cast<double>(x.value))); }>(kVop1, 96, "v_sin_f16"),
    op<[](half x) { return half_from(cosine_of_turns(static_cast<double>(x.value))); }>(kVop1, 97,
                                                                                        "v_cos_f16"),

    op<[](half a, half b) { return half{a.value + b.value}; }>(kVop2, 50, "v_add_f16"),
    op<[](half a, half b) { return half{a.value - b.value}; }>(kVop2, 51, "v_sub_f16"),
    op<[](half a, half b) { return half{b.value - a.value}; }>(kVop2, 52, "v_subrev_f16"),
    op<[](half a, half b) { return half{a.value * b.value}; }>(kVop2, 53, "v_mul_f16"),
    op<[](half a, half b, half d) { return fma_half(a, b, d); }>(kVop2, 54, "v_fmac_f16", kAccumulates),
    op<[](half a, half k, half b) { return fma_half(a, k, b); }>(kVop2, 55, "v_fmamk_f16",
                                                                 kNoVop3 | kMultiplierK),
    op<[](half a, half b, half k) { return fma_half(a, b, k); }>(kVop2, 56, "v_fmaak_f16",
                                                                 kNoVop3 | kAddendK),
    op<[](Context x, half a, half b) { return max_half(x.ieee, a, b); }>(kVop2, 57, "v_max_f16"),
    op<[](Context x, half a, half b) { return min_half(x.ieee, a, b); }>(kVop2, 58, "v_min_f16"),
    op<[](half x, int16_t e) { return half_from(std::ldexp(static_cast<double>(x.value), e)); }>(
        kVop2, 59, "v_ldexp_f16"),
    op<[](Pair<half> a, Pair<half> b, Pair<half> d) { return kPackedFma(a, b, d); }>(
        kVop2, 60, "v_pk_fmac_f16", kNoVop3 | kAccumulates),

    op<[](half a, half b, half c) { return fma_half(a, b, c); }>(kVop3, 584, "v_fma_f16"),
    op<[](Context x, half a, half b, half c) { return min_half(x.ieee, min_half(x.ieee, a, b), c); }>(
        kVop3, 585, "v_min3_f16"),
    op<[](Context x, half a, half b, half c) { return max_half(x.ieee, max_half(x.ieee, a, b), c); }>(
        kVop3, 588, "v_max3_f16"),
    op<[](Context x, half a, half b, half c) { return half{median(x.ieee, a.value, b.value, c.value)}; }>(
        kVop3, 591, "v_med3_f16"),
    op<[](half q, half d, half n) { return div_fixup(q, d, n); }>(kVop3, 596, "v_div_fixup_f16"),
    op<[](Context x, half a, half b, half c) { return min_half(x.ieee, max_half(x.ieee, a, b), c); }>(
        kVop3, 608, "v_maxmin_f16"),
    op<[](Context x, half a, half b, half c) { return max_half(x.ieee, min_half(x.ieee, a, b), c); }>(
        kVop3, 609, "v_minmax_f16"),

    op<kPackedFma>(kVop3p, 14, "v_pk_fma_f16"),
    op<kPacked2<[](Context, half a, half b) { return half{a.value + b.value}; }>>(kVop3p, 15, "v_pk_add_f16"),
    op<kPacked2<[](Context, half a, half b) { return half{a.value * b.value}; }>>(kVop3p, 16, "v_pk_mul_f16"),
    op<kPacked2<[](Context x, half a, half b) { return min_half(x.ieee, a, b); }>>(kVop3p, 17,
                                                                                   "v_pk_min_f16"),
    op<kPacked2<[](Context x, half a, half b) { return max_half(x.ieee, a, b); }>>(kVop3p, 18,
                                                                                   "v_pk_max_f16"),

    op<[](Mixed a, Mixed b, Mixed c) { return std::fma(a.value, b.value, c.value); }>(kVop3p, 32,
                                                                                      "v_fma_mix_f32"),
    op<[](Mixed a, Mixed b, Mixed c) { return half{std::fma(a.value, b.value, c.value)}; }>(
        kVop3p, 33, "v_fma_mixlo_f16"),
    op<[](Mixed a, Mixed b, Mixed c) { return half{std::fma(a.value, b.value, c.value)}; }>(
        kVop3p, 34, "v_fma_mixhi_f16", kHighHalf),
};

}  // namespace

std::span<const VectorOp> half_ops() {
  return kOps;
}

}  // namespace halyard::emulator
