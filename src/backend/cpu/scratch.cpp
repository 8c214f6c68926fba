#include "backend/cpu/scratch.h"

#include <algorithm>

#include "backend/cpu/products.h"

namespace halyard {
namespace {

constexpr uint64_t kMaxScores = uint64_t{32} << 20;  // of the indexer, kept at once (compressor_steps.cpp)

// Values for each token of a slice.
uint64_t token_values(const ModelShape& s) {
  const uint64_t n_picks = s.n_experts_used + 1;
  return s.streams_dim() + 2 * s.hidden + s.q_rank + 2 * s.heads_dim() + 6 * uint64_t{s.head_dim} +
         4 * uint64_t{s.indexer_dim} + uint64_t{s.indexer_heads} * s.indexer_dim +
         uint64_t{s.out_groups} * s.out_rank + s.n_experts + s.indexer_top_k +
         n_picks * (2 * uint64_t{s.expert_hidden} + s.hidden);
}

// Values that grow with the sequence: the rows of one layer as floats, what the indexer scores, and each
// thread's scores of a layer that attends to all its rows.
uint64_t sequence_values(const Model& model, uint32_t slice_tokens, uint64_t context_tokens,
                         unsigned n_threads) {
  const ModelShape& s = model.shape;
  uint64_t rows = 0, scores = 0, attended = 0;
  for (const Layer& layer : model.layers) {
    if (layer.ratio == 0) continue;
    const uint64_t n_rows = context_tokens / layer.ratio;
    if (layer.attention == Attention::kCompressedSparse) {
      rows = std::max(rows, n_rows * s.indexer_dim);
      const uint64_t at_once = std::max(n_rows, kMaxScores / std::max<uint64_t>(1, n_rows) * n_rows);
      scores = std::max(scores, std::min(at_once, slice_tokens * n_rows));
    } else {
      rows = std::max(rows, n_rows * s.head_dim);
      attended = std::max(attended, n_threads * n_rows * s.n_heads);
    }
  }
  return rows + scores + attended;
}

}  // namespace

uint64_t cpu_scratch_bytes(const Model& model, uint32_t slice_tokens, uint64_t context_tokens,
                           unsigned n_threads) {
  const ModelShape& s = model.shape;
  const uint64_t a_thread =
      (uint64_t{s.window} + s.indexer_top_k) * (uint64_t{s.head_dim} + s.n_heads) + cpu::kTileValues;
  const uint64_t fixed = uint64_t{s.window} * s.head_dim + s.vocab;
  return sizeof(float) * (token_values(s) * slice_tokens + a_thread * n_threads + fixed +
                          sequence_values(model, slice_tokens, context_tokens, n_threads));
}

}  // namespace halyard
