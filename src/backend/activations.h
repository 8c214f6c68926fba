// How large the activations of backend.h are: one row a token.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "backend/backend.h"

namespace halyard {

struct ActivationRow {
  Activation activation;
  std::string_view name;
  uint64_t values;  // of one token, 4 bytes each
};

inline constexpr uint64_t kExpandWeightValues = kHyperStreams + kHyperStreams * kHyperStreams;

inline std::array<ActivationRow, 10> activation_rows(const ModelShape& s) {
  return {{
      {Activation::kStreams, "streams", s.streams_dim()},
      {Activation::kInput, "input", s.hidden},
      {Activation::kExpandWeights, "expand weights", kExpandWeightValues},
      {Activation::kLowRankQuery, "low-rank query", s.q_rank},
      {Activation::kQueries, "queries", s.heads_dim()},
      {Activation::kSelection, "selection", s.indexer_top_k},
      {Activation::kHeads, "heads", s.heads_dim()},
      {Activation::kExperts, "experts", s.n_experts_used},
      {Activation::kExpertWeights, "expert weights", s.n_experts_used},
      {Activation::kLogits, "logits", s.vocab},
  }};
}

}  // namespace halyard
