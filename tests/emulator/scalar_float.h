// Scalar float arithmetic of RDNA 3.5: that of a vector lane, with MODE's rules for denormals.
#pragma once
#include <cmath>

#include "emulator/vector_float_math.h"
#include "emulator/wave.h"

namespace halyard::emulator {

inline float float_in(const Wave& wave, uint32_t bits) {
  const float x = bits_to_float(bits);
  return (wave.mode & kModeDenorm32In) != 0 ? x : without_denormal(x);
}
inline uint32_t float_out(const Wave& wave, float x) {
  if (is_nan(x)) x = quiet(x);
  return float_to_bits((wave.mode & kModeDenorm32Out) != 0 ? x : without_denormal(x));
}

inline uint16_t without_denormal_half(uint16_t bits) {
  return (bits & 0x7c00u) == 0 ? static_cast<uint16_t>(bits & 0x8000u) : bits;
}
inline float half_in(const Wave& wave, uint32_t bits) {
  const auto half = static_cast<uint16_t>(bits);
  return half_to_float((wave.mode & kModeDenorm16_64In) != 0 ? half : without_denormal_half(half));
}
// The result of one operation on halves, exact in double: rounded once. The upper half of the register is 0.
inline uint32_t half_out(const Wave& wave, double exact) {
  const uint16_t half =
      std::isnan(exact) ? float_to_half(static_cast<float>(exact)) : float_to_half(narrow_to_odd(exact));
  return (wave.mode & kModeDenorm16_64Out) != 0 ? half : without_denormal_half(half);
}

}  // namespace halyard::emulator
