// y[t] = x[63 - t], through LDS: each wave reads what the other one wrote.
#include "arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

template <bool kBarrier>
HALYARD_DEVICE void reverse(const FaultArguments& a, float* values) {
  values[thread_in_block()] = a.x[thread_in_block()];
  if (kBarrier) block_barrier();
  a.y[thread_in_block()] = values[63 - thread_in_block()];
}

HALYARD_KERNEL(64) missing_barrier_right(const FaultArguments a) {
  HALYARD_LDS float values[64];
  reverse<true>(a, values);
}

HALYARD_KERNEL(64) missing_barrier_wrong(const FaultArguments a) {
  HALYARD_LDS float values[64];
  reverse<false>(a, values);
}

// The second round overwrites what a slower wave may still read.
HALYARD_KERNEL(64) missing_barrier_reuse(const FaultArguments a) {
  HALYARD_LDS float values[64];
  float sum = 0.0f;
  for (uint32_t round = 0; round < 2; ++round) {
    values[thread_in_block()] = a.x[thread_in_block()] * 0.5f;
    block_barrier();
    sum += values[63 - thread_in_block()];
  }
  a.y[thread_in_block()] = sum;
}

}  // namespace halyard::gpu
