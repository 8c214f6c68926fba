// Eight lanes with AVX2, FMA and F16C. For kernels_avx2.cpp only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "backend/cpu/simd_inline.h"

namespace halyard::cpu {
namespace {

using Vec = __m256;
using IntVec = __m256i;
constexpr size_t kLanes = 8;
constexpr size_t kTileTokens = 3;   // columns of a register tile of four rows: 12 of 16 registers
constexpr size_t kWeighedVecs = 2;  // vectors of a tile of four heads in add_weighted_rows

HALYARD_INLINE Vec zero() {
  return _mm256_setzero_ps();
}
HALYARD_INLINE Vec splat(float v) {
  return _mm256_set1_ps(v);
}
HALYARD_INLINE Vec load(const void* p) {
  return _mm256_loadu_ps(static_cast<const float*>(p));
}
HALYARD_INLINE void store(float* p, Vec v) {
  _mm256_storeu_ps(p, v);
}
HALYARD_INLINE Vec add(Vec a, Vec b) {
  return _mm256_add_ps(a, b);
}
HALYARD_INLINE Vec mul(Vec a, Vec b) {
  return _mm256_mul_ps(a, b);
}
HALYARD_INLINE Vec div(Vec a, Vec b) {
  return _mm256_div_ps(a, b);
}
HALYARD_INLINE Vec fmadd(Vec a, Vec b, Vec c) {
  return _mm256_fmadd_ps(a, b, c);
}  // a b + c
HALYARD_INLINE Vec fmsub(Vec a, Vec b, Vec c) {
  return _mm256_fmsub_ps(a, b, c);
}  // a b - c
HALYARD_INLINE Vec max(Vec bound, Vec x) {
  return _mm256_max_ps(bound, x);
}  // a NaN in x stays
HALYARD_INLINE Vec min(Vec bound, Vec x) {
  return _mm256_min_ps(bound, x);
}  // likewise
HALYARD_INLINE Vec flip_signs(Vec x, Vec bits) {
  return _mm256_xor_ps(x, bits);
}

HALYARD_INLINE void prefetch(const uint8_t* p) {
  _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0);
}

HALYARD_INLINE float sum(Vec v) {
  const __m128 b = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 c = _mm_add_ps(b, _mm_movehl_ps(b, b));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}

// Bytes to 32-bit integers, one a lane.
HALYARD_INLINE IntVec widen_u8(const uint8_t* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
HALYARD_INLINE IntVec widen_i8(const uint8_t* p) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
HALYARD_INLINE IntVec keep_bits(IntVec v, int bits) {
  return _mm256_and_si256(v, _mm256_set1_epi32(bits));
}
HALYARD_INLINE IntVec shift_right(IntVec v, unsigned n) {
  return _mm256_srli_epi32(v, static_cast<int>(n));
}
HALYARD_INLINE Vec to_float(IntVec v) {
  return _mm256_cvtepi32_ps(v);
}
HALYARD_INLINE IntVec round_to_int(Vec v) {
  return _mm256_cvtps_epi32(v);
}
HALYARD_INLINE Vec power_of_two(IntVec n) {  // -126 <= n <= 127
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}

HALYARD_INLINE float half_to_float1(const uint8_t* p) {
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(p[0] | p[1] << 8)));
}
HALYARD_INLINE Vec load_halves(const uint8_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
HALYARD_INLINE Vec load_bf16(const uint8_t* p) {
  const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}
// Values i to i + kLanes of the octets laid end to end; i is a multiple of kLanes.
HALYARD_INLINE Vec load_octets(const float* const* octets, size_t i) {
  return load(octets[i / 8]);
}
// Twice the value of an MXFP4 code, an integer.
HALYARD_INLINE Vec twice_e2m1(IntVec codes) {
  const Vec magnitude = _mm256_permutevar8x32_ps(_mm256_setr_ps(0, 1, 2, 3, 4, 6, 8, 12), codes);
  return flip_signs(magnitude, _mm256_castsi256_ps(_mm256_slli_epi32(keep_bits(codes, 8), 28)));
}

}  // namespace
}  // namespace halyard::cpu
