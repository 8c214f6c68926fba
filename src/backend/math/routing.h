// Choosing: the best rows of the indexer and the experts of a token (spec B.9, B.11).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace halyard {

// Indices of the k largest scores (all when k >= size), best first; on ties the lower index is better.
std::vector<uint32_t> top_k(std::span<const float> scores, size_t k);

// Weights of the chosen experts: affinity[e] / sum over the chosen * scale; the sum is at least 2^-14.
void expert_weights(std::span<const float> affinity, std::span<const uint32_t> chosen, float scale,
                    float* weights);

}  // namespace halyard
