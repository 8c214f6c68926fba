// gpu.h on AMD: gfx11 (RDNA 3, 3.5) and gfx12 (RDNA 4), wave32.
#pragma once

namespace halyard::gpu {

HALYARD_DEVICE uint32_t thread_in_block() {
  return __builtin_amdgcn_workitem_id_x();
}
HALYARD_DEVICE uint32_t block_x() {
  return __builtin_amdgcn_workgroup_id_x();
}
HALYARD_DEVICE uint32_t block_y() {
  return __builtin_amdgcn_workgroup_id_y();
}
HALYARD_DEVICE uint32_t lane() {
  return __builtin_amdgcn_mbcnt_lo(~0u, 0u);
}

// All threads of the block arrive, and see each other's writes to LDS. Says nothing of global memory: a fence
// for that would throw the cache of the compute unit away at each barrier.
HALYARD_DEVICE void block_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

HALYARD_DEVICE uint32_t shuffle_word(uint32_t value, uint32_t source) {
  return static_cast<uint32_t>(
      __builtin_amdgcn_ds_bpermute(static_cast<int>(source * 4), static_cast<int>(value)));
}

// DPP16 row_xmask within rows of 16 lanes: an operand of the next instruction, so nearly free. Never DPP8:
// clang 22 still moves it under later divergent branches, where its source lanes are off.
template <uint32_t kMask>
HALYARD_DEVICE uint32_t shuffle_xor_word(uint32_t value) {
  if constexpr (kMask < 16) {
    return static_cast<uint32_t>(
        __builtin_amdgcn_update_dpp(0, static_cast<int>(value), 0x160 + kMask, 0xf, 0xf, true));
  } else {
    uint32_t other = __builtin_amdgcn_permlanex16(value, value, 0x76543210, 0xfedcba98, true, false);
    // Compilers before clang 22 moved this one in the same way; the empty statement keeps it here in any.
    asm volatile("" : "+v"(other));
    return other;
  }
}

// 2^x within 1 ulp, 1/x, 1/sqrt(x), sqrt(x) within 1 ulp, for arguments and results that are normal numbers;
// where one would be subnormal it may be zero (or the result infinite).
HALYARD_DEVICE float exp2_fast(float x) {
  return __builtin_amdgcn_exp2f(x);
}
HALYARD_DEVICE float reciprocal(float x) {
  return __builtin_amdgcn_rcpf(x);
}
HALYARD_DEVICE float reciprocal_sqrt(float x) {
  return __builtin_amdgcn_rsqf(x);
}
HALYARD_DEVICE float sqrt_fast(float x) {
  return __builtin_amdgcn_sqrtf(x);
}

// c + the dot product of four signed bytes. Exact, wraps at 32 bits.
HALYARD_DEVICE int32_t dot4(uint32_t a, uint32_t b, int32_t c) {
  return __builtin_amdgcn_sudot4(true, static_cast<int>(a), true, static_cast<int>(b), c, false);
}

// 16 and 8 bytes from an even address: one load, the memory path of AMD takes any alignment.
HALYARD_DEVICE Word4 load16_from_even(const void* at) {
  Word4 value;
  __builtin_memcpy(&value, at, 16);
  return value;
}
HALYARD_DEVICE Word2 load8_from_even(const void* at) {
  Word2 value;
  __builtin_memcpy(&value, at, 8);
  return value;
}

// ---- Matrix tiles: C (16 x 16, float32) += A (16 x 16, f16) times B (16 x 16, f16) transposed. A and B both
// lie as 16 rows of 16 values along K, so one kind of fragment serves for both.

using Accumulator = Vector<float, 8>;  // eight of the 256 elements of C; tile_row and tile_column say which

#if defined(__GFX12__)
using Fragment = Vector<Half, 8>;  // row lane % 16, values 8 (lane / 16) ... + 7

// `stride` in halves, a multiple of 8; `rows` a multiple of 16 bytes.
HALYARD_DEVICE Fragment load_fragment(const Half* rows, uint32_t stride) {
  return *reinterpret_cast<const Half8*>(rows + lane() % 16 * stride + lane() / 16 * 8);
}
HALYARD_DEVICE Accumulator multiply_add(Fragment a, Fragment b, Accumulator c) {
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
}
HALYARD_DEVICE uint32_t tile_row(uint32_t element) {
  return lane() / 16 * 8 + element;
}
#else
using Fragment = Vector<Half, 16>;  // row lane % 16, all 16 values; the upper half of the wave holds a copy

HALYARD_DEVICE Fragment load_fragment(const Half* rows, uint32_t stride) {
  const Half8* row = reinterpret_cast<const Half8*>(rows + lane() % 16 * stride);
  return __builtin_shufflevector(row[0], row[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
HALYARD_DEVICE Accumulator multiply_add(Fragment a, Fragment b, Accumulator c) {
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
}
HALYARD_DEVICE uint32_t tile_row(uint32_t element) {
  return 2 * element + lane() / 16;
}
#endif
HALYARD_DEVICE uint32_t tile_column(uint32_t) {
  return lane() % 16;
}

}  // namespace halyard::gpu
