#include "backend/reference/reference_backend.h"

#include <algorithm>

#include "backend/math/elementwise.h"
#include "backend/math/hyper_connection.h"
#include "backend/reference/matmul.h"
#include "backend/reference/steps.h"

namespace halyard {
namespace reference {

ReferenceBackend::ReferenceBackend(const Model& model, const BackendOptions& options)
    : model_(model),
      shape_(model.shape),
      options_(options),
      pool_(options.n_threads),
      rope_window_(model.shape, false),
      rope_compressed_(model.shape, true) {}

uint64_t ReferenceBackend::scratch_bytes() const {
  const ModelShape& s = shape_;
  const uint64_t values =
      s.streams_dim() + s.hidden * 3 + s.q_rank + 2 * s.heads_dim() + s.head_dim + s.vocab;
  return sizeof(float) * (values * options_.max_slice_tokens + uint64_t{s.window} * s.head_dim);
}

std::unique_ptr<KvCache> ReferenceBackend::make_cache(uint64_t max_tokens) {
  return std::make_unique<HostKvCache>(model_, options_.cache_rounding, max_tokens);
}

void ReferenceBackend::embed(const Batch& batch) {
  n_ = batch.tokens.size();
  streams_.resize(n_ * shape_.streams_dim());
  for (size_t t = 0; t < n_; ++t) {
    const std::vector<float> row = decode_row(model_.token_embedding, static_cast<uint64_t>(batch.tokens[t]));
    for (uint32_t h = 0; h < kHyperStreams; ++h) {
      std::copy(row.begin(), row.end(), streams_.data() + (t * kHyperStreams + h) * shape_.hidden);
    }
  }
}

void ReferenceBackend::collapse_norm(const Layer& layer, Sublayer sublayer) {
  const bool attention = sublayer == Sublayer::kAttention;
  const HyperConnection& hc = attention ? layer.hc_attn : layer.hc_ffn;
  const std::vector<float> scale = decode_all(hc.scale), base = decode_all(hc.base);
  const std::vector<float> norm = decode_all(attention ? layer.attn_norm : layer.ffn_norm);
  const size_t dim = shape_.streams_dim(), hidden = shape_.hidden;

  std::vector<float> normed(streams_.size());
  for (size_t t = 0; t < n_; ++t) {
    rms_norm({&streams_[t * dim], dim}, {}, shape_.rms_epsilon, &normed[t * dim]);
  }
  const std::vector<float> mix = matmul(pool_, hc.fn, normed);
  input_.resize(n_ * hidden);
  expand_weights_.resize(n_ * (kHyperStreams + kHyperStreams * kHyperStreams));
  for (size_t t = 0; t < n_; ++t) {
    const HyperWeights w = hyper_weights({&mix[t * kHyperMix], kHyperMix}, scale, base,
                                         shape_.sinkhorn_iterations, shape_.hc_epsilon);
    const std::span<float> x{&input_[t * hidden], hidden};
    collapse({&streams_[t * dim], dim}, w.pre, x);
    rms_norm(x, norm, shape_.rms_epsilon, x.data());
    float* out = &expand_weights_[t * (kHyperStreams + kHyperStreams * kHyperStreams)];
    std::copy(w.mix.begin(), w.mix.end(), std::copy(w.post.begin(), w.post.end(), out));
  }
}

void ReferenceBackend::expand_streams(std::span<const float> y) {
  const size_t dim = shape_.streams_dim(), hidden = shape_.hidden;
  for (size_t t = 0; t < n_; ++t) {
    const float* w = &expand_weights_[t * (kHyperStreams + kHyperStreams * kHyperStreams)];
    expand({&streams_[t * dim], dim}, y.subspan(t * hidden, hidden),
           std::span<const float, kHyperStreams>{w, kHyperStreams},
           std::span<const float, kHyperStreams * kHyperStreams>{w + kHyperStreams,
                                                                 kHyperStreams * kHyperStreams});
  }
}

void ReferenceBackend::head(uint32_t n_last) {
  const size_t dim = shape_.streams_dim(), hidden = shape_.hidden;
  const std::vector<float> scale = decode_all(model_.output_hc.scale),
                           base = decode_all(model_.output_hc.base);
  const std::vector<float> norm = decode_all(model_.output_norm);
  const std::span<const float> last{&streams_[(n_ - n_last) * dim], n_last * dim};

  std::vector<float> normed(last.size()), x(n_last * hidden);
  for (size_t t = 0; t < n_last; ++t)
    rms_norm(last.subspan(t * dim, dim), {}, shape_.rms_epsilon, &normed[t * dim]);
  const std::vector<float> mix = matmul(pool_, model_.output_hc.fn, normed);
  for (size_t t = 0; t < n_last; ++t) {
    const auto pre =
        hyper_head_weights({&mix[t * kHyperStreams], kHyperStreams}, scale[0], base, shape_.hc_epsilon);
    const std::span<float> row{&x[t * hidden], hidden};
    collapse(last.subspan(t * dim, dim), pre, row);
    rms_norm(row, norm, shape_.rms_epsilon, row.data());
  }
  logits_ = matmul(pool_, model_.output, x);
}

std::vector<float> ReferenceBackend::read(Activation what) {
  switch (what) {
    case Activation::kStreams:
      return streams_;
    case Activation::kInput:
      return input_;
    case Activation::kExpandWeights:
      return expand_weights_;
    case Activation::kLowRankQuery:
      return low_rank_query_;
    case Activation::kQueries:
      return queries_;
    case Activation::kHeads:
      return heads_;
    case Activation::kExpertWeights:
      return expert_weights_;
    case Activation::kLogits:
      return logits_;
    case Activation::kExperts:
      return {experts_.begin(), experts_.end()};
    case Activation::kSelection:
      break;
  }
  std::vector<float> rows(selection_.size() * shape_.indexer_top_k, -1.0f);
  for (size_t t = 0; t < selection_.size(); ++t) {
    std::copy(selection_[t].begin(), selection_[t].end(), &rows[t * shape_.indexer_top_k]);
  }
  return rows;
}

void ReferenceBackend::write(Activation what, std::span<const float> values) {
  const auto assign = [&](std::vector<float>& to, uint64_t a_token) {
    n_ = values.size() / a_token;
    to.assign(values.begin(), values.end());
  };
  switch (what) {
    case Activation::kStreams:
      return assign(streams_, shape_.streams_dim());
    case Activation::kInput:
      return assign(input_, shape_.hidden);
    case Activation::kExpandWeights:
      return assign(expand_weights_, kHyperStreams + kHyperStreams * kHyperStreams);
    case Activation::kLowRankQuery:
      return assign(low_rank_query_, shape_.q_rank);
    case Activation::kQueries:
      return assign(queries_, shape_.heads_dim());
    case Activation::kHeads:
      return assign(heads_, shape_.heads_dim());
    case Activation::kExpertWeights:
      return assign(expert_weights_, shape_.n_experts_used);
    case Activation::kLogits:
      return assign(logits_, shape_.vocab);
    case Activation::kExperts:
      n_ = values.size() / shape_.n_experts_used;
      experts_.assign(values.begin(), values.end());
      return;
    case Activation::kSelection:
      break;
  }
  n_ = values.size() / shape_.indexer_top_k;
  selection_.assign(n_, {});
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0) selection_[i / shape_.indexer_top_k].push_back(static_cast<uint32_t>(values[i]));
  }
}

}  // namespace reference

std::unique_ptr<Backend> make_reference_backend(const Model& model, const BackendOptions& options) {
  return std::make_unique<reference::ReferenceBackend>(model, options);
}

}  // namespace halyard
