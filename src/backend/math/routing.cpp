#include "backend/math/routing.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace halyard {

std::vector<uint32_t> top_k(std::span<const float> scores, size_t k) {
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  k = std::min(k, order.size());
  const auto rank = [&](uint32_t i) {  // NaN comes last: an order must stay an order
    return scores[i] == scores[i] ? scores[i] : -std::numeric_limits<float>::infinity();
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(k), order.end(),
                    [&](uint32_t a, uint32_t b) { return rank(a) != rank(b) ? rank(a) > rank(b) : a < b; });
  order.resize(k);
  return order;
}

void expert_weights(std::span<const float> affinity, std::span<const uint32_t> chosen, float scale,
                    float* weights) {
  double sum = 0;
  for (uint32_t e : chosen) sum += affinity[e];
  sum = std::max(sum, 0x1p-14);
  for (size_t i = 0; i < chosen.size(); ++i)
    weights[i] = static_cast<float>(affinity[chosen[i]] / sum * scale);
}

}  // namespace halyard
