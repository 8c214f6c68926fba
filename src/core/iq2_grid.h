// The codebook of IQ2_XXS: 256 octets of magnitudes out of {8, 25, 43} (spec section C). Public constants of
// ggml (MIT).
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace halyard {

// Entry k as one number, 2 bits a magnitude, the first one lowest: 0 is 8, 1 is 25, 2 is 43. Ascending; a
// test holds the SHA-256 of the 512 little-endian bytes.
inline constexpr std::array<uint16_t, 256> kIq2Codes = [] {
  std::array<uint16_t, 256> codes = {
#include "core/iq2_codes.inc"
  };
  for (size_t i = 1; i < codes.size(); ++i)
    codes[i] = static_cast<uint16_t>(codes[i] + codes[i - 1]);  // from differences
  return codes;
}();

// Entry k as eight bytes in one word: byte i (from the lowest) is magnitude i.
inline constexpr std::array<uint64_t, 256> kIq2Grid = [] {
  constexpr uint64_t kMagnitudes[4] = {8, 25, 43, 0};
  std::array<uint64_t, 256> grid{};
  for (size_t k = 0; k < grid.size(); ++k) {
    for (unsigned i = 0; i < 8; ++i) grid[k] |= kMagnitudes[(kIq2Codes[k] >> (2 * i)) & 3u] << (8 * i);
  }
  return grid;
}();

// The signs of an octet from its 7-bit index: bit i set means that value i is negative. The number of minus
// signs is even, so the eighth is implied.
constexpr uint8_t iq2_signs(uint32_t index7) {
  return static_cast<uint8_t>(index7 | (static_cast<uint32_t>(std::popcount(index7) & 1) << 7));
}

}  // namespace halyard
