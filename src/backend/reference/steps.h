// The reference backend's class, shared by the files that hold its steps.
#pragma once
#include <vector>

#include "backend/backend.h"
#include "backend/math/rope.h"
#include "core/threads.h"

namespace halyard::reference {

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend(const Model& model, const BackendOptions& options);

  std::string_view name() const override { return "reference"; }
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
  // A compressor of a layer with the state and the rows that it works on.
  struct CompressorTask {
    const Compressor& weights;
    uint32_t dim;
    PartialWindow& overlap;
    RowStore& rows;
    bool indexer;
  };
  void compress_windows(const Layer&, const CompressorTask&, std::span<const float> inputs,
                        uint64_t first_window, uint64_t n_windows);
  void finish_row(const CompressorTask&, uint64_t position, std::span<float> row) const;
  void round_kv_row(std::span<float> row) const;
  void round_indexer(std::span<float> row) const;
  void attend_token(const Layer&, const HostKvCache&, uint64_t first_position, size_t t);
  void add_expert(const Layer&, uint32_t expert, std::vector<float>& sum);
  void expand_streams(std::span<const float> y);
  const Rope& rope(const Layer& layer) const { return layer.ratio == 0 ? rope_window_ : rope_compressed_; }

  const Model& model_;
  const ModelShape& shape_;
  BackendOptions options_;
  ThreadPool pool_;
  Rope rope_window_, rope_compressed_;

  // Scratch of the running batch; shapes as in Activation.
  size_t n_ = 0;
  std::vector<float> streams_, input_, expand_weights_, low_rank_query_, queries_, heads_, expert_weights_,
      logits_;
  std::vector<float> window_rows_;  // raw rows: window - 1 before the batch, then the batch's own
  std::vector<std::vector<uint32_t>> selection_;  // compressed rows of each token, ascending
  std::vector<uint32_t> experts_;
};

}  // namespace halyard::reference
