#define HALYARD_SIMD_HEADER "backend/cpu/simd_avx512.h"
#include "backend/cpu/kernels_body.h"

namespace halyard::cpu {

const Kernels& avx512_kernels() {
  return kKernels;
}

}  // namespace halyard::cpu
