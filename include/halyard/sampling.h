// How the next token is chosen from the logits.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
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

// Draws tokens by those options, for a loop of your own in place of generate():
//
//   halyard::Sampler sampler({.temperature = 0.7f, .seed = 1});
//   for (int32_t token; (token = sampler.sample(session.logits())) != engine->end_of_turn();)
//     session.evaluate({&token, 1});
//
// Holds scratch of the size of the vocabulary. One thread at a time; a copy goes on with the same tokens. One
// that was moved from may only be assigned to or destroyed.
class Sampler {
 public:
  // Throws Error(kUsage) with the allowed range for a bad option.
  explicit Sampler(const SamplingOptions& options);
  Sampler(const Sampler&);
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler) noexcept;
  ~Sampler();

  // The id of the chosen token: its index in `logits`. Filters: temperature first, so that top_p and min_p
  // judge the probabilities that are drawn from; top_p counts the mass of what top_k left. A logit of -inf is
  // never chosen; tokens with +inf share all of the mass. One random number a call, none when greedy. Throws
  // Error(kDevice) when a logit is NaN, and when none is above -inf; Error(kUsage) when a biased token is not
  // in the vocabulary.
  int32_t sample(std::span<const float> logits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// When to stop besides the end-of-sequence token.
struct StopOptions {
  uint64_t max_tokens = 512;
  std::vector<std::string> stop_strings;  // the text ends before the first of them
};

}  // namespace halyard
