// Four lanes with SSE2, which every x86-64 processor has. For kernels_baseline.cpp only; the operations are
// those of simd_avx2.h, but that fmadd and fmsub round twice.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>

#include "backend/cpu/simd_inline.h"

namespace halyard::cpu {
namespace {

using Vec = __m128;
using IntVec = __m128i;
constexpr size_t kLanes = 4;
constexpr size_t kTileTokens = 2;   // columns of a register tile of four rows: 8 of 16 registers
constexpr size_t kWeighedVecs = 2;  // vectors of a tile of four heads in add_weighted_rows

HALYARD_INLINE Vec zero() {
  return _mm_setzero_ps();
}
HALYARD_INLINE Vec splat(float v) {
  return _mm_set1_ps(v);
}
HALYARD_INLINE Vec load(const void* p) {
  return _mm_loadu_ps(static_cast<const float*>(p));
}
HALYARD_INLINE void store(float* p, Vec v) {
  _mm_storeu_ps(p, v);
}
HALYARD_INLINE Vec add(Vec a, Vec b) {
  return _mm_add_ps(a, b);
}
HALYARD_INLINE Vec mul(Vec a, Vec b) {
  return _mm_mul_ps(a, b);
}
HALYARD_INLINE Vec div(Vec a, Vec b) {
  return _mm_div_ps(a, b);
}
HALYARD_INLINE Vec fmadd(Vec a, Vec b, Vec c) {
  return _mm_add_ps(_mm_mul_ps(a, b), c);
}
HALYARD_INLINE Vec fmsub(Vec a, Vec b, Vec c) {
  return _mm_sub_ps(_mm_mul_ps(a, b), c);
}
HALYARD_INLINE Vec max(Vec bound, Vec x) {
  return _mm_max_ps(bound, x);
}
HALYARD_INLINE Vec min(Vec bound, Vec x) {
  return _mm_min_ps(bound, x);
}
HALYARD_INLINE Vec flip_signs(Vec x, Vec bits) {
  return _mm_xor_ps(x, bits);
}

HALYARD_INLINE void prefetch(const uint8_t* p) {
  _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0);
}

HALYARD_INLINE float sum(Vec v) {
  const __m128 c = _mm_add_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_add_ss(c, _mm_shuffle_ps(c, c, 1)));
}

HALYARD_INLINE IntVec widen_u8(const uint8_t* p) {
  int word;
  std::memcpy(&word, p, 4);
  const IntVec words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(word), _mm_setzero_si128());
  return _mm_unpacklo_epi16(words, _mm_setzero_si128());
}
HALYARD_INLINE IntVec widen_i8(const uint8_t* p) {
  int word;
  std::memcpy(&word, p, 4);
  const IntVec bytes = _mm_cvtsi32_si128(word);
  const IntVec high = _mm_unpacklo_epi16(_mm_setzero_si128(), _mm_unpacklo_epi8(_mm_setzero_si128(), bytes));
  return _mm_srai_epi32(high, 24);
}
HALYARD_INLINE IntVec keep_bits(IntVec v, int bits) {
  return _mm_and_si128(v, _mm_set1_epi32(bits));
}
HALYARD_INLINE IntVec shift_right(IntVec v, unsigned n) {
  return _mm_srli_epi32(v, static_cast<int>(n));
}
HALYARD_INLINE Vec to_float(IntVec v) {
  return _mm_cvtepi32_ps(v);
}
HALYARD_INLINE IntVec round_to_int(Vec v) {
  return _mm_cvtps_epi32(v);
}
HALYARD_INLINE Vec power_of_two(IntVec n) {
  return _mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(n, _mm_set1_epi32(127)), 23));
}

// A half's exponent and mantissa, put where a float has them, are its value times 2^-112; infinity and NaN
// have the largest exponent in both.
HALYARD_INLINE Vec halves_to_float(IntVec bits) {
  const IntVec magnitude = _mm_slli_epi32(keep_bits(bits, 0x7fff), 13);
  const IntVec special = _mm_cmpgt_epi32(magnitude, _mm_set1_epi32(0x0f7fffff));
  const IntVec sign = _mm_slli_epi32(keep_bits(bits, 0x8000), 16);
  const IntVec value = _mm_castps_si128(mul(_mm_castsi128_ps(magnitude), splat(0x1p112f)));
  return _mm_castsi128_ps(_mm_or_si128(_mm_or_si128(value, sign), keep_bits(special, 0x7f800000)));
}
HALYARD_INLINE float half_to_float1(const uint8_t* p) {
  return _mm_cvtss_f32(halves_to_float(_mm_cvtsi32_si128(p[0] | p[1] << 8)));
}
HALYARD_INLINE Vec load_halves(const uint8_t* p) {
  const IntVec bits = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return halves_to_float(_mm_unpacklo_epi16(bits, _mm_setzero_si128()));
}
HALYARD_INLINE Vec load_bf16(const uint8_t* p) {
  const IntVec bits = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), bits));
}
HALYARD_INLINE Vec load_octets(const float* const* octets, size_t i) {
  return load(octets[i / 8] + i % 8);
}
HALYARD_INLINE Vec twice_e2m1(IntVec codes) {
  static constexpr float kTwice[16] = {0, 1, 2, 3, 4, 6, 8, 12, -0.0f, -1, -2, -3, -4, -6, -8, -12};
  alignas(16) int32_t code[4];
  _mm_store_si128(reinterpret_cast<__m128i*>(code), codes);
  return _mm_setr_ps(kTwice[code[0]], kTwice[code[1]], kTwice[code[2]], kTwice[code[3]]);
}

}  // namespace
}  // namespace halyard::cpu
