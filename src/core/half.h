// 16-bit floats of the GGUF formats. IEEE 754 binary16 (half) and bfloat16; conversions round to nearest,
// ties to even.
#pragma once
#include <bit>
#include <cstdint>

namespace halyard {

float half_to_float(uint16_t half);   // exact; infinities and NaN kept
uint16_t float_to_half(float value);  // overflow gives infinity, NaN stays NaN (quiet)

inline float bf16_to_float(uint16_t bf16) {
  return std::bit_cast<float>(uint32_t{bf16} << 16);
}
uint16_t float_to_bf16(float value);

}  // namespace halyard
