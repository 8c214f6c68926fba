// Every backend against the reference outputs: sequences, variants, streams, window 0, perplexity, chats,
// splits.
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "support/reference_data.h"
#include "support/test_model.h"

namespace halyard::test {
namespace {

// Models stay open: mapping a file again for each test would only cost time.
const LoadedModel& model_of(const std::string& file) {
  static std::map<std::string, std::unique_ptr<LoadedModel>> loaded;
  auto& entry = loaded[file];
  if (!entry) entry = load_model(reference_path(file));
  return *entry;
}

std::vector<float> rows_at(const std::vector<float>& logits, const std::vector<size_t>& positions,
                           size_t vocab) {
  std::vector<float> rows;
  for (size_t p : positions) {
    rows.insert(rows.end(), logits.begin() + static_cast<ptrdiff_t>(p * vocab),
                logits.begin() + static_cast<ptrdiff_t>((p + 1) * vocab));
  }
  return rows;
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  std::vector<float> evaluate(const std::string& file, bool cache_rounding,
                              const std::vector<int32_t>& tokens,
                              const std::vector<size_t>& pattern = {512}) const {
    const Model& model = model_of(file).model;
    return all_logits(*make_backend(GetParam(), model, cache_rounding), model, tokens, pattern);
  }
};

TEST_P(Golden, Sequences) {
  for (const auto& s : reference_json()["sequences"]) {
    const std::string name = s["name"];
    const std::vector<int32_t> tokens = s["tokens"], top = s["argmax_all"];
    const std::vector<float> logits = evaluate("tiny-f16.gguf", false, tokens);
    const size_t vocab = logits.size() / tokens.size();
    expect_within(distance(rows_at(logits, s["positions"], vocab), read_f32(name + ".f32"), vocab),
                  kFloat32Off, GetParam() + " " + name);
    size_t same = 0;
    for (size_t p = 0; p < tokens.size(); ++p) {
      same += top_token(std::span(logits).subspan(p * vocab, vocab)) == top[p];
    }
    EXPECT_GE(static_cast<double>(same), 0.99 * static_cast<double>(tokens.size())) << name;
  }
}

TEST_P(Golden, Variants) {
  for (const auto& v : reference_json()["variants"]) {
    const bool rounding = v["cache_rounding"];
    for (const auto& part : v["logits"]) {
      const std::vector<int32_t> tokens = sequence_tokens(part["sequence"]);
      const std::vector<float> logits = evaluate(v["file"], rounding, tokens);
      const size_t vocab = logits.size() / tokens.size();
      expect_within(distance(rows_at(logits, part["positions"], vocab), read_f32(part["file"]), vocab),
                    rounding ? kFloat32On : kFloat32Off, GetParam() + " " + std::string(part["file"]));
    }
  }
}

TEST_P(Golden, StreamsAfterEachLayer) {
  const Model& model = model_of("tiny-f16.gguf").model;
  for (const auto& [name, info] : reference_json()["streams"].items()) {
    const std::vector<int32_t> tokens = sequence_tokens(info["sequence"]);
    std::vector<float> streams;
    const size_t row = model.shape.streams_dim();
    all_logits(*make_backend(GetParam(), model, false), model, tokens, {512},
               [&](const Layer&, Backend& backend) {
                 const std::vector<float> now = backend.read(Activation::kStreams);
                 streams.insert(streams.end(), now.end() - static_cast<ptrdiff_t>(row), now.end());
               });
    expect_within(distance(streams, read_f32(name + ".f32"), row), {1e-5, 1e-3, 0}, GetParam() + " " + name);
  }
}

// Of window0.json: perplexity within 0.1%, the same top token on 99% of the positions with a margin above
// 0.3. A backend other than the reference is also compared with the reference's logits at all positions.
TEST_P(Golden, Window0) {
  const std::vector<int32_t> tokens = reference_json()["perplexity"][0]["tokens"];
  for (const auto& [name, v] : window0_json()["variants"].items()) {
    const bool rounding = v["cache_rounding"];
    const std::vector<double> nll = v["nll"], margin = v["margin"];
    const std::vector<int32_t> top = v["argmax"];
    const std::vector<float> logits = evaluate(v["file"], rounding, tokens);
    const size_t vocab = logits.size() / tokens.size();
    double sum = 0, expected_sum = 0;
    size_t clear = 0, same = 0;
    for (size_t p = 0; p < tokens.size(); ++p) {
      const auto row = std::span(logits).subspan(p * vocab, vocab);
      if (p < nll.size()) {
        sum += negative_log_likelihood(row, tokens[p + 1]);
        expected_sum += nll[p];
      }
      if (margin[p] <= 0.3) continue;
      ++clear;
      same += top_token(row) == top[p];
    }
    const double ratio = std::exp((sum - expected_sum) / static_cast<double>(nll.size()));
    std::printf("%s window 0 %-12s perplexity ratio %.6f, same top token %zu of %zu\n", GetParam().c_str(),
                name.c_str(), ratio, same, clear);
    EXPECT_NEAR(ratio, 1.0, 1e-3) << name;
    EXPECT_GE(static_cast<double>(same), 0.99 * static_cast<double>(clear)) << name;
    if (GetParam() == "reference") continue;
    const Model& model = model_of(v["file"]).model;
    const std::vector<float> judge = all_logits(*make_backend("reference", model, rounding), model, tokens);
    expect_within(distance(logits, judge, vocab), rounding ? kFloat32On : kFloat32Off,
                  GetParam() + " window 0 " + name);
  }
}

TEST_P(Golden, PerplexityOfEightWindows) {
  double nll = 0;
  size_t count = 0;
  for (const auto& window : reference_json()["perplexity"]) {
    const std::vector<int32_t> tokens = window["tokens"];
    const std::vector<float> logits = evaluate("tiny-f16.gguf", false, tokens);
    const size_t vocab = logits.size() / tokens.size();
    for (size_t p = 0; p + 1 < tokens.size(); ++p, ++count) {
      nll += negative_log_likelihood(std::span(logits).subspan(p * vocab, vocab), tokens[p + 1]);
    }
  }
  const double perplexity = std::exp(nll / static_cast<double>(count)),
               expected = reference_json()["heldout_perplexity"];
  std::printf("%s perplexity %.4f\n", GetParam().c_str(), perplexity);
  EXPECT_NEAR(perplexity, expected, 0.001 * expected);
}

std::vector<int32_t> greedy(Backend& backend, const Model& model, const std::vector<int32_t>& prompt,
                            size_t n) {
  const auto cache = backend.make_cache(prompt.size() + n);
  std::vector<int32_t> out;
  std::span<const int32_t> next = prompt;
  while (out.size() < n) {
    const auto logits = forward(backend, model, *cache, {next, cache->n_tokens()}, 1);
    out.push_back(top_token(logits));
    next = std::span(out).last(1);
  }
  return out;
}

TEST_P(Golden, ChatsAndStory) {
  const Model& model = model_of("tiny-f16.gguf").model;
  const auto backend = make_backend(GetParam(), model, false);
  for (const auto& chat : reference_json()["chats"]) {
    const std::string prompt = chat["prompt"];
    if (prompt.find("What is 12 plus 7?") != std::string::npos) continue;  // decided by a margin of 0.011
    const std::vector<int32_t> expected = chat["completion_tokens"];
    EXPECT_EQ(greedy(*backend, model, chat["prompt_tokens"], expected.size()), expected) << prompt;
  }
  const std::vector<int32_t> story = reference_json()["story"]["tokens"];
  const size_t n_prompt = 9;  // its first tokens are the prompt, the rest is greedy
  const std::vector<int32_t> head(story.begin(), story.begin() + n_prompt);
  const std::vector<int32_t> rest = greedy(*backend, model, head, story.size() - n_prompt);
  EXPECT_EQ(rest, std::vector<int32_t>(story.begin() + n_prompt, story.end()));
}

// Splitting a sequence changes nothing in the reference backend, and stays within the class elsewhere.
TEST_P(Golden, Splits) {
  const std::vector<int32_t> tokens = sequence_tokens("logits_1500");
  const std::vector<std::vector<size_t>> patterns = {
      {1}, {7}, {64}, {129}, {63, 1, 66, 3, 512}, {127}, {128, 872}, {999, 501}, {1000, 1, 499}};
  for (const bool rounding : {false, true}) {
    const Model& model = model_of("tiny-q4.gguf").model;
    const std::vector<int32_t> part(tokens.begin(), tokens.begin() + 1100);
    const auto backend = make_backend(GetParam(), model, rounding, 1500);
    const std::vector<float> whole = all_logits(*backend, model, part, {part.size()});
    const std::vector<float> judge =
        GetParam() == "reference"
            ? whole
            : all_logits(*make_backend("reference", model, rounding, 1500), model, part, {1100});
    for (const auto& pattern : patterns) {
      const std::vector<float> split = all_logits(*backend, model, part, pattern);
      const std::string what =
          GetParam() + " slices of " + testing::PrintToString(pattern) + (rounding ? " on" : " off");
      if (GetParam() == "reference") {
        EXPECT_TRUE(split == whole) << what;
      } else if (rounding) {
        expect_within(distance(split, judge, model.shape.vocab), kFloat32On, what);
      } else {
        expect_within(distance(split, whole, model.shape.vocab), kFloat32Off, what);
      }
    }
  }
}

TEST_P(Golden, AnyNumberOfThreadsGivesTheSameBits) {
  const Model& model = model_of("tiny-q2.gguf").model;
  const std::vector<int32_t> tokens = sequence_tokens("logits_300");
  const std::vector<float> one =
      all_logits(*make_backend(GetParam(), model, true, 512, 1), model, tokens, {128});
  for (unsigned n_threads : {2u, 3u, 7u}) {
    EXPECT_TRUE(one ==
                all_logits(*make_backend(GetParam(), model, true, 512, n_threads), model, tokens, {128}))
        << n_threads << " threads";
  }
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const BackendCase& c : backend_cases()) names.push_back(c.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Backends, Golden, testing::ValuesIn(backend_names()),
                         [](const auto& param_info) { return param_info.param; });

}  // namespace
}  // namespace halyard::test
