// Numbers of 16 bits as the vector instructions see them, in plain integer steps that the compiler turns into
// vector code. All conversions round once, to nearest even unless named otherwise.
#pragma once
#include <bit>
#include <cstdint>

namespace halyard::emulator {

inline float bits_to_float(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline uint32_t float_to_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// Exact. NaN keep their payload and stay signalling if they were.
inline float half_to_float(uint16_t half) {
  const uint32_t magnitude = half & 0x7fffu;
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  // The exponent field moved to its new place is 112 too small; a multiplication repairs it for denormals as
  // well.
  const uint32_t finite = float_to_bits(bits_to_float(magnitude << 13) * 0x1p112f);
  return bits_to_float(sign | (magnitude >= 0x7c00u ? 0x7f800000u | (magnitude << 13) : finite));
}

// NaN become quiet.
inline uint16_t float_to_half(float value) {
  const uint32_t bits = float_to_bits(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - 0x38000000u) >> 13;
  // 0.5 has the unit of the denormal halves, 2^-24, as its last place: the addition rounds.
  const uint32_t small =
      float_to_bits(bits_to_float(magnitude < 0x38800000u ? magnitude : 0u) + 0.5f) - 0x3f000000u;
  uint32_t half = magnitude < 0x38800000u ? small : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : half;
  return static_cast<uint16_t>(half | ((bits >> 16) & 0x8000u));
}

// Toward zero: what is too large becomes the largest finite value, infinity stays.
inline uint16_t float_to_half_toward_zero(float value) {
  const uint32_t bits = float_to_bits(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t normal = (magnitude - 0x38000000u) >> 13;
  const float denormal = magnitude < 0x38800000u ? bits_to_float(magnitude) : 0.0f;
  const uint32_t small = static_cast<uint32_t>(static_cast<int32_t>(denormal * 0x1p24f));
  uint32_t half = magnitude < 0x38800000u ? small : normal;
  half = magnitude >= 0x47800000u ? 0x7bffu : half;
  half = magnitude == 0x7f800000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : half;
  return static_cast<uint16_t>(half | ((bits >> 16) & 0x8000u));
}

// A float from which float_to_half makes the half that one rounding of `value` gives: what does not fit the
// float is remembered in its last bit (rounding to odd).
inline float narrow_to_odd(double value) {
  constexpr uint64_t kLost = 0x1fffffffu;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  bits = (bits & ~kLost) | (uint64_t{(bits & kLost) != 0} << 29);
  return static_cast<float>(std::bit_cast<double>(bits));
}

inline float bfloat_to_float(uint16_t value) {
  return bits_to_float(uint32_t{value} << 16);
}
inline uint16_t float_to_bfloat(float value) {
  const uint32_t bits = float_to_bits(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded);
}

}  // namespace halyard::emulator
