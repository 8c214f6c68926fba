// Binary32 arithmetic. Addition, multiplication and fma round once, to nearest even; the
// rounding field of MODE is not looked at.
//
// rcp, rsq, sqrt, exp, log, sin and cos of the hardware are good to about one unit in the last place; here
// they are computed in double and rounded once, so they are better than the hardware. What the hardware does
// not handle is kept: all but sin and cos take denormal inputs for zero and give zero for denormal results.
#include "emulator/vector_float_math.h"

namespace halyard::emulator {
namespace {

using enum Format;

float rounded(double value) {
  return without_denormal(static_cast<float>(value));
}

float fraction(float x) {
  // Subtraction of the floor can round up to 1; the machine keeps below.
  const float part = x - std::floor(x);
  return part >= 1.0f ? 0x1.fffffep-1f : part;
}

float scaled(float value, int32_t exponent) {
  return std::ldexp(value, exponent < -400 ? -400 : exponent > 400 ? 400 : exponent);
}

int32_t frexp_exponent(float x) {
  int exponent = 0;
  if (is_nan(x) || is_infinite(x)) return 0;
  std::frexp(x, &exponent);
  return exponent;
}
float frexp_mantissa(float x) {
  int exponent = 0;
  return is_nan(x) || is_infinite(x) ? canonical(x) : std::frexp(x, &exponent);
}

// Division in steps: scale a, b or both so that the steps in between neither overflow nor lose bits, note in
// the carry that div_fmas has to scale back.
WithCarry<float> div_scale(float s0, float denominator, float numerator) {
  const double reciprocal = std::fabs(1.0 / static_cast<double>(denominator));
  const double quotient = std::fabs(static_cast<double>(numerator) / static_cast<double>(denominator));
  const bool tiny_reciprocal = reciprocal < 0x1p-126;
  const bool tiny_quotient = quotient < 0x1p-126;
  if (numerator == 0 || denominator == 0) return {bits_to_float(0xffc00000u), false};
  if (exponent_field(numerator) - exponent_field(denominator) >= 96) {
    return {s0 == denominator ? s0 * 0x1p64f : s0, true};
  }
  if (is_denormal(denominator)) return {s0 * 0x1p64f, false};
  if (tiny_reciprocal && tiny_quotient) return {s0 == denominator ? s0 * 0x1p-64f : s0, true};
  if (tiny_reciprocal) return {s0 * 0x1p-64f, false};
  if (tiny_quotient) return {s0 == numerator ? s0 * 0x1p64f : s0, true};
  if (exponent_field(numerator) <= 23) return {s0 * 0x1p64f, false};
  return {s0, false};
}

float div_fmas(float a, float b, float c, bool scale) {
  const float plain = std::fma(a, b, c);
  if (!scale) return plain;
  // The scaled result is rounded once: the sum in double is more than twice as long as a float.
  const double exact = std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
  return static_cast<float>(exact * (exponent_field(c) > 127 ? 0x1p64 : 0x1p-64));
}

float div_fixup(float quotient, float denominator, float numerator) {
  const uint32_t sign = (float_to_bits(denominator) ^ float_to_bits(numerator)) & 0x80000000u;
  if (is_nan(numerator)) return quiet(numerator);
  if (is_nan(denominator)) return quiet(denominator);
  const bool both_zero = numerator == 0 && denominator == 0;
  if (both_zero || (is_infinite(numerator) && is_infinite(denominator))) return bits_to_float(0xffc00000u);
  if (denominator == 0 || is_infinite(numerator)) return bits_to_float(sign | 0x7f800000u);
  if (is_infinite(denominator) || numerator == 0) return bits_to_float(sign);
  if (exponent_field(numerator) - exponent_field(denominator) < -150) return bits_to_float(sign);
  // The steps before make infinity minus infinity of a quotient that is too large.
  if (is_nan(quotient)) return bits_to_float(sign | 0x7f800000u);
  return bits_to_float(sign | (float_to_bits(quotient) & 0x7fffffffu));
}

float fma_dx9(float a, float b, float c) {
  return a == 0 || b == 0 ? canonical(c) : std::fma(a, b, c);
}

constexpr VectorOp kOps[] = {
    op<[](float x) { return fraction(x); }>(kVop1, 32, "v_fract_f32"),
    op<[](float x) { return std::trunc(x); }>(kVop1, 33, "v_trunc_f32"),
    op<[](float x) { return std::ceil(x); }>(kVop1, 34, "v_ceil_f32"),
    op<[](float x) { return std::nearbyint(x); }>(kVop1, 35, "v_rndne_f32"),
    op<[](float x) { return std::floor(x); }>(kVop1, 36, "v_floor_f32"),
    op<[](float x) { return rounded(std::exp2(static_cast<double>(without_denormal(x)))); }>(kVop1, 37,
                                                                                             "v_exp_f32"),
    op<[](float x) { return rounded(std::log2(static_cast<double>(without_denormal(x)))); }>(kVop1, 39,
                                                                                             "v_log_f32"),
    op<[](float x) { return rounded(1.0 / static_cast<double>(without_denormal(x))); }>(kVop1, 42,
                                                                                        "v_rcp_f32"),
    op<[](float x) { return rounded(1.0 / static_cast<double>(without_denormal(x))); }>(kVop1, 43,
                                                                                        "v_rcp_iflag_f32"),
    op<[](float x) { return rounded(1.0 / std::sqrt(static_cast<double>(without_denormal(x)))); }>(
        kVop1, 46, "v_rsq_f32"),
    op<[](float x) { return std::sqrt(without_denormal(x)); }>(kVop1, 51, "v_sqrt_f32"),
    op<[](float x) { return static_cast<float>(sine_of_turns(x)); }>(kVop1, 53, "v_sin_f32"),
    op<[](float x) { return static_cast<float>(cosine_of_turns(x)); }>(kVop1, 54, "v_cos_f32"),
    op<[](float x) { return frexp_exponent(x); }>(kVop1, 63, "v_frexp_exp_i32_f32"),
    op<[](float x) { return frexp_mantissa(x); }>(kVop1, 64, "v_frexp_mant_f32"),

    op<[](float a, float b) { return a + b; }>(kVop2, 3, "v_add_f32"),
    op<[](float a, float b) { return a - b; }>(kVop2, 4, "v_sub_f32"),
    op<[](float a, float b) { return b - a; }>(kVop2, 5, "v_subrev_f32"),
    op<[](float a, float b, float d) { return fma_dx9(a, b, d); }>(kVop2, 6, "v_fmac_dx9_zero_f32",
                                                                   kAccumulates),
    op<[](float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }>(kVop2, 7, "v_mul_dx9_zero_f32"),
    op<[](float a, float b) { return a * b; }>(kVop2, 8, "v_mul_f32"),
    op<[](Context x, float a, float b) { return min_of(x.ieee, a, b); }>(kVop2, 15, "v_min_f32"),
    op<[](Context x, float a, float b) { return max_of(x.ieee, a, b); }>(kVop2, 16, "v_max_f32"),
    op<[](float a, float b, float d) { return std::fma(a, b, d); }>(kVop2, 43, "v_fmac_f32", kAccumulates),
    op<[](float a, float k, float b) { return std::fma(a, k, b); }>(kVop2, 44, "v_fmamk_f32",
                                                                    kNoVop3 | kMultiplierK),
    op<[](float a, float b, float k) { return std::fma(a, b, k); }>(kVop2, 45, "v_fmaak_f32",
                                                                    kNoVop3 | kAddendK),

    op<[](float a, float b, float c) { return fma_dx9(a, b, c); }>(kVop3, 521, "v_fma_dx9_zero_f32"),
    op<[](float a, float b, float c) { return std::fma(a, b, c); }>(kVop3, 531, "v_fma_f32"),
    op<[](Context x, float a, float b, float c) { return min_of(x.ieee, min_of(x.ieee, a, b), c); }>(
        kVop3, 537, "v_min3_f32"),
    op<[](Context x, float a, float b, float c) { return max_of(x.ieee, max_of(x.ieee, a, b), c); }>(
        kVop3, 540, "v_max3_f32"),
    op<[](Context x, float a, float b, float c) { return median(x.ieee, a, b, c); }>(kVop3, 543,
                                                                                     "v_med3_f32"),
    op<[](float q, float d, float n) { return div_fixup(q, d, n); }>(kVop3, 551, "v_div_fixup_f32"),
    op<[](float a, float b, float c, bool m) { return div_fmas(a, b, c, m); }>(kVop3, 567, "v_div_fmas_f32",
                                                                               kReadsVcc),
    op<[](Context x, float a, float b, float c) { return min_of(x.ieee, max_of(x.ieee, a, b), c); }>(
        kVop3, 606, "v_maxmin_f32"),
    op<[](Context x, float a, float b, float c) { return max_of(x.ieee, min_of(x.ieee, a, b), c); }>(
        kVop3, 607, "v_minmax_f32"),
    op<[](float s, float d, float n) { return div_scale(s, d, n); }>(kVop3, 764, "v_div_scale_f32",
                                                                     kScalarPair),
    op<[](float x, int32_t e) { return scaled(x, e); }>(kVop3, 796, "v_ldexp_f32"),
};

}  // namespace

std::span<const VectorOp> float_ops() {
  return kOps;
}

}  // namespace halyard::emulator
