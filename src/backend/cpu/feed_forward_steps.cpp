// The feed-forward half of a layer: route, experts_expand.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "backend/cpu/steps.h"
#include "backend/math/elementwise.h"
#include "backend/math/routing.h"
#include "halyard/error.h"

namespace halyard::cpu {
namespace {

// The experts of a token in a hash-routed layer: the ids of its row in the file.
std::vector<uint32_t> hashed_experts(const Layer& layer, int32_t token, uint32_t n_experts) {
  const Tensor& table = layer.token_experts;
  std::vector<float> ids(table.row_values());
  find_decoder(table).decode(table.data + static_cast<uint64_t>(token) * table.row_bytes(), ids.data(),
                             ids.size());
  std::vector<uint32_t> chosen;
  for (float id : ids) {
    if (!(id >= 0 && id < static_cast<float>(n_experts))) {
      throw Error(ErrorCode::kBadFile, "an expert id outside 0.." + std::to_string(n_experts - 1),
                  table.name + ", token " + std::to_string(token), "fetch the file again");
    }
    chosen.push_back(static_cast<uint32_t>(id));
  }
  return chosen;
}

}  // namespace

// Spec B.11.
void CpuBackend::route(const Layer& layer, const Batch& batch) {
  const std::vector<const float*> inputs = rows_of(input_.data(), shape_.hidden, n_);
  multiplier_.run(std::array{product(layer.router, inputs, affinity_)});
  experts_.resize(n_ * shape_.n_experts_used);
  expert_weights_.resize(experts_.size());
  each(n_, 1, [&](size_t t, unsigned) { choose_experts(layer, batch, t); });
}

// The bias takes part in the choice only, not in the weights.
void CpuBackend::choose_experts(const Layer& layer, const Batch& batch, size_t t) {
  const std::span<float> p{&affinity_[t * shape_.n_experts], shape_.n_experts};
  for (float& v : p) v = std::sqrt(softplus(v));
  std::vector<uint32_t> chosen;
  if (layer.hash_routed) {
    chosen = hashed_experts(layer, batch.tokens[t], shape_.n_experts);
  } else {
    std::vector<float> scores = small_[layer.index].router_bias;
    for (size_t e = 0; e < scores.size(); ++e) scores[e] += p[e];
    chosen = top_k(scores, shape_.n_experts_used);
  }
  const size_t first = t * shape_.n_experts_used;
  expert_weights(p, chosen, shape_.expert_weights_scale, &expert_weights_[first]);
  std::copy(chosen.begin(), chosen.end(), &experts_[first]);
}

// Groups the picks by expert. Within a token they stay in ascending order of experts, so that its sum does
// not depend on its neighbours.
void CpuBackend::sort_picks() {
  const size_t n_used = shape_.n_experts_used;
  pick_begin_.assign(shape_.n_experts + 1, 0);
  for (uint32_t e : experts_) ++pick_begin_[e + 1];
  for (size_t e = 0; e < shape_.n_experts; ++e) pick_begin_[e + 1] += pick_begin_[e];

  pick_token_.resize(experts_.size());
  pick_weights_.resize(experts_.size());
  token_picks_.resize(experts_.size());
  std::vector<size_t> next(pick_begin_.begin(), pick_begin_.end() - 1);
  for (size_t i = 0; i < experts_.size(); ++i) {
    const size_t place = next[experts_[i]]++;
    pick_token_[place] = static_cast<uint32_t>(i / n_used);
    pick_weights_[place] = expert_weights_[i];
  }
  std::vector<size_t> n_listed(n_, 0);
  for (size_t place = 0; place < pick_token_.size(); ++place) {
    const size_t t = pick_token_[place];
    token_picks_[t * n_used + n_listed[t]++] = place;
  }
}

// Spec B.12.
void CpuBackend::experts_expand(const Layer& layer) {
  const size_t hidden = shape_.hidden, width = shape_.expert_hidden, n_used = shape_.n_experts_used;
  sort_picks();
  const size_t n_routed = pick_token_.size(), n_picks = n_routed + n_;
  pick_gate_.resize(n_picks * width);
  pick_up_.resize(n_picks * width);
  pick_output_.resize(n_picks * hidden);

  std::vector<const float*> inputs;
  for (uint32_t t : pick_token_) inputs.push_back(&input_[t * hidden]);
  for (size_t t = 0; t < n_; ++t) inputs.push_back(&input_[t * hidden]);
  const std::vector<const float*> inner = rows_of(pick_gate_.data(), width, n_picks);
  const auto add = [&](std::vector<Product>& to, const Tensor& routed, const Tensor& shared, size_t n_out,
                       std::span<const float* const> x, Floats& y) {
    for (size_t e = 0; e < shape_.n_experts; ++e) {
      const size_t begin = pick_begin_[e], n = pick_begin_[e + 1] - begin;
      if (n > 0) to.push_back({&routed, e * n_out, n_out, x.subspan(begin, n), &y[begin * n_out], n_out});
    }
    to.push_back({&shared, 0, n_out, x.subspan(n_routed), &y[n_routed * n_out], n_out});
  };
  std::vector<Product> in, out;
  add(in, layer.gate_experts, layer.gate_shared, width, inputs, pick_gate_);
  add(in, layer.up_experts, layer.up_shared, width, inputs, pick_up_);
  multiplier_.run(in);
  each(n_picks, 1, [&](size_t i, unsigned) {
    const float clamp = i < n_routed ? layer.clamp_experts : layer.clamp_shared;
    kernels_.swiglu(&pick_gate_[i * width], &pick_up_[i * width], clamp, width);
  });
  add(out, layer.down_experts, layer.down_shared, hidden, inner, pick_output_);
  multiplier_.run(out);

  each(n_, 1, [&](size_t t, unsigned) {
    float* sum = &pick_output_[(n_routed + t) * hidden];  // starts as the shared expert's answer
    for (size_t k = 0; k < n_used; ++k) {
      const size_t place = token_picks_[t * n_used + k];
      kernels_.add_scaled(sum, pick_weights_[place], &pick_output_[place * hidden], hidden);
    }
    expand_token(t, sum);
  });
}

}  // namespace halyard::cpu
