// The judge of the other backends: each step written from the small formulas of backend/math, in float32 with
// sums in double. Class float32; bit-identical for every split of a sequence and every number of threads.
#pragma once
#include <memory>

#include "backend/backend.h"

namespace halyard {

// The model outlives the backend; its tensors are in host memory. Throws kUnsupported with the tensor's name
// for a format without a decoder.
std::unique_ptr<Backend> make_reference_backend(const Model& model, const BackendOptions& options);

}  // namespace halyard
