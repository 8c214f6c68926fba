// Scratch of a backend on a GPU: the activations that pass between steps, and what is needed within a step.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/model.h"

namespace halyard {

struct ScratchBuffer {
  std::string_view name;
  uint64_t bytes = 0;
};

// Indexer scores and logits are computed tile by tile: their buffers do not grow beyond these.
inline constexpr uint64_t kScoreTileBytes = uint64_t{128} << 20;
inline constexpr uint32_t kLogitRows = 128;

// Buffers for slices of up to `slice_tokens` tokens in a context of up to `context_tokens`.
std::vector<ScratchBuffer> device_scratch(const Model& model, uint32_t slice_tokens, uint64_t context_tokens);
uint64_t device_scratch_bytes(const Model& model, uint32_t slice_tokens, uint64_t context_tokens);

}  // namespace halyard
