// Arithmetic of binary32 lanes where the machine differs from plain C++.
#pragma once
#include "emulator/vector_op.h"

namespace halyard::emulator {

inline bool is_nan(float x) {
  return (float_to_bits(x) & 0x7fffffffu) > 0x7f800000u;
}
inline bool is_signalling(float x) {
  return static_cast<bool>(is_nan(x) & ((float_to_bits(x) & 0x400000u) == 0));  // no branch: lane loops
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
  return magnitude - 1 < 0x7fffffu;
}
inline float without_denormal(float x) {
  return is_denormal(x) ? bits_to_float(float_to_bits(x) & 0x80000000u) : x;
}

// Floats as integers of the same order; -0 is below 0. NaN are at the ends.
inline int32_t order_key(uint32_t bits) {
  return static_cast<int32_t>(bits ^ (static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) >> 1));
}

// Of two numbers: the smaller (kMax: larger), -0 below +0. Of a NaN and a number: the number. In IEEE mode a
// signalling NaN wins and becomes quiet. Integers throughout, because the compiler makes vector code of
// those.
template <bool kMax>
float pick(bool ieee, float x, float y) {
  const uint32_t a = float_to_bits(x);
  const uint32_t b = float_to_bits(y);
  const bool a_nan = (a & 0x7fffffffu) > 0x7f800000u;
  const bool b_nan = (b & 0x7fffffffu) > 0x7f800000u;
  const bool first = kMax ? order_key(a) > order_key(b) : order_key(a) < order_key(b);
  uint32_t result = first ? a : b;
  result = a_nan ? b : result;
  result = b_nan ? a : result;
  const uint32_t quiet_bit = ieee ? 0x400000u : 0u;
  const bool b_wins = b_nan & ((b & quiet_bit) != quiet_bit);
  const bool a_wins = a_nan & ((a & quiet_bit) != quiet_bit);
  result = b_wins ? b | quiet_bit : result;
  result = a_wins ? a | quiet_bit : result;
  return bits_to_float(result);
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
