// Arithmetic of binary32 lanes where the machine differs from plain C++.
#pragma once
#include "emulator/vector_op.h"

namespace halyard::emulator {

inline bool is_nan(float x) {
  return (float_to_bits(x) & 0x7fffffffu) > 0x7f800000u;
}
inline bool is_signalling(float x) {
  return is_nan(x) && (float_to_bits(x) & 0x400000u) == 0;
}
inline bool is_infinite(float x) {
  return (float_to_bits(x) & 0x7fffffffu) == 0x7f800000u;
}
inline float quiet(float x) {
  return bits_to_float(float_to_bits(x) | 0x400000u);
}
inline float canonical(float x) {
  return is_nan(x) ? quiet(x) : x;
}
inline bool is_negative(float x) {
  return float_to_bits(x) >> 31 != 0;
}
inline int exponent_field(float x) {
  return static_cast<int>(float_to_bits(x) >> 23 & 0xffu);
}
inline bool is_denormal(float x) {
  const uint32_t magnitude = float_to_bits(x) & 0x7fffffffu;
  return magnitude != 0 && magnitude < 0x800000u;
}
inline float without_denormal(float x) {
  return is_denormal(x) ? bits_to_float(float_to_bits(x) & 0x80000000u) : x;
}

// Of two numbers: the smaller, -0 below +0. Of a NaN and a number: the number. In IEEE mode a signalling NaN
// wins and becomes quiet. `Less` is < for min, > for max.
template <bool kMax>
float pick(bool ieee, float a, float b) {
  const bool first = kMax ? (a > b) | ((a == b) & !is_negative(a)) : (a < b) | ((a == b) & is_negative(a));
  float result = first ? a : b;
  result = is_nan(a) ? b : result;
  result = is_nan(b) ? a : result;
  result = ieee & is_signalling(b) ? quiet(b) : result;
  return ieee & is_signalling(a) ? quiet(a) : result;
}
inline float min_of(bool ieee, float a, float b) {
  return pick<false>(ieee, a, b);
}
inline float max_of(bool ieee, float a, float b) {
  return pick<true>(ieee, a, b);
}
inline float median(bool ieee, float a, float b, float c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return min_of(ieee, min_of(ieee, a, b), c);
  const float most = max_of(ieee, max_of(ieee, a, b), c);
  if (most == a) return max_of(ieee, b, c);
  if (most == b) return max_of(ieee, a, c);
  return max_of(ieee, a, b);
}

// Of a number of turns. Whole turns go first, exactly.
inline double sine_of_turns(double turns) {
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  const double part = turns - std::nearbyint(turns);
  if (part == 0.5 || part == -0.5) return 0;
  return part == 0 ? turns * 0 : std::sin(part * kTwoPi);
}
inline double cosine_of_turns(double turns) {
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  const double part = std::fabs(turns - std::nearbyint(turns));
  return part == 0.25 ? 0 : std::cos(part * kTwoPi);
}

}  // namespace halyard::emulator
