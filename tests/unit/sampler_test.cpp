#include "text/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>

#include "halyard/error.h"

namespace halyard {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Logits between -8 and 8 from integers alone, the same everywhere.
std::vector<float> made_logits(size_t n, uint64_t seed) {
  RandomGenerator random(seed);
  std::vector<float> logits(n);
  for (float& logit : logits) logit = static_cast<float>(random.next() >> 44) * 0x1p-16f - 8.0f;
  return logits;
}

std::vector<int32_t> drawn(SamplingOptions options, size_t n_tokens, size_t vocabulary = 1000) {
  options.seed = 42;
  Sampler sampler(options);
  std::vector<int32_t> tokens;
  for (size_t i = 0; i < n_tokens; ++i) tokens.push_back(sampler.sample(made_logits(vocabulary, i)));
  return tokens;
}

std::map<int32_t, int> histogram(const SamplingOptions& options, const std::vector<float>& logits, int n) {
  Sampler sampler(options);
  std::map<int32_t, int> counts;
  for (int i = 0; i < n; ++i) ++counts[sampler.sample(logits)];
  return counts;
}

std::vector<int32_t> support(const SamplingOptions& options, const std::vector<float>& logits) {
  std::vector<int32_t> ids;
  for (const auto& [id, count] : histogram(options, logits, 3000)) ids.push_back(id);
  return ids;
}

TEST(RandomGenerator, MatchesThePublishedAlgorithms) {
  // splitmix64 from seed 0 begins e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f f88bb8a8724c81ec; from
  // those words xoshiro256** gives rotl(word1 * 5, 7) * 9 first.
  const uint64_t word1 = 0x6e789e6aa1b965f4u;
  RandomGenerator random(0);
  EXPECT_EQ(random.next(), std::rotl(word1 * 5, 7) * 9);
}

TEST(PortableExp, IsWithinItsBound) {
  double worst = 0.0;
  for (int i = 0; i <= 2000000; ++i) {
    const double x = -708.0 * i / 2000000.0;
    worst = std::max(worst, std::abs(portable_exp(x) / std::exp(x) - 1.0));
  }
  for (int i = 0; i <= 2000000; ++i) {
    const double x = -2.0 * i / 2000000.0;
    worst = std::max(worst, std::abs(portable_exp(x) / std::exp(x) - 1.0));
  }
  EXPECT_LT(worst, 5e-16);
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-0.0), 1.0);
  EXPECT_EQ(portable_exp(-709.0), 0.0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0.0);
}

// Made once and confirmed by a second implementation in another language with that language's exp.
TEST(Sampler, GoldenTokens) {
  SamplingOptions top_k, top_p, min_p, all;
  top_k.top_k = 40;
  top_p.top_p = 0.9f;
  min_p.min_p = 0.05f;
  all.logit_bias = {{7, 9.0f}, {8, -kInf}};
  all.temperature = 0.7f;
  all.top_k = 100;
  all.top_p = 0.95f;
  all.min_p = 0.02f;
  EXPECT_EQ(drawn({}, 12), (std::vector<int32_t>{47, 386, 743, 932, 969, 765, 678, 854, 732, 581, 679, 276}));
  EXPECT_EQ(drawn(top_k, 12),
            (std::vector<int32_t>{734, 681, 68, 546, 630, 527, 917, 131, 544, 142, 551, 19}));
  EXPECT_EQ(drawn(top_p, 12),
            (std::vector<int32_t>{310, 402, 828, 706, 355, 701, 549, 113, 145, 228, 987, 470}));
  EXPECT_EQ(drawn(min_p, 12),
            (std::vector<int32_t>{41, 375, 746, 932, 969, 765, 678, 854, 719, 581, 679, 276}));
  EXPECT_EQ(drawn(all, 12), (std::vector<int32_t>{7, 859, 649, 7, 7, 7, 7, 625, 7, 657, 578, 7}));
  EXPECT_EQ(drawn({}, 3, 129280), (std::vector<int32_t>{10764, 49505, 87876}));
  EXPECT_EQ(drawn(top_p, 3, 129280), (std::vector<int32_t>{109476, 30965, 122379}));
}

TEST(Sampler, GreedyTakesTheLowestIdOfTheBest) {
  SamplingOptions greedy;
  greedy.temperature = 0.0f;
  EXPECT_EQ(Sampler(greedy).sample(std::vector<float>{1, 3, 2, 3}), 1);
  EXPECT_EQ(Sampler(greedy).sample(std::vector<float>{-kInf, -5, -kInf}), 1);
  EXPECT_EQ(Sampler(greedy).sample(std::vector<float>{0, kInf, kInf}), 1);
  greedy.logit_bias = {{3, 0.5f}, {3, 0.25f}, {1, -kInf}};
  EXPECT_EQ(Sampler(greedy).sample(std::vector<float>{1, kInf, 2, 1.5f}), 3);
}

// Pearson's test: 9 degrees of freedom, 27.9 is exceeded with probability 0.001.
TEST(Sampler, DrawsFromTheDistribution) {
  std::vector<float> logits;
  for (int i = 0; i < 10; ++i) logits.push_back(static_cast<float>(i) * 0.4f);
  for (const float temperature : {0.5f, 1.0f, 2.0f}) {
    SamplingOptions options;
    options.temperature = temperature;
    options.seed = 7;
    constexpr int kDraws = 200000;
    const auto counts = histogram(options, logits, kDraws);
    double total = 0.0, chi_square = 0.0;
    for (const float logit : logits) total += std::exp(double{logit} / temperature);
    for (size_t i = 0; i < logits.size(); ++i) {
      const double expected = kDraws * std::exp(double{logits[i]} / temperature) / total;
      const auto found = counts.find(static_cast<int32_t>(i));
      const double difference = (found == counts.end() ? 0 : found->second) - expected;
      chi_square += difference * difference / expected;
    }
    EXPECT_LT(chi_square, 27.9) << "temperature " << temperature << ", seed 7";
  }
}

// Probabilities 0.4, 0.3, 0.2, 0.1 in mixed order: ids 2, 0, 3, 1.
TEST(Sampler, FiltersKeepWhatTheySay) {
  std::vector<float> logits;
  for (const double p : {0.3, 0.1, 0.4, 0.2}) logits.push_back(static_cast<float>(std::log(p)));
  using Ids = std::vector<int32_t>;
  const auto with = [](uint32_t top_k, float top_p, float min_p) {
    SamplingOptions options;
    options.top_k = top_k;
    options.top_p = top_p;
    options.min_p = min_p;
    return options;
  };
  EXPECT_EQ(support(with(0, 1, 0), logits), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(support(with(1, 1, 0), logits), (Ids{2}));
  EXPECT_EQ(support(with(3, 1, 0), logits), (Ids{0, 2, 3}));
  EXPECT_EQ(support(with(9, 1, 0), logits), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(support(with(0, 0, 0), logits), (Ids{2}));
  EXPECT_EQ(support(with(0, 0.39f, 0), logits), (Ids{2}));
  EXPECT_EQ(support(with(0, 0.41f, 0), logits), (Ids{0, 2}));
  EXPECT_EQ(support(with(0, 0.71f, 0), logits), (Ids{0, 2, 3}));
  EXPECT_EQ(support(with(2, 0.56f, 0), logits), (Ids{2})) << "of the two kept the first has 4/7";
  EXPECT_EQ(support(with(2, 0.58f, 0), logits), (Ids{0, 2}));
  EXPECT_EQ(support(with(0, 1, 0.3f), logits), (Ids{0, 2, 3}));
  EXPECT_EQ(support(with(0, 1, 0.6f), logits), (Ids{0, 2}));
  EXPECT_EQ(support(with(0, 1, 1), logits), (Ids{2}));
}

// The kept set is the true one also where the sort went through several steps, against a plain full sort.
TEST(Sampler, TopPOfManyTokensIsTheSmallestSetOfItsMass) {
  std::vector<float> logits = made_logits(3000, 5);
  for (float& logit : logits) logit *= 0.05f;
  std::vector<double> weights;
  double total = 0.0;
  for (const float logit : logits) {
    weights.push_back(std::exp(double{logit}));
    total += weights.back();
  }
  std::sort(weights.rbegin(), weights.rend());
  size_t n = 0;
  for (double mass = 0.0; mass < 0.3 * total; ++n) mass += weights[n];
  SamplingOptions options;
  options.top_p = 0.3f;
  for (const auto& [id, count] : histogram(options, logits, 3000))
    EXPECT_GE(std::exp(double{logits[static_cast<size_t>(id)]}), weights[n - 1] * (1 - 1e-6)) << id;
}

TEST(Sampler, InfiniteLogits) {
  using Ids = std::vector<int32_t>;
  EXPECT_EQ(support({}, {-kInf, 0, -kInf, 0.5f}), (Ids{1, 3}));
  EXPECT_EQ(support({}, {0, kInf, 100, kInf}), (Ids{1, 3}));
  SamplingOptions options;
  options.top_p = 0.9f;
  options.min_p = 0.1f;
  EXPECT_EQ(support(options, {0, kInf, -kInf, kInf}), (Ids{1, 3}));
  options.temperature = 1e-38f;
  EXPECT_EQ(support(options, {0, 3e38f, -3e38f, 1}), (Ids{1}));
}

ErrorCode code_of(const SamplingOptions& options, const std::vector<float>& logits,
                  const std::string& mentioned) {
  try {
    Sampler sampler(options);
    sampler.sample(logits);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(mentioned), std::string::npos) << error.what();
    return error.code();
  }
  ADD_FAILURE() << "no error, expected one about " << mentioned;
  return ErrorCode::kCancelled;
}

TEST(Sampler, BadLogitsAreErrors) {
  SamplingOptions greedy;
  greedy.temperature = 0.0f;
  for (const SamplingOptions& options : {SamplingOptions{}, greedy}) {
    EXPECT_EQ(code_of(options, {0, 1, kNan, 2}, "token 2"), ErrorCode::kDevice);
    EXPECT_EQ(code_of(options, {kNan}, "token 0"), ErrorCode::kDevice);
    EXPECT_EQ(code_of(options, {-kInf, -kInf}, "2 logits"), ErrorCode::kDevice);
    EXPECT_EQ(code_of(options, {}, "0 logits"), ErrorCode::kDevice);
  }
}

TEST(Sampler, BadOptionsAreErrorsWithTheRange) {
  const auto with = [](float SamplingOptions::* member, float value) {
    SamplingOptions options;
    options.*member = value;
    return options;
  };
  for (const float value : {-0.1f, 100.5f, kNan, kInf})
    EXPECT_EQ(code_of(with(&SamplingOptions::temperature, value), {0}, "from 0 to 100"), ErrorCode::kUsage);
  for (const float value : {-0.1f, 1.1f, kNan}) {
    EXPECT_EQ(code_of(with(&SamplingOptions::top_p, value), {0}, "top_p"), ErrorCode::kUsage);
    EXPECT_EQ(code_of(with(&SamplingOptions::min_p, value), {0}, "from 0 to 1"), ErrorCode::kUsage);
  }
  SamplingOptions options;
  options.logit_bias = {{5, kNan}};
  EXPECT_EQ(code_of(options, {0}, "token 5"), ErrorCode::kUsage);
  options.logit_bias = {{5, 1.0f}};
  EXPECT_EQ(code_of(options, {0, 1}, "from 0 to 1"), ErrorCode::kUsage);
  options.logit_bias = {{-1, 1.0f}};
  EXPECT_EQ(code_of(options, {0, 1}, "from 0 to 1"), ErrorCode::kUsage);
}

TEST(Sampler, SeedDecides) {
  SamplingOptions one, two;
  one.seed = 1;
  two.seed = 2;
  const auto logits = made_logits(100, 0);
  const auto tokens = [&](Sampler sampler) {
    std::vector<int32_t> ids;
    for (int i = 0; i < 50; ++i) ids.push_back(sampler.sample(logits));
    return ids;
  };
  Sampler sampler(one);
  EXPECT_EQ(tokens(sampler), tokens(sampler)) << "a copy goes on with the same tokens";
  EXPECT_NE(tokens(sampler), tokens(Sampler(two)));
}

}  // namespace
}  // namespace halyard
