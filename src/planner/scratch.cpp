#include "planner/scratch.h"

#include <algorithm>

#include "backend/activations.h"

namespace halyard {
namespace {

constexpr uint64_t kFloatBytes = 4, kIndexBytes = 4;

// Bytes of `n` values as 8-bit blocks of 32 with a scale of 16 bits: what a matrix product reads.
uint64_t q8_bytes(uint64_t n) {
  return (n + 31) / 32 * 34;
}

// Compressed rows that the largest layer of a kind has at the end of the context.
uint64_t most_rows(const Model& model, Attention kind, uint64_t context_tokens) {
  uint64_t rows = 0;
  for (const Layer& layer : model.layers) {
    if (layer.attention == kind && layer.ratio != 0) rows = std::max(rows, context_tokens / layer.ratio);
  }
  return rows;
}

bool has(const Model& model, Attention kind) {
  return std::any_of(model.layers.begin(), model.layers.end(),
                     [&](const Layer& layer) { return layer.attention == kind; });
}

}  // namespace

std::vector<ScratchBuffer> device_scratch(const Model& model, uint32_t slice_tokens,
                                          uint64_t context_tokens) {
  const ModelShape& s = model.shape;
  const uint64_t n = slice_tokens;
  const uint64_t n_picks = n * (uint64_t{s.n_experts_used} + 1);  // the shared expert's among them
  std::vector<ScratchBuffer> buffers;
  const auto add = [&](std::string_view name, uint64_t bytes) { buffers.push_back({name, bytes}); };

  // What passes from step to step.
  for (const ActivationRow& row : activation_rows(s)) {
    const uint64_t n_rows = row.activation == Activation::kLogits ? std::min<uint64_t>(n, kLogitRows) : n;
    add(row.name, n_rows * row.values * kFloatBytes);
  }

  // Attention: the row of each token before it is rounded, low ranks of the heads, the block's output.
  add("kv rows", n * s.head_dim * kFloatBytes);
  add("low-rank heads", n * s.out_groups * s.out_rank * kFloatBytes);
  add("block output", n * s.hidden * kFloatBytes);
  const bool sparse = has(model, Attention::kCompressedSparse);
  if (sparse || has(model, Attention::kHeavilyCompressed)) {
    // kv and gate, both halves where a layer has two.
    const uint64_t width = sparse ? 2 * (uint64_t{s.head_dim} + s.indexer_dim) : s.head_dim;
    add("compressor projections", n * 2 * width * kFloatBytes);
  }
  if (sparse) {
    add("indexer queries", n * s.indexer_heads * s.indexer_dim * kFloatBytes);
    add("indexer weights", n * s.indexer_heads * kFloatBytes);
    const uint64_t token = most_rows(model, Attention::kCompressedSparse, context_tokens) * kFloatBytes;
    add("indexer scores", std::min(n * token, std::max(token, kScoreTileBytes)));
  }

  // Feed-forward: picks sorted by expert, the experts' rows, and their outputs, which are summed in the order
  // of a token's picks.
  add("affinities", n * s.n_experts * kFloatBytes);
  add("sorted picks", (3 * n_picks + s.n_experts + 2) * kIndexBytes);
  add("expert gate rows", n_picks * s.expert_hidden * kFloatBytes);
  add("expert up rows", n_picks * s.expert_hidden * kFloatBytes);
  add("expert outputs", n_picks * s.hidden * kFloatBytes);

  // The widest input of a product, rounded to 8 bits.
  const uint64_t widest = std::max({s.heads_dim(), s.streams_dim(), uint64_t{s.out_groups} * s.out_rank});
  add("8-bit inputs", std::max(n * q8_bytes(widest), n_picks * q8_bytes(s.expert_hidden)));
  return buffers;
}

uint64_t device_scratch_bytes(const Model& model, uint32_t slice_tokens, uint64_t context_tokens) {
  uint64_t bytes = 0;
  for (const ScratchBuffer& buffer : device_scratch(model, slice_tokens, context_tokens))
    bytes += buffer.bytes;
  return bytes;
}

}  // namespace halyard
