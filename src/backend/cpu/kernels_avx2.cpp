#define HALYARD_SIMD_HEADER "backend/cpu/simd_avx2.h"
#include "backend/cpu/kernels_body.h"

namespace halyard::cpu {

const Kernels& avx2_kernels() {
  return kKernels;
}

}  // namespace halyard::cpu
