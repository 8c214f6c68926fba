#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

// One pass keeps the largest exponent so far and the sum relative to it; a second one writes.
HALYARD_KERNEL(SoftmaxArguments::kThreads) softmax(const SoftmaxArguments a) {
  constexpr uint32_t kThreads = SoftmaxArguments::kThreads;
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLowest = -0x1.fffffep127f;  // finite, so that no difference is infinity minus infinity
  HALYARD_LDS float partial_max[kThreads / kWaveLanes];
  HALYARD_LDS float partial_sum[kThreads / kWaveLanes];
  const float* x = a.x + uint64_t{block_x()} * a.n;
  float* y = a.y + uint64_t{block_x()} * a.n;
  const float factor = a.scale * kLog2E;

  float top = kLowest, sum = 0.0f;
  for (uint32_t at = thread_in_block(); at < a.n; at += kThreads) {
    const float exponent = x[at] * factor;
    const float higher = __builtin_fmaxf(top, exponent);
    sum = sum * exp2_fast(top - higher) + exp2_fast(exponent - higher);
    top = higher;
  }
  float sink = kLowest;
  if (a.sink != nullptr) sink = a.sink[block_x() % a.n_sinks] * kLog2E;
  const float row_top = __builtin_fmaxf(block_reduce<Max>(top, partial_max), sink);
  float row_sum = block_reduce<Sum>(sum * exp2_fast(top - row_top), partial_sum);
  if (a.sink != nullptr) row_sum += exp2_fast(sink - row_top);
  const float inverse = reciprocal(row_sum);
  for (uint32_t at = thread_in_block(); at < a.n; at += kThreads)
    y[at] = exp2_fast(x[at] * factor - row_top) * inverse;
}

}  // namespace halyard::gpu
