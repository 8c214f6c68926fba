// START HERE. The whole model: one slice of tokens, from embedding to logits, over the steps of a backend.
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "backend/backend.h"

namespace halyard {

// Called after each layer, for tests that look for the first layer that differs.
using LayerObserver = std::function<void(const Layer& layer, Backend& backend)>;

// Evaluates `batch` behind what `cache` holds and returns the logits [n_last][vocab] of its last n_last
// tokens (0 to all of them); they live until the next call. The same code serves prefill slices and single
// tokens, on every backend. batch.first_position is cache.n_tokens(); tokens are below vocab and fit the
// cache and the backend's slice: else Error(kUsage).
std::span<const float> forward(Backend& backend, const Model& model, KvCache& cache, const Batch& batch,
                               uint32_t n_last, const LayerObserver& after_layer = {});

}  // namespace halyard
