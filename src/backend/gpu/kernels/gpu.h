// The words in which kernels are written, the same for AMD and NVIDIA. Device code only: the host never
// includes this.
//
// Compiled by clang alone, freestanding, without a vendor's headers (cmake/device_code.cmake). A wave is 32
// lanes, on AMD too. Blocks are one-dimensional; grids have x and y. What a function promises holds on both
// vendors; where they differ in speed, the comment says so.
//
// Cross-lane functions and barriers must be reached by all lanes of the wave, or all threads of the block. A
// lane that has no work computes with a harmless value and does not store.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__HIP__)
#define HALYARD_AMD 1
#else
#define HALYARD_AMD 0
#endif

// HALYARD_KERNEL(threads): launched with exactly so many threads a block. Without the bound the compiler
// plans for 1,024 and spills; on AMD clang heeds only its own attribute for that.
#if HALYARD_AMD
#define HALYARD_KERNEL(threads) \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#else
#define HALYARD_KERNEL(threads) extern "C" __attribute__((global, launch_bounds(threads))) void
#endif
#define HALYARD_DEVICE static inline __attribute__((device, always_inline))
#define HALYARD_LDS __attribute__((shared))                     // of a block; starts with rubbish
#define HALYARD_TABLE static __attribute__((device)) constexpr  // read-only table in the module

namespace halyard::gpu {

using Half = _Float16;
template <class T, int kLanes>
using Vector = T __attribute__((ext_vector_type(kLanes)));
using Float4 = Vector<float, 4>;
using Half8 = Vector<Half, 8>;
using Word2 = Vector<uint32_t, 2>;
using Word4 = Vector<uint32_t, 4>;  // 16 bytes: the widest load

constexpr uint32_t kWaveLanes = 32;

template <class To, class From>
HALYARD_DEVICE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace halyard::gpu

#if HALYARD_AMD
#include "backend/gpu/kernels/gpu_amd.h"
#else
#include "backend/gpu/kernels/gpu_nvidia.h"
#endif

namespace halyard::gpu {

HALYARD_DEVICE uint32_t wave_in_block() {
  return thread_in_block() / kWaveLanes;
}

// ---- Shuffles of any type of 4 bytes

// The value of lane `source` (0 to 31).
template <class T>
HALYARD_DEVICE T shuffle(T value, uint32_t source) {
  return bits_as<T>(shuffle_word(bits_as<uint32_t>(value), source));
}

// The value of the lane whose number differs in bit kMask: 1, 2, 4, 8 or 16. Cheaper than shuffle on AMD.
template <uint32_t kMask, class T>
HALYARD_DEVICE T shuffle_xor(T value) {
  static_assert(kMask == 1 || kMask == 2 || kMask == 4 || kMask == 8 || kMask == 16);
  return bits_as<T>(shuffle_xor_word<kMask>(bits_as<uint32_t>(value)));
}

// ---- Reductions: the result in every lane, the same bits in each, the order of the sum fixed

struct Sum {
  static constexpr float kNeutral = 0.0f;
  HALYARD_DEVICE float combine(float a, float b) { return a + b; }
};
struct Max {
  static constexpr float kNeutral = -__builtin_inff();
  HALYARD_DEVICE float combine(float a, float b) { return __builtin_fmaxf(a, b); }
};

// Over teams of kLanes neighbours (a power of two up to 32).
template <class Op, uint32_t kLanes = kWaveLanes>
HALYARD_DEVICE float wave_reduce(float value) {
  if constexpr (kLanes > 1) value = Op::combine(value, shuffle_xor<1>(value));
  if constexpr (kLanes > 2) value = Op::combine(value, shuffle_xor<2>(value));
  if constexpr (kLanes > 4) value = Op::combine(value, shuffle_xor<4>(value));
  if constexpr (kLanes > 8) value = Op::combine(value, shuffle_xor<8>(value));
  if constexpr (kLanes > 16) value = Op::combine(value, shuffle_xor<16>(value));
  return value;
}

// Over the block. `partial` is LDS of the caller, one float a wave; it may be used again after the next
// barrier.
template <class Op, uint32_t kWaves>
HALYARD_DEVICE float block_reduce(float value, float (&partial)[kWaves]) {
  value = wave_reduce<Op>(value);
  if (lane() == 0) partial[wave_in_block()] = value;
  block_barrier();
  value = partial[0];
  for (uint32_t wave = 1; wave < kWaves; ++wave) value = Op::combine(value, partial[wave]);
  return value;
}

// ---- Memory

template <class T>
HALYARD_DEVICE T load16(const void* at) {  // `at` a multiple of 16
  static_assert(sizeof(T) == 16);
  return *static_cast<const T*>(at);
}
template <class T>
HALYARD_DEVICE void store16(void* at, T value) {
  static_assert(sizeof(T) == 16);
  *static_cast<T*>(at) = value;
}
HALYARD_DEVICE Half load_half(const void* at) {  // `at` a multiple of 2
  return *static_cast<const Half*>(at);
}

HALYARD_DEVICE uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

}  // namespace halyard::gpu
