// The feed-forward half of a layer: route, experts_expand.
#include <algorithm>
#include <cmath>
#include <string>

#include "backend/math/elementwise.h"
#include "backend/math/routing.h"
#include "backend/reference/matmul.h"
#include "backend/reference/steps.h"
#include "halyard/error.h"

namespace halyard::reference {
namespace {

// The experts of a token in a hash-routed layer: the six ids of its row in the file.
std::vector<uint32_t> hashed_experts(const Layer& layer, int32_t token, uint32_t n_experts) {
  std::vector<uint32_t> chosen;
  for (float id : decode_row(layer.token_experts, static_cast<uint64_t>(token))) {
    if (!(id >= 0 && id < static_cast<float>(n_experts))) {
      throw Error(ErrorCode::kBadFile, "an expert id outside 0.." + std::to_string(n_experts - 1),
                  layer.token_experts.name + ", token " + std::to_string(token), "fetch the file again");
    }
    chosen.push_back(static_cast<uint32_t>(id));
  }
  return chosen;
}

}  // namespace

// Spec B.11. The bias takes part in the choice only, not in the weights.
void ReferenceBackend::route(const Layer& layer, const Batch& batch) {
  const size_t n_experts = shape_.n_experts;
  std::vector<float> affinity = matmul(pool_, layer.router, input_);
  for (float& v : affinity) v = std::sqrt(softplus(v));
  experts_.clear();
  expert_weights_.resize(n_ * shape_.n_experts_used);
  for (size_t t = 0; t < n_; ++t) {
    const std::span<const float> p{&affinity[t * n_experts], n_experts};
    std::vector<uint32_t> chosen;
    if (layer.hash_routed) {
      chosen = hashed_experts(layer, batch.tokens[t], shape_.n_experts);
    } else {
      std::vector<float> scores = decode_all(layer.router_bias);
      for (size_t e = 0; e < n_experts; ++e) scores[e] += p[e];
      chosen = top_k(scores, shape_.n_experts_used);
    }
    expert_weights(p, chosen, shape_.expert_weights_scale, &expert_weights_[t * shape_.n_experts_used]);
    experts_.insert(experts_.end(), chosen.begin(), chosen.end());
  }
}

// Adds one expert's weighted answer to the tokens that chose it.
void ReferenceBackend::add_expert(const Layer& layer, uint32_t expert, std::vector<float>& sum) {
  const size_t hidden = shape_.hidden, width = shape_.expert_hidden, n_used = shape_.n_experts_used;
  std::vector<size_t> picks;  // places in experts_
  for (size_t i = 0; i < experts_.size(); ++i) {
    if (experts_[i] == expert) picks.push_back(i);
  }
  if (picks.empty()) return;
  std::vector<float> x, gate(picks.size() * width), up(gate.size()), y(picks.size() * hidden);
  for (size_t pick : picks)
    x.insert(x.end(), &input_[pick / n_used * hidden], &input_[pick / n_used * hidden] + hidden);
  matmul(pool_, layer.gate_experts, uint64_t{expert} * width, width, {x.data(), hidden}, picks.size(),
         {gate.data(), width});
  matmul(pool_, layer.up_experts, uint64_t{expert} * width, width, {x.data(), hidden}, picks.size(),
         {up.data(), width});
  for (size_t i = 0; i < gate.size(); ++i) gate[i] = swiglu(gate[i], up[i], layer.clamp_experts);
  matmul(pool_, layer.down_experts, uint64_t{expert} * hidden, hidden, {gate.data(), width}, picks.size(),
         {y.data(), hidden});
  for (size_t i = 0; i < picks.size(); ++i) {
    float* to = &sum[picks[i] / n_used * hidden];
    for (size_t d = 0; d < hidden; ++d) to[d] += expert_weights_[picks[i]] * y[i * hidden + d];
  }
}

// Spec B.12: routed experts in ascending order of their ids, so that a token's sum does not depend on its
// neighbours; then the shared expert.
void ReferenceBackend::experts_expand(const Layer& layer) {
  std::vector<float> sum(n_ * shape_.hidden, 0.0f);
  for (uint32_t e = 0; e < shape_.n_experts; ++e) add_expert(layer, e, sum);
  std::vector<float> gate = matmul(pool_, layer.gate_shared, input_);
  const std::vector<float> up = matmul(pool_, layer.up_shared, input_);
  for (size_t i = 0; i < gate.size(); ++i) gate[i] = swiglu(gate[i], up[i], layer.clamp_shared);
  const std::vector<float> shared = matmul(pool_, layer.down_shared, gate);
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += shared[i];
  expand_streams(sum);
}

}  // namespace halyard::reference
