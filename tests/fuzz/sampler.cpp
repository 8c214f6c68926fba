// Any logits and options: a token that may be chosen, the same one each time, or an error.
// Input: temperature, top_p, min_p (4 bytes each), top_k, seed (2 each), the number of biases (1), of each
// the token (1) and the value (1); then the logits, a byte each.
#include "text/sampler.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "fuzz/fuzz.h"

namespace halyard {
namespace {

using fuzz::require;

// The values that break things, and small ones on which several tokens agree.
float logit_of(uint64_t byte) {
  using Limits = std::numeric_limits<float>;
  switch (byte) {
    case 0:
      return -Limits::infinity();
    case 1:
      return Limits::infinity();
    case 2:
      return Limits::quiet_NaN();
    case 3:
      return Limits::max();
    case 4:
      return Limits::lowest();
    case 5:
      return Limits::denorm_min();
    case 6:
      return -0.0f;
    default:
      return static_cast<float>(byte) / 8 - 16;
  }
}

float any_float(fuzz::Input& input) {
  return std::bit_cast<float>(static_cast<uint32_t>(input.number(4)));
}

std::optional<int32_t> sampled(const SamplingOptions& options, const std::vector<float>& logits) {
  try {
    Sampler sampler(options);
    sampler.sample(logits);
    return sampler.sample(logits);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check(const SamplingOptions& options, std::vector<float> logits) {
  const std::optional<int32_t> token = sampled(options, logits);
  require(sampled(options, logits) == token, "the same seed gives another token");
  if (!token) return;
  require(*token >= 0 && static_cast<size_t>(*token) < logits.size(), "no token of the vocabulary");
  for (const auto& [biased, value] : options.logit_bias) {
    float& logit = logits[static_cast<size_t>(biased)];
    logit = value == -std::numeric_limits<float>::infinity() ? value
                                                             : logit + value;  // rules it out, whatever it is
  }
  const float chosen = logits[static_cast<size_t>(*token)];
  require(chosen > -std::numeric_limits<float>::infinity(), "a token that must not be chosen");
  if (options.temperature == 0)
    require(chosen == *std::max_element(logits.begin(), logits.end()), "greedy, but not the largest");
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  fuzz::Input input(data, size);
  SamplingOptions options;
  options.temperature = any_float(input);
  options.top_p = any_float(input);
  options.min_p = any_float(input);
  options.top_k = static_cast<uint32_t>(input.number(2));
  options.seed = input.number(2);
  for (uint64_t n = input.number(1) % 8; n > 0; --n) {
    const auto token = static_cast<int32_t>(input.number(1)) - 1;  // -1 is no token
    options.logit_bias.emplace_back(token, logit_of(input.number(1)));
  }
  std::vector<float> logits;
  while (!input.empty()) logits.push_back(logit_of(input.number(1)));
  check(options, logits);
  return 0;
}
