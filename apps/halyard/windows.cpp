#include "windows.h"

#include <algorithm>
#include <fmt/format.h>

#include "halyard/error.h"

namespace halyard::app {

WindowScore sum(std::span<const WindowScore> scores) {
  WindowScore all;
  for (const WindowScore& score : scores) {
    all.nll += score.nll;
    all.n_tokens += score.n_tokens;
  }
  return all;
}

double negative_log_likelihood(std::span<const float> logits, size_t token) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double mass = 0;
  for (const float logit : logits) mass += std::exp(static_cast<double>(logit) - highest);
  return std::log(mass) + highest - static_cast<double>(logits[token]);
}

std::vector<std::vector<int32_t>> cut_windows(std::span<const int32_t> tokens, uint64_t window_tokens,
                                              const std::string& source) {
  const size_t n = static_cast<size_t>(window_tokens);
  if (tokens.size() < n)
    throw Error(ErrorCode::kUsage, fmt::format("the text has {} tokens; one window has {}", tokens.size(), n),
                source, "give a longer text or a smaller --window");
  std::vector<std::vector<int32_t>> windows;
  for (; tokens.size() >= n; tokens = tokens.subspan(n))
    windows.emplace_back(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(n));
  return windows;
}

void check_vocabulary(const std::vector<std::vector<int32_t>>& windows, uint32_t vocab) {
  for (const std::vector<int32_t>& window : windows) {
    const int32_t highest = *std::max_element(window.begin(), window.end());
    if (static_cast<uint32_t>(highest) >= vocab)
      throw Error(ErrorCode::kUsage, fmt::format("token {} is not in the vocabulary of {}", highest, vocab),
                  "--tokens-json", "give the tokens of this model");
  }
}

}  // namespace halyard::app
