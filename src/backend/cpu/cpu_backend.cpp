#include "backend/cpu/cpu_backend.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "backend/cpu/scratch.h"
#include "backend/cpu/steps.h"
#include "backend/math/hyper_connection.h"
#include "platform/cpu_features.h"

namespace halyard {
namespace cpu {

constexpr size_t kExpandWeights = kHyperStreams + kHyperStreams * kHyperStreams;

CpuBackend::CpuBackend(const Model& model, const BackendOptions& options, const Kernels& kernels)
    : model_(model),
      shape_(model.shape),
      options_(options),
      kernels_(kernels),
      pool_(options.n_threads != 0 ? options.n_threads : usable_cores()),
      multiplier_(kernels, pool_),
      rope_window_(model.shape, false),
      rope_compressed_(model.shape, true),
      small_output_hc_{decode_small(model.output_hc.scale), decode_small(model.output_hc.base)},
      output_norm_(decode_small(model.output_norm)),
      attended_(pool_.size()) {
  check_matrices(model, kernels);
  find_decoder(model.token_embedding);
  for (const Layer& layer : model.layers) {
    small_.push_back(decode_small(layer));
    if (layer.hash_routed) find_decoder(layer.token_experts);
  }
}

uint64_t CpuBackend::scratch_bytes() const {
  return cpu_scratch_bytes(model_, options_.max_slice_tokens, 0, pool_.size());
}

std::unique_ptr<KvCache> CpuBackend::make_cache(uint64_t max_tokens) {
  return std::make_unique<HostKvCache>(model_, options_.cache_rounding, max_tokens);
}

void CpuBackend::each(size_t n, size_t grain, const Loop& body) {
  pool_.parallel_for(n, grain, [&](size_t begin, size_t end, unsigned thread) {
    for (size_t i = begin; i < end; ++i) body(i, thread);
  });
}

std::vector<const float*> CpuBackend::rows_of(const float* data, size_t stride, size_t n) const {
  std::vector<const float*> rows(n);
  for (size_t i = 0; i < n; ++i) rows[i] = data + i * stride;
  return rows;
}

// All rows of a tensor, the outputs packed.
Product CpuBackend::product(const Tensor& weights, std::span<const float* const> inputs,
                            Floats& outputs) const {
  const uint64_t n_rows = weights.n_rows();
  outputs.resize(inputs.size() * n_rows);
  return {&weights, 0, n_rows, inputs, outputs.data(), n_rows};
}

// 1 / sqrt(mean(x^2) + epsilon)
float CpuBackend::rms_scale(const float* x, size_t n) const {
  const double mean = double{kernels_.sum_squares(x, n)} / static_cast<double>(n);
  return static_cast<float>(1.0 / std::sqrt(mean + shape_.rms_epsilon));
}

// An empty weight is RMS0.
void CpuBackend::rms_norm(float* x, size_t n, const std::vector<float>& weight) const {
  kernels_.scale(x, rms_scale(x, n), weight.empty() ? nullptr : weight.data(), n, x);
}

void CpuBackend::embed(const Batch& batch) {
  n_ = batch.tokens.size();
  streams_.resize(n_ * shape_.streams_dim());
  const Tensor& embedding = model_.token_embedding;
  const FormatInfo& format = find_decoder(embedding);
  each(n_, 1, [&](size_t t, unsigned) {
    float* first = &streams_[t * shape_.streams_dim()];
    format.decode(embedding.data + static_cast<uint64_t>(batch.tokens[t]) * embedding.row_bytes(), first,
                  shape_.hidden);
    for (uint32_t h = 1; h < kHyperStreams; ++h) std::copy_n(first, shape_.hidden, first + h * shape_.hidden);
  });
}

// fn . RMS0(X) is computed as RMS0's scale times fn . X.
void CpuBackend::collapse_norm(const Layer& layer, Sublayer sublayer) {
  const SmallWeights& small = small_[layer.index];
  const bool attention = sublayer == Sublayer::kAttention;
  const SmallHyperConnection& hc = attention ? small.hc_attn : small.hc_ffn;
  const size_t dim = shape_.streams_dim(), hidden = shape_.hidden;
  const std::vector<const float*> streams = rows_of(streams_.data(), dim, n_);
  multiplier_.run(std::array{product(attention ? layer.hc_attn.fn : layer.hc_ffn.fn, streams, mix_)});

  input_.resize(n_ * hidden);
  expand_weights_.resize(n_ * kExpandWeights);
  each(n_, 1, [&](size_t t, unsigned) {
    const std::span<float> mix{&mix_[t * kHyperMix], kHyperMix};
    const float scale = rms_scale(streams[t], dim);
    for (float& m : mix) m *= scale;
    const HyperWeights w =
        hyper_weights(mix, hc.scale, hc.base, shape_.sinkhorn_iterations, shape_.hc_epsilon);
    kernels_.collapse(streams[t], w.pre.data(), hidden, &input_[t * hidden]);
    rms_norm(&input_[t * hidden], hidden, attention ? small.attn_norm : small.ffn_norm);
    std::copy(w.mix.begin(), w.mix.end(),
              std::copy(w.post.begin(), w.post.end(), &expand_weights_[t * kExpandWeights]));
  });
}

void CpuBackend::expand_token(size_t t, const float* y) {
  kernels_.expand(&streams_[t * shape_.streams_dim()], y, &expand_weights_[t * kExpandWeights],
                  shape_.hidden);
}

void CpuBackend::head(uint32_t n_last) {
  const size_t dim = shape_.streams_dim(), hidden = shape_.hidden;
  const std::vector<const float*> streams = rows_of(&streams_[(n_ - n_last) * dim], dim, n_last);
  multiplier_.run(std::array{product(model_.output_hc.fn, streams, mix_)});
  block_output_.resize(n_last * hidden);
  each(n_last, 1, [&](size_t t, unsigned) {
    const std::span<float> mix{&mix_[t * kHyperStreams], kHyperStreams};
    const float scale = rms_scale(streams[t], dim);
    for (float& m : mix) m *= scale;
    const auto pre =
        hyper_head_weights(mix, small_output_hc_.scale[0], small_output_hc_.base, shape_.hc_epsilon);
    kernels_.collapse(streams[t], pre.data(), hidden, &block_output_[t * hidden]);
    rms_norm(&block_output_[t * hidden], hidden, output_norm_);
  });
  const std::vector<const float*> inputs = rows_of(block_output_.data(), hidden, n_last);
  multiplier_.run(std::array{product(model_.output, inputs, logits_)});
}

std::vector<float> CpuBackend::read(Activation what) {
  const auto copy = [](const auto& from) { return std::vector<float>(from.begin(), from.end()); };
  switch (what) {
    case Activation::kStreams:
      return copy(streams_);
    case Activation::kInput:
      return copy(input_);
    case Activation::kExpandWeights:
      return copy(expand_weights_);
    case Activation::kLowRankQuery:
      return copy(low_rank_query_);
    case Activation::kQueries:
      return copy(queries_);
    case Activation::kHeads:
      return copy(heads_);
    case Activation::kExperts:
      return copy(experts_);
    case Activation::kExpertWeights:
      return copy(expert_weights_);
    case Activation::kLogits:
      return copy(logits_);
    case Activation::kSelection:
      break;
  }
  std::vector<float> rows(selection_.size() * shape_.indexer_top_k, -1.0f);
  for (size_t t = 0; t < selection_.size(); ++t)
    std::copy(selection_[t].begin(), selection_[t].end(), &rows[t * shape_.indexer_top_k]);
  return rows;
}

void CpuBackend::write(Activation what, std::span<const float> values) {
  const auto assign = [&](auto& to, uint64_t a_token) {
    n_ = values.size() / a_token;
    to.assign(values.begin(), values.end());
  };
  switch (what) {
    case Activation::kStreams:
      return assign(streams_, shape_.streams_dim());
    case Activation::kInput:
      return assign(input_, shape_.hidden);
    case Activation::kExpandWeights:
      return assign(expand_weights_, kExpandWeights);
    case Activation::kLowRankQuery:
      return assign(low_rank_query_, shape_.q_rank);
    case Activation::kQueries:
      return assign(queries_, shape_.heads_dim());
    case Activation::kHeads:
      return assign(heads_, shape_.heads_dim());
    case Activation::kExperts:
      return assign(experts_, shape_.n_experts_used);
    case Activation::kExpertWeights:
      return assign(expert_weights_, shape_.n_experts_used);
    case Activation::kLogits:
      return assign(logits_, shape_.vocab);
    case Activation::kSelection:
      break;
  }
  n_ = values.size() / shape_.indexer_top_k;
  selection_.assign(n_, {});
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0) selection_[i / shape_.indexer_top_k].push_back(static_cast<uint32_t>(values[i]));
  }
}

}  // namespace cpu

std::unique_ptr<Backend> make_cpu_backend_with(InstructionSet set, const Model& model,
                                               const BackendOptions& options) {
  const cpu::Kernels& kernels = set == InstructionSet::kAvx512 ? cpu::avx512_kernels()
                                : set == InstructionSet::kAvx2 ? cpu::avx2_kernels()
                                                               : cpu::baseline_kernels();
  return std::make_unique<cpu::CpuBackend>(model, options, kernels);
}

std::unique_ptr<Backend> make_cpu_backend(const Model& model, const BackendOptions& options) {
  return make_cpu_backend_with(usable_instruction_sets().back(), model, options);
}

}  // namespace halyard
