// What the CPU backend takes beside weights and cache, from the model's shape alone: for plans, before there
// is a backend.
#pragma once
#include <cstdint>

#include "backend/model.h"

namespace halyard {

// With slices of up to slice_tokens in sequences of up to context_tokens. context_tokens 0: without what
// grows with the sequence.
uint64_t cpu_scratch_bytes(const Model& model, uint32_t slice_tokens, uint64_t context_tokens,
                           unsigned n_threads);

}  // namespace halyard
