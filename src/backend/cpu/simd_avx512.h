// Sixteen lanes with AVX-512 F, BW, DQ, VL. For kernels_avx512.cpp only; the operations are those of
// simd_avx2.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "backend/cpu/simd_inline.h"

namespace halyard::cpu {
namespace {

using Vec = __m512;
using IntVec = __m512i;
constexpr size_t kLanes = 16;
constexpr size_t kTileTokens = 6;   // columns of a register tile of four rows: 24 of 32 registers
constexpr size_t kWeighedVecs = 4;  // vectors of a tile of four heads in add_weighted_rows

HALYARD_INLINE Vec zero() {
  return _mm512_setzero_ps();
}
HALYARD_INLINE Vec splat(float v) {
  return _mm512_set1_ps(v);
}
HALYARD_INLINE Vec load(const void* p) {
  return _mm512_loadu_ps(p);
}
HALYARD_INLINE void store(float* p, Vec v) {
  _mm512_storeu_ps(p, v);
}
HALYARD_INLINE Vec add(Vec a, Vec b) {
  return _mm512_add_ps(a, b);
}
HALYARD_INLINE Vec mul(Vec a, Vec b) {
  return _mm512_mul_ps(a, b);
}
HALYARD_INLINE Vec div(Vec a, Vec b) {
  return _mm512_div_ps(a, b);
}
HALYARD_INLINE Vec fmadd(Vec a, Vec b, Vec c) {
  return _mm512_fmadd_ps(a, b, c);
}
HALYARD_INLINE Vec fmsub(Vec a, Vec b, Vec c) {
  return _mm512_fmsub_ps(a, b, c);
}
HALYARD_INLINE Vec max(Vec bound, Vec x) {
  return _mm512_max_ps(bound, x);
}
HALYARD_INLINE Vec min(Vec bound, Vec x) {
  return _mm512_min_ps(bound, x);
}
HALYARD_INLINE Vec flip_signs(Vec x, Vec bits) {
  return _mm512_xor_ps(x, bits);
}

HALYARD_INLINE void prefetch(const uint8_t* p) {
  _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0);
}

HALYARD_INLINE float sum(Vec v) {
  const __m256 a = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}

HALYARD_INLINE IntVec widen_u8(const uint8_t* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
HALYARD_INLINE IntVec widen_i8(const uint8_t* p) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
HALYARD_INLINE IntVec keep_bits(IntVec v, int bits) {
  return _mm512_and_si512(v, _mm512_set1_epi32(bits));
}
HALYARD_INLINE IntVec shift_right(IntVec v, unsigned n) {
  return _mm512_srli_epi32(v, n);
}
HALYARD_INLINE Vec to_float(IntVec v) {
  return _mm512_cvtepi32_ps(v);
}
HALYARD_INLINE IntVec round_to_int(Vec v) {
  return _mm512_cvtps_epi32(v);
}
HALYARD_INLINE Vec power_of_two(IntVec n) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(n, _mm512_set1_epi32(127)), 23));
}

HALYARD_INLINE float half_to_float1(const uint8_t* p) {
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(p[0] | p[1] << 8)));
}
HALYARD_INLINE Vec load_halves(const uint8_t* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
HALYARD_INLINE Vec load_bf16(const uint8_t* p) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
HALYARD_INLINE Vec load_octets(const float* const* octets, size_t i) {
  const Vec low = _mm512_castps256_ps512(_mm256_loadu_ps(octets[i / 8]));
  return _mm512_insertf32x8(low, _mm256_loadu_ps(octets[i / 8 + 1]), 1);
}
HALYARD_INLINE Vec twice_e2m1(IntVec codes) {
  return _mm512_permutexvar_ps(codes,
                               _mm512_setr_ps(0, 1, 2, 3, 4, 6, 8, 12, -0.0f, -1, -2, -3, -4, -6, -8, -12));
}

}  // namespace
}  // namespace halyard::cpu
