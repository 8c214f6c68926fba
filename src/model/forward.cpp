#include "model/forward.h"

#include <algorithm>
#include <string>

#include "halyard/error.h"

namespace halyard {
namespace {

void attention(Backend& on, const Layer& layer, KvCache& cache, const Batch& batch) {
  on.collapse_norm(layer, Sublayer::kAttention);
  on.project_qkv(layer, cache, batch);
  if (layer.attention != Attention::kWindow) on.compress(layer, cache, batch);
  if (layer.attention == Attention::kCompressedSparse) on.select(layer, cache, batch);
  on.attend(layer, cache, batch);
  on.attention_out_expand(layer);
}

void feed_forward(Backend& on, const Layer& layer, const Batch& batch) {
  on.collapse_norm(layer, Sublayer::kFeedForward);
  on.route(layer, batch);
  on.experts_expand(layer);
}

void check(const Backend& backend, const Model& model, const KvCache& cache, const Batch& batch,
           uint32_t n_last) {
  const size_t n = batch.tokens.size();
  const auto refuse = [&](const std::string& problem, const std::string& fix) {
    throw Error(ErrorCode::kUsage, problem, "position " + std::to_string(batch.first_position), fix);
  };
  if (n == 0 || n > backend.max_slice_tokens() || n_last > n) {
    refuse("a slice of " + std::to_string(n) + " tokens with " + std::to_string(n_last) + " logits",
           "pass 1 to " + std::to_string(backend.max_slice_tokens()) + " tokens");
  }
  if (batch.first_position != cache.n_tokens()) {
    refuse("the cache holds " + std::to_string(cache.n_tokens()) + " tokens", "continue where it ends");
  }
  if (n > cache.max_tokens() - cache.n_tokens()) {
    refuse("the context of " + std::to_string(cache.max_tokens()) + " tokens is full", "use a larger --ctx");
  }
  for (int32_t token : batch.tokens) {
    if (token < 0 || static_cast<uint32_t>(token) >= model.shape.vocab) {
      refuse("token " + std::to_string(token) + " is not in the vocabulary",
             "pass ids from 0 to " + std::to_string(model.shape.vocab - 1));
    }
  }
}

}  // namespace

std::span<const float> forward(Backend& backend, const Model& model, KvCache& cache, const Batch& batch,
                               uint32_t n_last, const LayerObserver& after_layer) {
  check(backend, model, cache, batch, n_last);
  backend.embed(batch);
  for (const Layer& layer : model.layers) {
    attention(backend, layer, cache, batch);
    feed_forward(backend, layer, batch);
    if (after_layer) after_layer(layer, backend);
  }
  if (n_last > 0) backend.head(n_last);
  const std::span<const float> logits = backend.finish();
  cache.advance(batch.tokens.size());
  return n_last > 0 ? logits : std::span<const float>{};
}

}  // namespace halyard
