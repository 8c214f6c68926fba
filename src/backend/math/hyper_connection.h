// Manifold-constrained hyper-connections: four residual streams, mixed before and after each sublayer (spec
// B.3, B.4).
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "backend/model.h"

namespace halyard {

inline constexpr uint32_t kHyperMix =
    2 * kHyperStreams + kHyperStreams * kHyperStreams;  // rows of fn: pre, post, S

struct HyperWeights {
  std::array<float, kHyperStreams> pre;
  std::array<float, kHyperStreams> post;
  std::array<float, kHyperStreams * kHyperStreams> mix;  // S[row j = source][column k = destination]
};

// From m = fn . RMS0(flattened streams), `mix` of kHyperMix values; scale [3], base [kHyperMix]. Sinkhorn
// normalisation alternates rows and columns `iterations` times, columns last.
HyperWeights hyper_weights(std::span<const float> mix, std::span<const float> scale,
                           std::span<const float> base, uint32_t iterations, float epsilon);
// Of the head (B.13): pre only, from kHyperStreams values; scale [1], base [kHyperStreams].
std::array<float, kHyperStreams> hyper_head_weights(std::span<const float> mix, float scale,
                                                    std::span<const float> base, float epsilon);

// x[d] = sum_h pre[h] X[h][d]; streams is [kHyperStreams][hidden].
void collapse(std::span<const float> streams, std::span<const float, kHyperStreams> pre, std::span<float> x);
// X'[k] = post[k] y + sum_j S[j][k] X[j], in place.
void expand(std::span<float> streams, std::span<const float> y, std::span<const float, kHyperStreams> post,
            std::span<const float, kHyperStreams * kHyperStreams> mix);

}  // namespace halyard
