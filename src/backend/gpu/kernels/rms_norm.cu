#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

HALYARD_DEVICE float sum_of_squares(Float4 v) {
  const Float4 squares = v * v;
  return (squares[0] + squares[1]) + (squares[2] + squares[3]);
}

HALYARD_DEVICE bool is_aligned16(const void* at) {
  return (reinterpret_cast<uintptr_t>(at) & 15) == 0;
}

// Rows in vectors of 16 bytes. The first ones of each thread stay in registers: a row of up to 4,096 values
// is read once.
HALYARD_DEVICE void rms_norm_vectors(const RmsNormArguments& a,
                                     float (&partial)[RmsNormArguments::kThreads / 32]) {
  constexpr uint32_t kThreads = RmsNormArguments::kThreads, kKept = 4;
  const uint32_t n_vectors = a.n / 4;
  const uint64_t row = uint64_t{block_x()} * n_vectors;
  const Float4* x = reinterpret_cast<const Float4*>(a.x) + row;
  const Float4* weight = reinterpret_cast<const Float4*>(a.weight);
  Float4* y = reinterpret_cast<Float4*>(a.y) + row;
  Float4 kept[kKept];
  float sum = 0.0f;
#pragma unroll
  for (uint32_t i = 0; i < kKept; ++i) {
    const uint32_t at = thread_in_block() + i * kThreads;
    kept[i] = at < n_vectors ? x[at] : Float4{0.0f, 0.0f, 0.0f, 0.0f};
  }
#pragma unroll
  for (uint32_t i = 0; i < kKept; ++i) sum += sum_of_squares(kept[i]);
  for (uint32_t at = thread_in_block() + kKept * kThreads; at < n_vectors; at += kThreads)
    sum += sum_of_squares(x[at]);

  const float mean = block_reduce<Sum>(sum, partial) * reciprocal(static_cast<float>(a.n));
  const float scale = reciprocal_sqrt(mean + a.epsilon);
  const auto store = [&](uint32_t at, Float4 value) {
    value *= scale;
    y[at] = weight == nullptr ? value : value * weight[at];
  };
#pragma unroll
  for (uint32_t i = 0; i < kKept; ++i) {
    const uint32_t at = thread_in_block() + i * kThreads;
    if (at < n_vectors) store(at, kept[i]);
  }
  for (uint32_t at = thread_in_block() + kKept * kThreads; at < n_vectors; at += kThreads) store(at, x[at]);
}

HALYARD_DEVICE void rms_norm_values(const RmsNormArguments& a,
                                    float (&partial)[RmsNormArguments::kThreads / 32]) {
  constexpr uint32_t kThreads = RmsNormArguments::kThreads;
  const float* x = a.x + uint64_t{block_x()} * a.n;
  float* y = a.y + uint64_t{block_x()} * a.n;
  float sum = 0.0f;
  for (uint32_t at = thread_in_block(); at < a.n; at += kThreads) sum += x[at] * x[at];
  const float mean = block_reduce<Sum>(sum, partial) * reciprocal(static_cast<float>(a.n));
  const float scale = reciprocal_sqrt(mean + a.epsilon);
  for (uint32_t at = thread_in_block(); at < a.n; at += kThreads) {
    const float value = x[at] * scale;
    y[at] = a.weight == nullptr ? value : value * a.weight[at];
  }
}

HALYARD_KERNEL(RmsNormArguments::kThreads) rms_norm(const RmsNormArguments a) {
  HALYARD_LDS float partial[RmsNormArguments::kThreads / kWaveLanes];
  if (a.n % 4 == 0 && is_aligned16(a.x) && is_aligned16(a.y) && is_aligned16(a.weight)) {
    rms_norm_vectors(a, partial);
  } else {
    rms_norm_values(a, partial);
  }
}

}  // namespace halyard::gpu
