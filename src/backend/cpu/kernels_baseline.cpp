#define HALYARD_SIMD_HEADER "backend/cpu/simd_baseline.h"
#include "backend/cpu/kernels_body.h"

namespace halyard::cpu {

const Kernels& baseline_kernels() {
  return kKernels;
}

}  // namespace halyard::cpu
