// The inner loops, as a table of functions for each instruction set. The files kernels_*.cpp are compiled
// with flags of their own, so they hold no function that another file might share: an inline function or
// template with external linkage, compiled for AVX2, could be the copy that the linker keeps for all. Hence
// plain pointers here.
//
// Dimensions `n_values` and `dim` are multiples of kValueMultiple. Every sum runs in a fixed order that
// depends on its own operands only. `count` may be any number.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/quant.h"

namespace halyard::cpu {

inline constexpr size_t kValueMultiple = 16;

struct FormatKernels {
  Format format;
  void (*decode)(const std::byte* row, float* out, size_t n_values);
  // y[r] = W[r] . x for n_rows rows, one every row_bytes; the sums are those of decode and multiply.
  void (*dot)(const std::byte* rows, size_t row_bytes, size_t n_rows, const float* x, size_t n_values,
              float* y);
};

struct Kernels {
  const FormatKernels* formats;
  size_t n_formats;

  // y[t * stride + r] = rows[r] . x[t]
  void (*multiply)(const float* const* rows, size_t n_rows, const float* const* x, size_t n_x,
                   size_t n_values, float* y, size_t stride);
  // out[h * dim + d] += sum_r weights[h * weights_stride + r] rows[r][d]
  void (*add_weighted_rows)(const float* const* rows, size_t n_rows, size_t dim, const float* weights,
                            size_t weights_stride, size_t n_heads, float* out);
  // x[i] = exp(scale x[i] - max) with max >= scale x[i]; the sum is returned.
  float (*exponentials)(float* x, size_t count, float scale, float max);
  float (*maximum)(const float* x, size_t count);  // count > 0
  float (*sum_squares)(const float* x, size_t n_values);
  // out[i] = x[i] * scale * weight[i]; weight may be null, out may be x.
  void (*scale)(const float* x, float scale, const float* weight, size_t n_values, float* out);
  void (*swiglu)(float* gate, const float* up, float clamp, size_t n_values);  // gate = swiglu(gate, up)
  void (*add_scaled)(float* to, float scale, const float* from, size_t n_values);
  // scores[i] += weight max(products[i], 0)
  void (*add_weighted_relu)(float* scores, float weight, const float* products, size_t count);
  // Spec B.4, in place: X'[k] = post[k] y + sum_j mix[4 j + k] X[j]; streams [4][dim], weights post[4],
  // mix[16].
  void (*expand)(float* streams, const float* y, const float* weights, size_t dim);
  // x = sum_h pre[h] X[h]
  void (*collapse)(const float* streams, const float* pre, size_t dim, float* x);
};

const Kernels& baseline_kernels();
const Kernels& avx2_kernels();
const Kernels& avx512_kernels();

// The codebook of IQ2_XXS as floats, and its signs as bits to flip: eight values an entry.
extern const float* const kIq2Magnitudes;  // [256][8]
extern const float* const kIq2SignBits;    // [128][8]: 0.0 or -0.0

}  // namespace halyard::cpu
