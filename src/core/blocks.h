// Blocks of the quantised formats as they lie in the file (little endian, no padding; spec section C). A
// block in a mapped file may have any alignment: copy it out with load_block, or read it bytewise.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace halyard {

struct BlockQ8_0 {  // 32 values: d q
  uint16_t d;       // half
  int8_t q[32];
};
static_assert(sizeof(BlockQ8_0) == 34);

struct BlockQ2_K {     // 256 values in 16 sub-blocks of 16
  uint8_t scales[16];  // low 4 bits: scale; high 4 bits: minimum
  uint8_t q[64];       // 2 bits a value
  uint16_t d;          // half: unit of the scales
  uint16_t dmin;       // half: unit of the minima
};
static_assert(sizeof(BlockQ2_K) == 84);

struct BlockQ4_K {     // 256 values in 8 sub-blocks of 32
  uint16_t d;          // half: unit of the scales
  uint16_t dmin;       // half: unit of the minima
  uint8_t scales[12];  // 6-bit scales and minima, packed: see q4_k_scale
  uint8_t q[128];      // 4 bits a value
};
static_assert(sizeof(BlockQ4_K) == 144);

struct BlockIQ2_XXS {  // 256 values in 8 groups of 32
  uint16_t d;          // half
  uint16_t q[32];      // 8 bytes a group: 4 grid indices; then 4 sign indices of 7 bits and a scale of 4
};
static_assert(sizeof(BlockIQ2_XXS) == 66);

struct BlockMXFP4 {  // 32 values
  uint8_t e;         // scale 2^(e - 127)
  uint8_t q[16];     // low nibbles: values 0 to 15; high nibbles: 16 to 31
};
static_assert(sizeof(BlockMXFP4) == 17);

template <class Block>
Block load_block(const std::byte* at) {
  Block block;
  std::memcpy(&block, at, sizeof(Block));
  return block;
}

struct ScaleAndMin {
  uint8_t scale, min;  // 6 bits each
};

// Scale and minimum of sub-block j (0 to 7) of a Q4_K block.
constexpr ScaleAndMin q4_k_scale(const uint8_t (&s)[12], unsigned j) {
  if (j < 4) return {static_cast<uint8_t>(s[j] & 63u), static_cast<uint8_t>(s[j + 4] & 63u)};
  return {static_cast<uint8_t>((s[j + 4] & 15u) | ((s[j - 4] >> 6u) << 4u)),
          static_cast<uint8_t>((s[j + 4] >> 4u) | ((s[j] >> 6u) << 4u))};
}

// Values of the 4-bit codes of MXFP4 (E2M1): bit 3 is the sign.
inline constexpr std::array<float, 16> kMxfp4Values = {
    0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f, -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

}  // namespace halyard
