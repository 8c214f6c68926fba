// The formats as vectors of values. For kernels_*.cpp only, each with its own HALYARD_SIMD_HEADER.
//
// Each format is a type with kValues and kBytes of a block and visit(block, sink), which calls sink(i,
// values) for i = 0, kLanes, 2 kLanes, ... in ascending order. Layouts: spec section C.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include HALYARD_SIMD_HEADER
#include "backend/cpu/kernels.h"
#include "core/blocks.h"

namespace halyard::cpu {
namespace {

// Formats of single values; a "block" is sixteen of them.
struct ValuesF32 {
  static constexpr size_t kValues = 16, kBytes = 64;
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    for (size_t i = 0; i < kValues; i += kLanes) sink(i, load(block + 4 * i));
  }
};

struct ValuesF16 {
  static constexpr size_t kValues = 16, kBytes = 32;
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    for (size_t i = 0; i < kValues; i += kLanes) sink(i, load_halves(block + 2 * i));
  }
};

struct ValuesBF16 {
  static constexpr size_t kValues = 16, kBytes = 32;
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    for (size_t i = 0; i < kValues; i += kLanes) sink(i, load_bf16(block + 2 * i));
  }
};

struct ValuesQ8_0 {
  static constexpr size_t kValues = 32, kBytes = sizeof(BlockQ8_0);
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    const Vec d = splat(half_to_float1(block + offsetof(BlockQ8_0, d)));
    for (size_t i = 0; i < kValues; i += kLanes)
      sink(i, mul(d, to_float(widen_i8(block + offsetof(BlockQ8_0, q) + i))));
  }
};

struct ValuesQ2_K {
  static constexpr size_t kValues = 256, kBytes = sizeof(BlockQ2_K);
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    const Vec d = splat(half_to_float1(block + offsetof(BlockQ2_K, d)));
    const Vec dmin = splat(half_to_float1(block + offsetof(BlockQ2_K, dmin)));
    float scale[16], min[16];
    for (size_t j = 0; j < 16; j += kLanes) {
      const IntVec pair = widen_u8(block + offsetof(BlockQ2_K, scales) + j);
      store(scale + j, mul(d, to_float(keep_bits(pair, 15))));
      store(min + j, mul(dmin, to_float(shift_right(pair, 4))));
    }
    for (size_t half = 0; half < 2; ++half) {
      IntVec q[32 / kLanes];
      for (size_t j = 0; j < 32 / kLanes; ++j)
        q[j] = widen_u8(block + offsetof(BlockQ2_K, q) + 32 * half + j * kLanes);
      for (unsigned part = 0; part < 4; ++part) {
        for (size_t j = 0; j < 32 / kLanes; ++j) {
          const size_t i = 128 * half + 32 * part + j * kLanes;
          const Vec code = to_float(keep_bits(shift_right(q[j], 2 * part), 3));
          sink(i, fmsub(splat(scale[i / 16]), code, splat(min[i / 16])));
        }
      }
    }
  }
};

struct ValuesQ4_K {
  static constexpr size_t kValues = 256, kBytes = sizeof(BlockQ4_K);
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    const float d = half_to_float1(block + offsetof(BlockQ4_K, d));
    const float dmin = half_to_float1(block + offsetof(BlockQ4_K, dmin));
    // Eight scales and eight minima of six bits, one a byte, unpacked four at a time.
    uint32_t packed[3], six[4];
    std::memcpy(packed, block + offsetof(BlockQ4_K, scales), 12);
    six[0] = packed[0] & 0x3f3f3f3f;
    six[1] = (packed[2] & 0x0f0f0f0f) | ((packed[0] >> 2) & 0x30303030);
    six[2] = packed[1] & 0x3f3f3f3f;
    six[3] = ((packed[2] >> 4) & 0x0f0f0f0f) | ((packed[1] >> 2) & 0x30303030);
    uint8_t bytes[16];
    std::memcpy(bytes, six, 16);
    for (size_t pair = 0; pair < 4; ++pair) {
      IntVec q[32 / kLanes];
      for (size_t j = 0; j < 32 / kLanes; ++j)
        q[j] = widen_u8(block + offsetof(BlockQ4_K, q) + 32 * pair + j * kLanes);
      for (size_t high = 0; high < 2; ++high) {
        const Vec scale = splat(d * static_cast<float>(bytes[2 * pair + high]));
        const Vec min = splat(dmin * static_cast<float>(bytes[8 + 2 * pair + high]));
        for (size_t j = 0; j < 32 / kLanes; ++j) {
          const IntVec code = high != 0 ? shift_right(q[j], 4) : keep_bits(q[j], 15);
          sink(64 * pair + 32 * high + j * kLanes, fmsub(scale, to_float(code), min));
        }
      }
    }
  }
};

struct ValuesIQ2_XXS {
  static constexpr size_t kValues = 256, kBytes = sizeof(BlockIQ2_XXS);
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    const float d = half_to_float1(block + offsetof(BlockIQ2_XXS, d)) * 0.25f;
    for (size_t group = 0; group < 8; ++group) {
      const uint8_t* at = block + offsetof(BlockIQ2_XXS, q) + 8 * group;
      uint32_t signs;
      std::memcpy(&signs, at + 4, 4);
      const Vec scale = splat(d * (static_cast<float>(signs >> 28) + 0.5f));
      const float* magnitudes[4];
      const float* flips[4];
      for (size_t l = 0; l < 4; ++l) {
        magnitudes[l] = kIq2Magnitudes + size_t{8} * at[l];
        flips[l] = kIq2SignBits + size_t{8} * ((signs >> (7 * l)) & 127u);
      }
      for (size_t i = 0; i < 32; i += kLanes)
        sink(32 * group + i, mul(scale, flip_signs(load_octets(magnitudes, i), load_octets(flips, i))));
    }
  }
};

struct ValuesMXFP4 {
  static constexpr size_t kValues = 32, kBytes = sizeof(BlockMXFP4);
  template <class Sink>
  static HALYARD_INLINE void visit(const uint8_t* block, Sink sink) {
    // 2^(e - 128) for codes that count twice; below 2^-126 floats are subnormal.
    const uint32_t e = block[offsetof(BlockMXFP4, e)];
    const uint32_t bits = e >= 2 ? (e - 1) << 23 : 0x00200000u << e;
    float d;
    std::memcpy(&d, &bits, 4);
    const Vec scale = splat(d);
    for (size_t high = 0; high < 2; ++high) {
      for (size_t i = 0; i < 16; i += kLanes) {
        const IntVec pair = widen_u8(block + offsetof(BlockMXFP4, q) + i);
        const IntVec code = high != 0 ? shift_right(pair, 4) : keep_bits(pair, 15);
        sink(16 * high + i, mul(scale, twice_e2m1(code)));
      }
    }
  }
};

}  // namespace
}  // namespace halyard::cpu
