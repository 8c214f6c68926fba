// Binary64. A kernel for this chip has no use for it beyond a sum or two (1/32 of the rate), so only what a
// compiler makes of plain arithmetic is here.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

uint64_t to_bits(double x) {
  return std::bit_cast<uint64_t>(x);
}
double from_bits(uint64_t bits) {
  return std::bit_cast<double>(bits);
}
bool is_nan(double x) {
  return x != x;
}
bool is_signalling(double x) {
  return is_nan(x) && (to_bits(x) & 0x8000000000000u) == 0;
}
double quiet(double x) {
  return from_bits(to_bits(x) | 0x8000000000000u);
}
bool is_negative(double x) {
  return to_bits(x) >> 63 != 0;
}
bool is_infinite(double x) {
  return std::fabs(x) == HUGE_VAL;
}
int exponent_field(double x) {
  return static_cast<int>(to_bits(x) >> 52 & 0x7ffu);
}

template <bool kMax>
double pick(bool ieee, double a, double b) {
  if (ieee && is_signalling(a)) return quiet(a);
  if (ieee && is_signalling(b)) return quiet(b);
  if (is_nan(b)) return a;
  if (is_nan(a)) return b;
  const bool first = kMax ? a > b || (a == b && !is_negative(a)) : a < b || (a == b && is_negative(a));
  return first ? a : b;
}

double fraction(double x) {
  const double part = x - std::floor(x);
  return part >= 1.0 ? 0x1.fffffffffffffp-1 : part;
}
double scaled(double value, int32_t exponent) {
  return std::ldexp(value, exponent < -3000 ? -3000 : exponent > 3000 ? 3000 : exponent);
}
int32_t frexp_exponent(double x) {
  int exponent = 0;
  if (is_nan(x) || is_infinite(x)) return 0;
  std::frexp(x, &exponent);
  return exponent;
}
double frexp_mantissa(double x) {
  int exponent = 0;
  return is_nan(x) || is_infinite(x) ? x : std::frexp(x, &exponent);
}

// See vector_float.cpp.
WithCarry<double> div_scale(double s0, double denominator, double numerator) {
  if (numerator == 0 || denominator == 0) return {from_bits(0xfff8000000000000u), false};
  const bool tiny_reciprocal = std::fabs(1.0 / denominator) < 0x1p-1022;
  const bool tiny_quotient = std::fabs(numerator / denominator) < 0x1p-1022;
  if (exponent_field(numerator) - exponent_field(denominator) >= 768) {
    return {s0 == denominator ? s0 * 0x1p128 : s0, true};
  }
  if (exponent_field(denominator) == 0) return {s0 * 0x1p128, false};
  if (tiny_reciprocal && tiny_quotient) return {s0 == denominator ? s0 * 0x1p-128 : s0, true};
  if (tiny_reciprocal) return {s0 * 0x1p-128, false};
  if (tiny_quotient) return {s0 == numerator ? s0 * 0x1p128 : s0, true};
  if (exponent_field(numerator) <= 53) return {s0 * 0x1p128, false};
  return {s0, false};
}
double div_fmas(double a, double b, double c, bool scale) {
  const double plain = std::fma(a, b, c);
  return scale ? plain * (exponent_field(c) > 1023 ? 0x1p128 : 0x1p-128) : plain;
}
double div_fixup(double quotient, double denominator, double numerator) {
  const uint64_t sign = (to_bits(denominator) ^ to_bits(numerator)) & (uint64_t{1} << 63);
  if (is_nan(numerator)) return quiet(numerator);
  if (is_nan(denominator)) return quiet(denominator);
  const bool both_zero = numerator == 0 && denominator == 0;
  if (both_zero || (is_infinite(numerator) && is_infinite(denominator)))
    return from_bits(0xfff8000000000000u);
  if (denominator == 0 || is_infinite(numerator)) return from_bits(sign | 0x7ff0000000000000u);
  if (is_infinite(denominator) || numerator == 0) return from_bits(sign);
  if (exponent_field(numerator) - exponent_field(denominator) < -1075) return from_bits(sign);
  if (is_nan(quotient)) return from_bits(sign | 0x7ff0000000000000u);
  return from_bits(sign | (to_bits(quotient) & ~(uint64_t{1} << 63)));
}

constexpr VectorOp kOps[] = {
    op<[](double x) { return std::trunc(x); }>(kVop1, 23, "v_trunc_f64"),
    op<[](double x) { return std::ceil(x); }>(kVop1, 24, "v_ceil_f64"),
    op<[](double x) { return std::nearbyint(x); }>(kVop1, 25, "v_rndne_f64"),
    op<[](double x) { return std::floor(x); }>(kVop1, 26, "v_floor_f64"),
    op<[](double x) { return 1.0 / x; }>(kVop1, 47, "v_rcp_f64"),
    op<[](double x) { return 1.0 / std::sqrt(x); }>(kVop1, 49, "v_rsq_f64"),
    op<[](double x) { return std::sqrt(x); }>(kVop1, 52, "v_sqrt_f64"),
    op<[](double x) { return frexp_exponent(x); }>(kVop1, 60, "v_frexp_exp_i32_f64"),
    op<[](double x) { return frexp_mantissa(x); }>(kVop1, 61, "v_frexp_mant_f64"),
    op<[](double x) { return fraction(x); }>(kVop1, 62, "v_fract_f64"),
    op<[](double a, double b, double c) { return std::fma(a, b, c); }>(kVop3, 532, "v_fma_f64"),
    op<[](double q, double d, double n) { return div_fixup(q, d, n); }>(kVop3, 552, "v_div_fixup_f64"),
    op<[](double a, double b, double c, bool m) { return div_fmas(a, b, c, m); }>(
        kVop3, 568, "v_div_fmas_f64", kReadsVcc),
    op<[](double s, double d, double n) { return div_scale(s, d, n); }>(kVop3, 765, "v_div_scale_f64",
                                                                        kScalarPair),
    op<[](double a, double b) { return a + b; }>(kVop3, 807, "v_add_f64"),
    op<[](double a, double b) { return a * b; }>(kVop3, 808, "v_mul_f64"),
    op<[](Context x, double a, double b) { return pick<false>(x.ieee, a, b); }>(kVop3, 809, "v_min_f64"),
    op<[](Context x, double a, double b) { return pick<true>(x.ieee, a, b); }>(kVop3, 810, "v_max_f64"),
    op<[](double x, int32_t e) { return scaled(x, e); }>(kVop3, 811, "v_ldexp_f64"),
};

}  // namespace

std::span<const VectorOp> double_ops() {
  return kOps;
}

}  // namespace halyard::emulator
