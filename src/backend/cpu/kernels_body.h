// The kernels, written over the operations of HALYARD_SIMD_HEADER. For kernels_*.cpp only.
#pragma once
#include <cstddef>
#include <cstdint>

#include HALYARD_SIMD_HEADER
#include "backend/cpu/block_values.h"
#include "backend/cpu/kernels.h"

namespace halyard::cpu {
namespace {

constexpr size_t kTileRows = 4;
static_assert(kValueMultiple % kLanes == 0);

// ---- Weights ----

struct StoreValues {
  float* out;
  HALYARD_INLINE void operator()(size_t i, Vec values) const { store(out + i, values); }
};

struct AddProducts {
  const float* x;
  Vec* total;
  HALYARD_INLINE void operator()(size_t i, Vec values) const { *total = fmadd(values, load(x + i), *total); }
};

template <class Format>
void decode(const std::byte* row, float* out, size_t n_values) {
  const auto* block = reinterpret_cast<const uint8_t*>(row);
  for (size_t i = 0; i < n_values; i += Format::kValues, block += Format::kBytes)
    Format::visit(block, StoreValues{out + i});
}

// Rows side by side: their chains of additions overlap.
template <class Format, size_t kRows>
HALYARD_INLINE void dot_tile(const uint8_t* rows, size_t row_bytes, const float* x, size_t n_values,
                             float* y) {
  Vec total[kRows];
  for (size_t r = 0; r < kRows; ++r) total[r] = zero();
  const uint8_t* blocks = rows;
  for (size_t i = 0; i < n_values; i += Format::kValues, blocks += Format::kBytes) {
    for (size_t r = 0; r < kRows; ++r) {
      prefetch(blocks + (r + kRows) * row_bytes);
      Format::visit(blocks + r * row_bytes, AddProducts{x + i, &total[r]});
    }
  }
  for (size_t r = 0; r < kRows; ++r) y[r] = sum(total[r]);
}

template <class Format>
void dot(const std::byte* rows, size_t row_bytes, size_t n_rows, const float* x, size_t n_values, float* y) {
  const auto* at = reinterpret_cast<const uint8_t*>(rows);
  size_t r = 0;
  for (; r + kTileRows <= n_rows; r += kTileRows)
    dot_tile<Format, kTileRows>(at + r * row_bytes, row_bytes, x, n_values, y + r);
  for (; r < n_rows; ++r) dot_tile<Format, 1>(at + r * row_bytes, row_bytes, x, n_values, y + r);
}

// ---- Matrix products of floats ----

template <size_t kRows, size_t kColumns>
HALYARD_INLINE void multiply_tile(const float* const* rows, const float* const* x, size_t n_values, float* y,
                                  size_t stride) {
  Vec total[kRows][kColumns];
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t t = 0; t < kColumns; ++t) total[r][t] = zero();
  }
  for (size_t i = 0; i < n_values; i += kLanes) {
    Vec column[kColumns];
    for (size_t t = 0; t < kColumns; ++t) column[t] = load(x[t] + i);
    for (size_t r = 0; r < kRows; ++r) {
      const Vec row = load(rows[r] + i);
      for (size_t t = 0; t < kColumns; ++t) total[r][t] = fmadd(row, column[t], total[r][t]);
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t t = 0; t < kColumns; ++t) y[t * stride + r] = sum(total[r][t]);
  }
}

template <size_t kColumns>
void multiply_columns(const float* const* rows, size_t n_rows, const float* const* x, size_t n_values,
                      float* y, size_t stride) {
  size_t r = 0;
  for (; r + kTileRows <= n_rows; r += kTileRows)
    multiply_tile<kTileRows, kColumns>(rows + r, x, n_values, y + r, stride);
  for (; r < n_rows; ++r) multiply_tile<1, kColumns>(rows + r, x, n_values, y + r, stride);
}

// The last columns, fewer than a tile has.
template <size_t kColumns>
void multiply_rest(const float* const* rows, size_t n_rows, const float* const* x, size_t n_x,
                   size_t n_values, float* y, size_t stride) {
  if constexpr (kColumns > 0) {
    if (n_x == kColumns) return multiply_columns<kColumns>(rows, n_rows, x, n_values, y, stride);
    multiply_rest<kColumns - 1>(rows, n_rows, x, n_x, n_values, y, stride);
  }
}

void multiply(const float* const* rows, size_t n_rows, const float* const* x, size_t n_x, size_t n_values,
              float* y, size_t stride) {
  size_t t = 0;
  for (; t + kTileTokens <= n_x; t += kTileTokens)
    multiply_columns<kTileTokens>(rows, n_rows, x + t, n_values, y + t * stride, stride);
  multiply_rest<kTileTokens - 1>(rows, n_rows, x + t, n_x - t, n_values, y + t * stride, stride);
}

template <size_t kHeads, size_t kVecs>
HALYARD_INLINE void weigh_tile(const float* const* rows, size_t n_rows, size_t dim, const float* weights,
                               size_t weights_stride, float* out, size_t d) {
  Vec total[kHeads][kVecs];
  for (size_t h = 0; h < kHeads; ++h) {
    for (size_t v = 0; v < kVecs; ++v) total[h][v] = load(out + h * dim + d + v * kLanes);
  }
  for (size_t r = 0; r < n_rows; ++r) {
    Vec row[kVecs];
    for (size_t v = 0; v < kVecs; ++v) row[v] = load(rows[r] + d + v * kLanes);
    for (size_t h = 0; h < kHeads; ++h) {
      const Vec weight = splat(weights[h * weights_stride + r]);
      for (size_t v = 0; v < kVecs; ++v) total[h][v] = fmadd(weight, row[v], total[h][v]);
    }
  }
  for (size_t h = 0; h < kHeads; ++h) {
    for (size_t v = 0; v < kVecs; ++v) store(out + h * dim + d + v * kLanes, total[h][v]);
  }
}

template <size_t kHeads>
void weigh_heads(const float* const* rows, size_t n_rows, size_t dim, const float* weights,
                 size_t weights_stride, float* out) {
  size_t d = 0;
  for (; d + kWeighedVecs * kLanes <= dim; d += kWeighedVecs * kLanes)
    weigh_tile<kHeads, kWeighedVecs>(rows, n_rows, dim, weights, weights_stride, out, d);
  for (; d < dim; d += kLanes) weigh_tile<kHeads, 1>(rows, n_rows, dim, weights, weights_stride, out, d);
}

void add_weighted_rows(const float* const* rows, size_t n_rows, size_t dim, const float* weights,
                       size_t weights_stride, size_t n_heads, float* out) {
  constexpr size_t kHeads = 4;
  size_t h = 0;
  for (; h + kHeads <= n_heads; h += kHeads)
    weigh_heads<kHeads>(rows, n_rows, dim, weights + h * weights_stride, weights_stride, out + h * dim);
  for (; h < n_heads; ++h)
    weigh_heads<1>(rows, n_rows, dim, weights + h * weights_stride, weights_stride, out + h * dim);
}

// ---- Vectors ----

// e^x to two units in the last place: x = n ln 2 + r with |r| <= ln 2 / 2, and a Taylor series in r.
// Saturates at the ends of the normal floats.
HALYARD_INLINE Vec exp(Vec x) {
  x = min(splat(88.0f), max(splat(-87.0f), x));
  const IntVec n = round_to_int(mul(x, splat(1.44269504f)));
  const Vec whole = to_float(n);
  constexpr float kLn2High = 0x1.62ep-1f, kLn2Low = 0x1.0bfbe8p-15f;  // the high part times n is exact
  const Vec r = fmadd(whole, splat(-kLn2Low), fmadd(whole, splat(-kLn2High), x));
  Vec series = splat(1.0f / 5040);
  series = fmadd(series, r, splat(1.0f / 720));
  series = fmadd(series, r, splat(1.0f / 120));
  series = fmadd(series, r, splat(1.0f / 24));
  series = fmadd(series, r, splat(1.0f / 6));
  series = fmadd(series, r, splat(0.5f));
  series = fmadd(series, r, splat(1.0f));
  series = fmadd(series, r, splat(1.0f));
  return mul(series, power_of_two(n));
}

float exponentials(float* x, size_t count, float scale, float max_value) {
  Vec total = zero();
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vec e = exp(fmsub(splat(scale), load(x + i), splat(max_value)));
    store(x + i, e);
    total = add(total, e);
  }
  float rest = sum(total);
  if (i < count) {
    float last[kLanes] = {};
    for (size_t j = 0; i + j < count; ++j) last[j] = x[i + j];
    store(last, exp(fmsub(splat(scale), load(last), splat(max_value))));
    for (size_t j = 0; i + j < count; ++j) rest += x[i + j] = last[j];
  }
  return rest;
}

float maximum(const float* x, size_t count) {
  float best = x[0];
  size_t i = 0;
  if (count >= kLanes) {
    Vec top = load(x);
    for (i = kLanes; i + kLanes <= count; i += kLanes) top = max(top, load(x + i));
    float lanes[kLanes];
    store(lanes, top);
    for (float v : lanes) best = v > best ? v : best;
  }
  for (; i < count; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

float sum_squares(const float* x, size_t n_values) {
  Vec total = zero();
  for (size_t i = 0; i < n_values; i += kLanes) {
    const Vec v = load(x + i);
    total = fmadd(v, v, total);
  }
  return sum(total);
}

void scale_values(const float* x, float scale, const float* weight, size_t n_values, float* out) {
  for (size_t i = 0; i < n_values; i += kLanes) {
    const Vec v = mul(load(x + i), splat(scale));
    store(out + i, weight != nullptr ? mul(v, load(weight + i)) : v);
  }
}

void swiglu(float* gate, const float* up, float clamp, size_t n_values) {
  for (size_t i = 0; i < n_values; i += kLanes) {
    const Vec g = min(splat(clamp), load(gate + i));
    const Vec u = min(splat(clamp), max(splat(-clamp), load(up + i)));
    const Vec one_plus = add(splat(1.0f), exp(mul(splat(-1.0f), g)));
    store(gate + i, mul(div(g, one_plus), u));
  }
}

void add_scaled(float* to, float scale, const float* from, size_t n_values) {
  for (size_t i = 0; i < n_values; i += kLanes)
    store(to + i, fmadd(splat(scale), load(from + i), load(to + i)));
}

void add_weighted_relu(float* scores, float weight, const float* products, size_t count) {
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    store(scores + i, fmadd(splat(weight), max(zero(), load(products + i)), load(scores + i)));
  for (; i < count; ++i) scores[i] += weight * (products[i] > 0 ? products[i] : 0.0f);
}

void expand(float* streams, const float* y, const float* weights, size_t dim) {
  const float* mix = weights + 4;
  for (size_t d = 0; d < dim; d += kLanes) {
    Vec old[4];
    for (size_t j = 0; j < 4; ++j) old[j] = load(streams + j * dim + d);
    for (size_t k = 0; k < 4; ++k) {
      Vec next = mul(splat(weights[k]), load(y + d));
      for (size_t j = 0; j < 4; ++j) next = fmadd(splat(mix[4 * j + k]), old[j], next);
      store(streams + k * dim + d, next);
    }
  }
}

void collapse(const float* streams, const float* pre, size_t dim, float* x) {
  for (size_t d = 0; d < dim; d += kLanes) {
    Vec total = mul(splat(pre[0]), load(streams + d));
    for (size_t h = 1; h < 4; ++h) total = fmadd(splat(pre[h]), load(streams + h * dim + d), total);
    store(x + d, total);
  }
}

// ---- Tables ----

template <class Values>
constexpr FormatKernels format_kernels(Format format) {
  return {format, decode<Values>, dot<Values>};
}

constexpr FormatKernels kFormats[] = {
    format_kernels<ValuesF32>(Format::kF32),         format_kernels<ValuesF16>(Format::kF16),
    format_kernels<ValuesBF16>(Format::kBF16),       format_kernels<ValuesQ8_0>(Format::kQ8_0),
    format_kernels<ValuesQ2_K>(Format::kQ2_K),       format_kernels<ValuesQ4_K>(Format::kQ4_K),
    format_kernels<ValuesIQ2_XXS>(Format::kIQ2_XXS), format_kernels<ValuesMXFP4>(Format::kMXFP4),
};

constexpr Kernels kKernels = {kFormats,
                              sizeof(kFormats) / sizeof(kFormats[0]),
                              multiply,
                              add_weighted_rows,
                              exponentials,
                              maximum,
                              sum_squares,
                              scale_values,
                              swiglu,
                              add_scaled,
                              add_weighted_relu,
                              expand,
                              collapse};

}  // namespace
}  // namespace halyard::cpu
