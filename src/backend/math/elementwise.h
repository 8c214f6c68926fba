// Formulas on single values and vectors (spec B). Sums in double, results in float.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace halyard {

inline float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}

// Stable: log(1 + e^x), and x itself where they agree in float (B.11).
inline float softplus(float x) {
  return x > 20.0f ? x : std::log1p(std::exp(x));
}

// Clamped SwiGLU (B.12): silu(min(gate, c)) * clamp(up, -c, c). The gate is clamped from above only, before
// silu.
inline float swiglu(float gate, float up, float clamp) {
  const float g = std::min(gate, clamp);
  return g * sigmoid(g) * std::clamp(up, -clamp, clamp);
}

// 1 / sqrt(mean(x^2) + epsilon)
inline float rms_scale(std::span<const float> x, float epsilon) {
  double sum = 0;
  for (float v : x) sum += double{v} * v;
  return static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(x.size()) + epsilon));
}

// RMS(x, weight); an empty weight is RMS0. out may be x.
inline void rms_norm(std::span<const float> x, std::span<const float> weight, float epsilon, float* out) {
  const float scale = rms_scale(x, epsilon);
  for (size_t i = 0; i < x.size(); ++i) out[i] = x[i] * scale * (weight.empty() ? 1.0f : weight[i]);
}

}  // namespace halyard
