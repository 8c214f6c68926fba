// A few milliseconds of work on the built-in model that crosses a slice and generates some tokens: to be
// repeated, and stopped at any moment.
#pragma once
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <random>

#include "halyard/generate.h"

namespace halyard::test {

constexpr uint32_t kSeed = 20240607;
constexpr int kRounds = 1000;

class ShortWork {
 public:
  static constexpr uint64_t kSlice = 128, kBaseTokens = 126, kPrompt = 4, kAnswer = 4;

  struct Outcome {
    uint64_t evaluated = 0;
    Generation generation{0, StopReason::kCancelled};
  };

  ShortWork() {
    std::vector<int32_t> tokens(kBaseTokens + kPrompt);
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(100 + i * 37 % 3000);
    base_.evaluate(std::span(tokens).first(kBaseTokens));
    prompt_.assign(tokens.begin() + kBaseTokens, tokens.end());
    const auto start = std::chrono::steady_clock::now();
    whole_ = session();
    run(whole_);
    duration_ =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  }

  const Session& base() const { return base_; }
  // Two tokens before the end of a slice. Any thread.
  Session session() const { return base_.fork(); }

  // Reads the prompt in two slices of two, then generates four tokens greedily, unless it is stopped.
  Outcome run(Session& session, const std::function<bool()>& keep_going = {}) const {
    Outcome outcome;
    outcome.evaluated =
        session.evaluate(prompt_, [&](uint64_t, uint64_t) { return !keep_going || keep_going(); });
    if (outcome.evaluated == prompt_.size()) outcome.generation = answer(session, kAnswer, keep_going);
    return outcome;
  }

  // What is left to do after run() was stopped.
  void finish(Session& session) const {
    const uint64_t done = session.n_tokens() - kBaseTokens;
    if (done < kPrompt) session.evaluate(std::span(prompt_).subspan(done));
    answer(session, kPrompt + kAnswer - std::max(done, kPrompt), {});
  }

  // From the first moment of run() to a little after its end.
  std::chrono::microseconds random_moment(std::mt19937& random) const {
    return std::chrono::microseconds(random() % static_cast<uint64_t>(duration_.count() * 5 / 4 + 1));
  }

  // The session holds what the outcome says, and the same tokens as an undisturbed one.
  void expect_sound(const Session& session, const Outcome& outcome) const {
    EXPECT_EQ(outcome.evaluated % 2, 0u);
    EXPECT_EQ(session.n_tokens(), kBaseTokens + outcome.evaluated + outcome.generation.n_tokens);
    EXPECT_TRUE(outcome.generation.n_tokens == kAnswer ? outcome.generation.reason == StopReason::kMaxTokens
                                                       : outcome.generation.reason == StopReason::kCancelled);
    EXPECT_TRUE(std::equal(session.tokens().begin(), session.tokens().end(), whole_.tokens().begin()));
  }
  // All of the work was done, with the same numbers as undisturbed.
  void expect_whole(const Session& session) const {
    EXPECT_EQ(session.tokens(), whole_.tokens());
    EXPECT_TRUE(std::equal(session.logits().begin(), session.logits().end(), whole_.logits().begin(),
                           whole_.logits().end()));
  }

 private:
  static std::shared_ptr<Engine> open() {
    EngineOptions options;
    options.backend = "cpu";
    options.n_threads = 2;
    options.slice_tokens = kSlice;
    return Engine::open(options);
  }

  static Generation answer(Session& session, uint64_t n_tokens, const std::function<bool()>& keep_going) {
    GenerateOptions options;
    options.sampling.temperature = 0;
    options.stop.max_tokens = n_tokens;
    options.form = OutputForm::kRaw;
    return generate(session, options, [](const OutputEvent&) { return true; }, keep_going);
  }

  Session base_ = open()->new_session(2 * kSlice), whole_ = base_.fork();
  std::vector<int32_t> prompt_;
  std::chrono::microseconds duration_{};
};

}  // namespace halyard::test
