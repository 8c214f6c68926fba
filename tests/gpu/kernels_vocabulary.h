// What the kernels of kernels_vocabulary.cu take.
#pragma once
#include <stdint.h>

namespace halyard::gpu {

struct VocabularyArguments {
  static constexpr uint32_t kThreads = 64;
  void* y;
  const void* x;
  uint32_t n, reserved;
};
static_assert(sizeof(VocabularyArguments) == 24);

}  // namespace halyard::gpu
