// Chooses the next token from the logits. The same logits, options and seed give the same tokens on every
// platform: the random numbers, exp and all sums are our own, in double, in a fixed order.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "halyard/sampling.h"

namespace halyard {

// xoshiro256** by Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators" (2021), seeded with
// splitmix64 as they advise. Period 2^256 - 1.
class RandomGenerator {
 public:
  explicit RandomGenerator(uint64_t seed);
  uint64_t next();
  double next_unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)

 private:
  std::array<uint64_t, 4> state_;
};

// e^x for x <= 0 from additions and multiplications alone, so that no C library has a say. Relative error
// below 5e-16 (a rounding error of 2.2e-16 or less in each of the last two operations, 1e-17 for the series);
// 0 below -708.
double portable_exp(double x);

// Holds scratch of the size of the vocabulary. One generation, one thread; a copy goes on with the same
// tokens.
class Sampler {
 public:
  // Throws Error(kUsage) with the allowed range for a bad option.
  explicit Sampler(SamplingOptions options);

  // The id of the chosen token: its index in `logits`. Filters: temperature first, so that top_p and min_p
  // judge the probabilities that are drawn from; top_p counts the mass of what top_k left. A logit of -inf is
  // never chosen; tokens with +inf share all of the mass. One random number a call, none when greedy. Throws
  // Error(kDevice) when a logit is NaN, and when none is above -inf; Error(kUsage) when a biased token is not
  // in the vocabulary.
  int32_t sample(std::span<const float> logits);

 private:
  struct Candidate {
    int32_t id;
    float logit;
    double weight;  // probability up to a common factor; the most likely token has 1
  };

  std::span<const float> with_bias(std::span<const float> logits);
  void gather(std::span<const float> logits);  // all tokens above -inf, by id
  void keep_top_k();                           // sorted by likelihood from here on
  void weigh(float best);
  void keep_top_p();  // sorted too
  void keep_min_p();
  double total_weight() const;
  int32_t draw();

  static bool more_likely(const Candidate& a, const Candidate& b);
  void sort_first(size_t sorted, size_t n);

  SamplingOptions options_;
  RandomGenerator random_;
  std::vector<float> biased_;
  std::vector<Candidate> candidates_;
};

}  // namespace halyard
