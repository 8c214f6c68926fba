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
      0,   2,   3,   3,   2,   7,   3,   12,  2,    6,   2,    23,  3,    12,  8,    9,   3,    28,  2,   8,
      24,  95,  3,   12,  5,   43,  68,  20,  104,  2,   32,   96,  383,  3,   12,   17,  3,    28,  2,   6,
      24,  33,  3,   12,  20,  92,  2,   6,   24,   38,  35,   23,  17,   120, 7,    48,  68,   32,  348, 5,
      3,   12,  20,  25,  3,   12,  2,   54,  124,  60,  194,  18,  1517, 3,   12,   17,  31,   32,  36,  12,
      5,   107, 8,   24,  48,  10,  38,  164, 33,   443, 8,    24,  5,    36,  55,   152, 74,   158, 22,  491,
      3,   12,  48,  65,  127, 5,   155, 177, 1455, 2,   8,    58,  29,   31,  2,    167, 31,   184, 2,   511,
      3,   12,  48,  22,  170, 65,  35,  300, 376,  24,  116,  432, 5565, 3,   12,   8,   9,    3,   28,  8,
      14,  10,  33,  3,   12,  112, 32,  65,  31,   5,   124,  15,  56,   14,  18,   408, 8,    24,  96,  25,
      121, 18,  220, 513, 3,   12,  48,  5,   187,  88,  9,    33,  195,  75,  1392, 8,   9,    8,   7,   96,
      8,   124, 62,  98,  237, 511, 2,   120, 247,  83,  428,  17,  8,    75,  220,  200, 1532, 12,  48,  40,
      152, 85,  195, 72,  416, 5,   267, 2,   114,  702, 6078, 2,   8,    55,  65,   130, 20,   40,  209, 496,
      3,   12,  5,   43,  32,  160, 70,  78,  117,  55,  32,   418, 258,  269, 1523, 12,  20,   28,  97,  117,
      106, 197, 443, 34,  34,  269, 816, 159, 1762, 78,  53,   132, 247,  536, 1080, 180};
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
