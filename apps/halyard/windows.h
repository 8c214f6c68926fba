// The arithmetic of perplexity.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::app {

struct WindowScore {
  double nll = 0;         // sum of the negative log likelihoods, natural logarithm
  uint64_t n_tokens = 0;  // that were foretold

  double perplexity() const { return std::exp(nll / static_cast<double>(n_tokens)); }
};

WindowScore sum(std::span<const WindowScore> scores);

// Of `token` under the softmax of `logits`, in double.
double negative_log_likelihood(std::span<const float> logits, size_t token);

// Whole windows of `window_tokens`, one after the other; what is left at the end is not used. Throws kUsage
// with both numbers when there is not one. `source` names the text.
std::vector<std::vector<int32_t>> cut_windows(std::span<const int32_t> tokens, uint64_t window_tokens,
                                              const std::string& source);

// Throws kUsage for an id that is not below `vocab`.
void check_vocabulary(const std::vector<std::vector<int32_t>>& windows, uint32_t vocab);

}  // namespace halyard::app
