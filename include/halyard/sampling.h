// How the next token is chosen from the logits.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halyard {

// Filters apply in the order of the members; a filter at its default does nothing. The same logits, options
// and seed give the same tokens on every platform.
struct SamplingOptions {
  std::vector<std::pair<int32_t, float>> logit_bias;  // (token, added); -infinity bans it
  float temperature = 1.0f;                           // 0 to 100; 0: greedy, lowest id on ties
  uint32_t top_k = 0;                                 // keep the k most likely; 0: all
  float top_p = 1.0f;                                 // 0 to 1: keep the smallest set of that mass
  float min_p = 0.0f;                                 // 0 to 1: keep those of that share of the top one
  uint64_t seed = 0;
};

// When to stop besides the end-of-sequence token.
struct StopOptions {
  uint64_t max_tokens = 512;
  std::vector<std::string> stop_strings;  // the text ends before the first of them
};

}  // namespace halyard
