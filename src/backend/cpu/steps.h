// The CPU backend's class, shared by the files that hold its steps.
#pragma once
#include <functional>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/floats.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/products.h"
#include "backend/cpu/weights.h"
#include "backend/math/rope.h"
#include "core/threads.h"

namespace halyard::cpu {

class CpuBackend final : public Backend {
 public:
  CpuBackend(const Model& model, const BackendOptions& options, const Kernels& kernels);

  std::string_view name() const override { return "cpu"; }
  uint32_t max_slice_tokens() const override { return options_.max_slice_tokens; }
  uint64_t scratch_bytes() const override;
  std::unique_ptr<KvCache> make_cache(uint64_t max_tokens) override;

  void embed(const Batch&) override;
  void collapse_norm(const Layer&, Sublayer) override;
  void project_qkv(const Layer&, KvCache&, const Batch&) override;
  void compress(const Layer&, KvCache&, const Batch&) override;
  void select(const Layer&, const KvCache&, const Batch&) override;
  void attend(const Layer&, const KvCache&, const Batch&) override;
  void attention_out_expand(const Layer&) override;
  void route(const Layer&, const Batch&) override;
  void experts_expand(const Layer&) override;
  void head(uint32_t n_last) override;
  std::span<const float> finish() override { return logits_; }
  std::vector<float> read(Activation) override;
  void write(Activation, std::span<const float>) override;

 private:
  using Loop = std::function<void(size_t i, unsigned thread)>;

  // A compressor of a layer with the state and the rows that it works on.
  struct CompressorTask {
    const SmallCompressor& weights;
    uint32_t dim;
    PartialWindow& overlap;
    RowStore& rows;
    bool indexer;
    Floats& kv;  // projections of the windows that end, [tokens][width]
    Floats& gate;
  };
  // What one token attends to, and a thread's room for its scores.
  struct Attended {
    std::vector<const float*> rows;  // raw rows, then compressed ones
    Floats gathered;                 // the compressed rows of a CSA layer
    Floats scores;                   // [heads][rows]
  };

  void each(size_t n, size_t grain, const Loop& body);  // body(i, thread) for every i < n, on all threads
  std::vector<const float*> rows_of(const float* data, size_t stride, size_t n) const;
  Product product(const Tensor& weights, std::span<const float* const> inputs, Floats& outputs) const;
  float rms_scale(const float* x, size_t n) const;
  void rms_norm(float* x, size_t n, const std::vector<float>& weight) const;
  void expand_token(size_t t, const float* y);
  const Rope& rope(const Layer& layer) const { return layer.ratio == 0 ? rope_window_ : rope_compressed_; }
  uint64_t n_visible(const Layer& layer, uint64_t position) const { return (position + 1) / layer.ratio; }

  void round_kv_row(std::span<float> row) const;
  void round_indexer(std::span<float> row) const;
  void load_window(const RowStore& ring, uint64_t first_position);
  void store_kv_row(RowStore& ring, uint64_t position, size_t t);
  void pool_windows(const Layer&, const CompressorTask&, uint64_t first_window, size_t n_windows);
  void finish_row(const CompressorTask&, uint64_t position, std::span<float> row) const;
  void score_rows(const Layer&, const RowStore& rows, uint64_t first_position);
  void select_best(const Layer&, uint64_t first_position, size_t begin, size_t end);
  void list_rows(const Layer&, uint64_t position, size_t t, Attended&) const;
  void gather_row(const RowStore& rows, size_t t, size_t i, Attended&) const;
  void attend_heads(const Layer&, size_t t, const RopeAngles&, const Attended&, size_t first_head,
                    size_t n_heads, Floats& scores);
  void choose_experts(const Layer&, const Batch&, size_t t);
  void sort_picks();

  const Model& model_;
  const ModelShape& shape_;
  BackendOptions options_;
  const Kernels& kernels_;
  ThreadPool pool_;
  Multiplier multiplier_;
  Rope rope_window_, rope_compressed_;
  std::vector<SmallWeights> small_;  // by layer
  SmallHyperConnection small_output_hc_;
  std::vector<float> output_norm_;

  // Scratch of the running batch; shapes as in Activation.
  size_t n_ = 0;
  Floats streams_, input_, expand_weights_, low_rank_query_, queries_, heads_, expert_weights_, logits_;
  std::vector<std::vector<uint32_t>> selection_;  // compressed rows of each token, ascending
  std::vector<uint32_t> experts_;

  // Within a step, or from one step to the next.
  Floats mix_;          // rows of fn: [n][24]
  Floats kv_;           // [n][head_dim]
  Floats window_rows_;  // raw rows: window - 1 before the batch, then the batch's own
  Floats whole_rows_;   // all compressed (HCA) or indexer (CSA) rows that the batch sees
  Floats compressor_kv_, compressor_gate_, indexer_kv_, indexer_gate_;
  Floats indexer_queries_, indexer_weights_, indexer_scores_;
  std::vector<Attended> attended_;  // by thread
  Floats low_rank_heads_, block_output_;
  Floats affinity_;  // [n][n_experts]

  // Picks are the pairs of a token and one of its experts, in the order of experts, then of tokens; the
  // shared expert's come last, one a token.
  std::vector<size_t> pick_begin_;  // first pick of each expert; at the end the number of routed picks
  std::vector<uint32_t> pick_token_;
  std::vector<size_t> token_picks_;  // [n][n_experts_used]: places of a token's picks, ascending
  Floats pick_weights_;
  Floats pick_gate_, pick_up_, pick_output_;
};

}  // namespace halyard::cpu
