#include "models/builtin_model.h"

extern "C" {
extern const std::byte halyard_builtin_model_begin[], halyard_builtin_model_end[];
}

namespace halyard {

std::span<const std::byte> builtin_model() {
  return {halyard_builtin_model_begin, halyard_builtin_model_end};
}

}  // namespace halyard
