// What the kernels of this folder take: each file has one kernel ..._right and others with a fault planted.
// Launched as one block of 64 threads, two waves; the host and the device both see this.
#pragma once
#include <stdint.h>

namespace halyard::gpu {

struct FaultArguments {
  static constexpr uint32_t kThreads = 64;
  float* y;
  const float* x;
  uint32_t n_rows, n;
};
static_assert(sizeof(FaultArguments) == 24);

}  // namespace halyard::gpu
