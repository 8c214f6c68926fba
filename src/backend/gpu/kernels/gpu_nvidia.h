// gpu.h on NVIDIA: sm_80 and later. The contracts stand beside the same functions in gpu_amd.h.
#pragma once

namespace halyard::gpu {

HALYARD_DEVICE uint32_t thread_in_block() {
  return static_cast<uint32_t>(__nvvm_read_ptx_sreg_tid_x());
}
HALYARD_DEVICE uint32_t block_x() {
  return static_cast<uint32_t>(__nvvm_read_ptx_sreg_ctaid_x());
}
HALYARD_DEVICE uint32_t block_y() {
  return static_cast<uint32_t>(__nvvm_read_ptx_sreg_ctaid_y());
}
HALYARD_DEVICE uint32_t lane() {
  return static_cast<uint32_t>(__nvvm_read_ptx_sreg_laneid());
}

HALYARD_DEVICE void block_barrier() {
  __nvvm_bar_sync(0);
}

HALYARD_DEVICE uint32_t shuffle_word(uint32_t value, uint32_t source) {
  return static_cast<uint32_t>(
      __nvvm_shfl_sync_idx_i32(~0u, static_cast<int>(value), static_cast<int>(source), 31));
}
template <uint32_t kMask>
HALYARD_DEVICE uint32_t shuffle_xor_word(uint32_t value) {
  return static_cast<uint32_t>(__nvvm_shfl_sync_bfly_i32(~0u, static_cast<int>(value), kMask, 31));
}

// Within 2 ulp.
HALYARD_DEVICE float exp2_fast(float x) {
  float y;
  asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
HALYARD_DEVICE float reciprocal(float x) {
  float y;
  asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
HALYARD_DEVICE float reciprocal_sqrt(float x) {
  float y;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
HALYARD_DEVICE float sqrt_fast(float x) {
  float y;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

HALYARD_DEVICE int32_t dot4(uint32_t a, uint32_t b, int32_t c) {
  int32_t sum;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

// Bits 31:0 of the 64 bits high:low, shifted right by `shift` (0 to 31).
HALYARD_DEVICE uint32_t funnel_right(uint32_t low, uint32_t high, uint32_t shift) {
  uint32_t y;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(y) : "r"(low), "r"(high), "r"(shift));
  return y;
}

// kWords words from an even address, which loads of words may not touch: aligned words and a funnel shift.
// The words begin up to 2 bytes before `at`, so something readable must lie there; nothing is read behind the
// last byte.
template <uint32_t kWords>
HALYARD_DEVICE Vector<uint32_t, kWords> load_words_from_even(const void* at) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(at);
  const uint32_t* aligned = reinterpret_cast<const uint32_t*>(address & ~uintptr_t{3});
  const uint32_t shift = address & 2 ? 16 : 0;
  uint32_t words[kWords + 1];
  for (uint32_t i = 0; i < kWords; ++i) words[i] = aligned[i];
  words[kWords] = static_cast<const uint16_t*>(at)[2 * kWords - 1];
  Vector<uint32_t, kWords> value;
  for (uint32_t i = 0; i < kWords; ++i) value[i] = funnel_right(words[i], words[i + 1], shift);
  return value;
}
HALYARD_DEVICE Word4 load16_from_even(const void* at) {
  return load_words_from_even<4>(at);
}
HALYARD_DEVICE Word2 load8_from_even(const void* at) {
  return load_words_from_even<2>(at);
}

// ---- Matrix tiles: two m16n8k16 side by side. The registers of A cover rows g and g + 8 (g = lane / 4) at k
// and k + 8 (k = 2 (lane % 4)); those of B the same for its columns, two by two: one fragment serves for
// both.

using Accumulator = Vector<float, 8>;
using Fragment = Word4;

HALYARD_DEVICE Fragment load_fragment(const Half* rows, uint32_t stride) {
  const Half* row = rows + lane() / 4 * stride + lane() % 4 * 2;
  const auto pair = [&](uint32_t offset) { return *reinterpret_cast<const uint32_t*>(row + offset); };
  return Fragment{pair(0), pair(8 * stride), pair(8), pair(8 * stride + 8)};
}

HALYARD_DEVICE Accumulator multiply_add(Fragment a, Fragment b, Accumulator c) {
  for (uint32_t side = 0; side < 2; ++side) {
    float c0 = c[4 * side], c1 = c[4 * side + 1], c2 = c[4 * side + 2], c3 = c[4 * side + 3];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[side]), "r"(b[side + 2]));
    c[4 * side] = c0, c[4 * side + 1] = c1, c[4 * side + 2] = c2, c[4 * side + 3] = c3;
  }
  return c;
}
HALYARD_DEVICE uint32_t tile_row(uint32_t element) {
  return lane() / 4 + element / 2 % 2 * 8;
}
HALYARD_DEVICE uint32_t tile_column(uint32_t element) {
  return lane() % 4 * 2 + element % 2 + element / 4 * 8;
}

}  // namespace halyard::gpu
