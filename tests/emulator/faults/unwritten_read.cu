// y[t] = x[63 - t] through LDS; y holds nothing before.
#include "arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

HALYARD_DEVICE void reverse_of(const FaultArguments& a, float* values, uint32_t n_written) {
  if (thread_in_block() < n_written) values[thread_in_block()] = a.x[thread_in_block()];
  block_barrier();
  a.y[thread_in_block()] = values[63 - thread_in_block()];
}

HALYARD_KERNEL(64) unwritten_read_right(const FaultArguments a) {
  HALYARD_LDS float values[64];
  reverse_of(a, values, 64);
}

// The last value of LDS is never written; thread 0 reads it.
HALYARD_KERNEL(64) unwritten_read_lds(const FaultArguments a) {
  HALYARD_LDS float values[64];
  reverse_of(a, values, 63);
}

// Adds to an output that nobody has cleared.
HALYARD_KERNEL(64) unwritten_read_global(const FaultArguments a) {
  a.y[thread_in_block()] += a.x[63 - thread_in_block()];
}

}  // namespace halyard::gpu
