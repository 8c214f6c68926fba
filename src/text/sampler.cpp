#include "text/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "halyard/error.h"

namespace halyard {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void check_range(const char* name, float value, float low, float high) {
  if (value >= low && value <= high) return;  // false for NaN
  const auto short_text = [](float number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  throw Error(ErrorCode::kUsage, std::string(name) + " " + short_text(value) + " is out of range", name,
              "give a number from " + short_text(low) + " to " + short_text(high));
}

// One pass: the id of the largest logit, the lowest id on ties.
int32_t best_token(std::span<const float> logits) {
  size_t best = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]))
      throw Error(ErrorCode::kDevice, "the model's output is not a number",
                  "logit of token " + std::to_string(i),
                  "run `halyard selftest`; it compares this backend with the reference");
    if (logits[i] > logits[best]) best = i;
  }
  if (logits.empty() || logits[best] == -kInfinity)
    throw Error(ErrorCode::kDevice, "no token is possible: every logit is minus infinity",
                std::to_string(logits.size()) + " logits",
                "take the bans out of the logit bias; without a bias run `halyard selftest`");
  return static_cast<int32_t>(best);
}

struct Candidate {
  int32_t id;
  float logit;
  double weight;  // probability up to a common factor; the most likely token has 1
};

// A total order: any correct sort or selection gives the same result.
bool more_likely(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
}

}  // namespace

RandomGenerator::RandomGenerator(uint64_t seed) {
  for (uint64_t& word : state_) {  // splitmix64
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    word = z ^ (z >> 31);
  }
}

uint64_t RandomGenerator::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double portable_exp(double x) {
  if (!(x >= -708.0)) return 0.0;  // the result would be near the subnormal numbers
  // x = k ln 2 + r with |r| <= ln 2 / 2. The upper part of ln 2 has 32 bits, so that its product with k is
  // exact.
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  const auto k = static_cast<int32_t>(x * 1.4426950408889634 - 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  // Taylor series; the term of r^14 is below 1e-17.
  double sum = 1.0 / 6227020800.0;
  for (const double coefficient :
       {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0,
        1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0})
    sum = sum * r + coefficient;
  return sum * std::bit_cast<double>(static_cast<uint64_t>(1023 + k) << 52);
}

struct Sampler::Impl {
  explicit Impl(const SamplingOptions& given);

  int32_t sample(std::span<const float> logits);
  std::span<const float> with_bias(std::span<const float> logits);
  void gather(std::span<const float> logits);  // all tokens above -inf, by id
  void keep_top_k();                           // sorted by likelihood from here on
  void weigh(float best);
  void keep_top_p();  // sorted too
  void keep_min_p();
  double total_weight() const;
  int32_t draw();
  void sort_first(size_t sorted, size_t n);

  SamplingOptions options_;
  RandomGenerator random_;
  std::vector<float> biased_;
  std::vector<Candidate> candidates_;
};

Sampler::Impl::Impl(const SamplingOptions& given) : options_(given), random_(options_.seed) {
  check_range("temperature", options_.temperature, 0.0f, 100.0f);
  check_range("top_p", options_.top_p, 0.0f, 1.0f);
  check_range("min_p", options_.min_p, 0.0f, 1.0f);
  for (const auto& [token, bias] : options_.logit_bias)
    if (!(bias < kInfinity))
      throw Error(ErrorCode::kUsage, "the bias is not a finite number",
                  "logit_bias of token " + std::to_string(token),
                  "give a finite number, or -infinity to rule the token out");
}

int32_t Sampler::Impl::sample(std::span<const float> logits) {
  if (!options_.logit_bias.empty()) logits = with_bias(logits);
  const int32_t best = best_token(logits);
  if (options_.temperature == 0.0f) return best;
  gather(logits);
  keep_top_k();
  weigh(logits[static_cast<size_t>(best)]);
  keep_top_p();
  keep_min_p();
  return draw();
}

std::span<const float> Sampler::Impl::with_bias(std::span<const float> logits) {
  biased_.assign(logits.begin(), logits.end());
  for (const auto& [token, bias] : options_.logit_bias) {
    if (token < 0 || static_cast<size_t>(token) >= logits.size())
      throw Error(ErrorCode::kUsage, "the vocabulary has no token " + std::to_string(token), "logit_bias",
                  "use ids from 0 to " + std::to_string(logits.size() - 1));
    float& logit = biased_[static_cast<size_t>(token)];
    logit = bias == -kInfinity ? bias : logit + bias;  // +inf - inf would be NaN
  }
  return biased_;
}

void Sampler::Impl::gather(std::span<const float> logits) {
  candidates_.clear();
  for (size_t i = 0; i < logits.size(); ++i)
    if (logits[i] > -kInfinity) candidates_.push_back({static_cast<int32_t>(i), logits[i], 0.0});
}

// candidates_[0, sorted) are the most likely in order; extends that to [0, n).
void Sampler::Impl::sort_first(size_t sorted, size_t n) {
  const auto begin = candidates_.begin() + static_cast<ptrdiff_t>(sorted);
  const auto end = candidates_.begin() + static_cast<ptrdiff_t>(n);
  if (n < candidates_.size()) std::nth_element(begin, end, candidates_.end(), more_likely);
  std::sort(begin, end, more_likely);
}

void Sampler::Impl::keep_top_k() {
  if (options_.top_k == 0 || options_.top_k >= candidates_.size()) return;
  sort_first(0, options_.top_k);
  candidates_.resize(options_.top_k);
}

void Sampler::Impl::weigh(float best) {
  if (best == kInfinity) {
    for (Candidate& candidate : candidates_) candidate.weight = candidate.logit == kInfinity ? 1.0 : 0.0;
    return;
  }
  // e^-y <= 1 / (1 + y + y^2 / 2) spares most of the exps where min_p alone decides: those weights are
  // dropped anyway.
  const double least = options_.top_p < 1.0f ? 0.0 : options_.min_p;
  const double temperature = options_.temperature;
  for (Candidate& candidate : candidates_) {
    const double y = (double{best} - double{candidate.logit}) / temperature;
    candidate.weight = least * (1.0 + y + 0.5 * y * y) > 1.001 ? 0.0 : portable_exp(-y);
  }
}

// Sorts in growing steps, since the wanted mass mostly lies in few tokens.
void Sampler::Impl::keep_top_p() {
  if (options_.top_p >= 1.0f) return;
  constexpr size_t kFirstStep = 64, kGrowth = 8;
  const double total = total_weight();
  const double wanted = double{options_.top_p} * total;
  // All tokens below this weight have less than half of the mass that is dropped; the rest is sorted.
  const double least = 0.5 * (total - wanted) / static_cast<double>(candidates_.size());
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.weight < least; });
  double mass = 0.0;
  size_t sorted = 0;
  for (size_t step = kFirstStep; sorted < candidates_.size(); step *= kGrowth) {
    const size_t n = std::min(sorted + step, candidates_.size());
    sort_first(sorted, n);
    for (; sorted < n; ++sorted) {
      mass += candidates_[sorted].weight;
      if (mass >= wanted) {
        candidates_.resize(sorted + 1);
        return;
      }
    }
  }
}

void Sampler::Impl::keep_min_p() {
  const double least = options_.min_p;
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.weight < least; });
}

double Sampler::Impl::total_weight() const {
  double total = 0.0;
  for (const Candidate& candidate : candidates_) total += candidate.weight;
  return total;
}

int32_t Sampler::Impl::draw() {
  const double target = random_.next_unit() * total_weight();
  double mass = 0.0;
  int32_t last_possible = candidates_.front().id;  // should the product round up to the whole mass
  for (const Candidate& candidate : candidates_) {
    mass += candidate.weight;
    if (target < mass) return candidate.id;
    if (candidate.weight > 0.0) last_possible = candidate.id;
  }
  return last_possible;
}

Sampler::Sampler(const SamplingOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Sampler::Sampler(const Sampler& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler other) noexcept {
  impl_ = std::move(other.impl_);
  return *this;
}
Sampler::~Sampler() = default;

int32_t Sampler::sample(std::span<const float> logits) {
  return impl_->sample(logits);
}

}  // namespace halyard
