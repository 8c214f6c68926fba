// The CPU backend: weights decoded to float on the fly from where they lie, float activations. Class float32.
#pragma once
#include <memory>

#include "backend/backend.h"
#include "backend/cpu/instruction_set.h"

namespace halyard {

// The model outlives the backend; its tensors are in host memory. A result depends on its own token and the
// cache alone: it is bit-identical from run to run, for any number of threads and for every split of a
// sequence; the instruction sets differ in the last bits. Throws kUnsupported with the tensor's name for a
// format that has no kernels, and for a matrix whose input dimension is no multiple of 16.
std::unique_ptr<Backend> make_cpu_backend(const Model& model, const BackendOptions& options);

// The same with kernels of one of usable_instruction_sets(); the other function takes the best.
std::unique_ptr<Backend> make_cpu_backend_with(InstructionSet set, const Model& model,
                                               const BackendOptions& options);

}  // namespace halyard
