// Files as llama.cpp's converter writes them give what the same model gives in the published form (spec A.2,
// A.6).
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "support/memory_engine.h"
#include "support/reference_data.h"
#include "support/rewrite_model.h"

namespace halyard::test {
namespace {

// Enough that the indexer's selection binds (32 rows of 4 tokens), unless sanitizers make that slow.
#ifdef HALYARD_SANITIZED
constexpr size_t kTokens = 24;
#else
constexpr size_t kTokens = 150;
#endif

std::vector<int32_t> some_tokens() {
  std::vector<int32_t> tokens(kTokens);
  for (size_t i = 0; i < kTokens; ++i) tokens[i] = static_cast<int32_t>(100 + i * 37 % 3000);
  return tokens;
}

std::vector<float> logits(std::span<const std::byte> file, const std::string& backend = "reference") {
  EngineOptions options;
  options.backend = backend;
  options.n_threads = 2;
  options.cache_rounding = false;
  return logits_of(*open_in_memory(file, options), some_tokens());
}

const std::vector<float>& original_logits() {
  static const std::vector<float> original = logits(tiny_model());
  return original;
}

void expect_same_bits(const std::vector<float>& result, const std::vector<float>& expected) {
  ASSERT_EQ(result.size(), expected.size());
  const auto difference = std::mismatch(result.begin(), result.end(), expected.begin());
  EXPECT_EQ(difference.first, result.end()) << "from value " << difference.first - result.begin() << " on";
}

void expect_same_as_original(const ModelRewriter& model) {
  expect_same_bits(logits(model.file()), original_logits());
}

class Dialect : public testing::Test {
 protected:
  ModelRewriter model_{tiny_model()};
};

TEST_F(Dialect, ACopyIsTheSame) {
  expect_same_as_original(model_);
}

// What the published files store as F16.
constexpr const char* kHalfTensors[] = {"token_embd", "_fn.", "compressor", "indexer", "gate_inp"};

TEST_F(Dialect, F32InPlaceOfF16) {
  for (const char* name : kHalfTensors) model_.convert(name, Format::kF32);
  expect_same_as_original(model_);
  expect_within(distance(logits(model_.file(), "cpu"), original_logits(), 4096), kFloat32Off, "cpu");
}

// BF16 has fewer bits than F16: the judge is a file with the same values in F32.
TEST_F(Dialect, Bf16InPlaceOfF16) {
  ModelRewriter judge(tiny_model());
  for (const char* name : kHalfTensors) {
    model_.convert(name, Format::kBF16);
    judge.convert(name, Format::kBF16);
    judge.convert(name, Format::kF32);
  }
  const std::vector<float> result = logits(model_.file());
  expect_same_bits(result, logits(judge.file()));
  EXPECT_LT(distance(result, original_logits(), 4096).median(), 5e-2);  // the same model, after all
  expect_within(distance(logits(model_.file(), "cpu"), result, 4096), kFloat32Off, "cpu");
}

TEST_F(Dialect, OutputAndAllElseInOneFormat) {
  model_.convert("", Format::kF32);
  expect_same_as_original(model_);
}

TEST_F(Dialect, VectorsInHalfFloats) {
  ModelRewriter judge(tiny_model());
  for (const char* name : {"blk.2.attn_norm.weight", "blk.3.attn_sinks.weight", "output_norm.weight"}) {
    model_.tensor(name).convert(Format::kF16);
    judge.tensor(name).convert(Format::kF16);
    judge.tensor(name).convert(Format::kF32);
  }
  expect_same_bits(logits(model_.file()), logits(judge.file()));
}

TEST_F(Dialect, MoreRatiosThanLayers) {
  std::vector<int32_t> ratios = {0, 0, 4, 128, 4, 128, 4};
  model_.set("deepseek4.attention.compress_ratios", list(ratios));
  expect_same_as_original(model_);
  ratios.resize(44, 0);
  model_.set("deepseek4.attention.compress_ratios", list(ratios));
  expect_same_as_original(model_);
}

TEST_F(Dialect, WithoutVocabSize) {
  model_.drop("deepseek4.vocab_size");
  expect_same_as_original(model_);
}

TEST_F(Dialect, ScalarClamps) {
  model_.set("deepseek4.swiglu_clamp_exp", value(10.0f));
  expect_same_as_original(model_);
  model_.set("deepseek4.swiglu_clamp_shexp", value(10.0));
  expect_same_as_original(model_);
}

TEST_F(Dialect, SharedClampsDefaultToThoseOfTheExperts) {
  const std::vector<float> low(6, 0.25f), high(6, 10.0f);
  model_.set("deepseek4.swiglu_clamp_exp", list(low));
  const std::vector<float> absent = logits(model_.file());
  model_.set("deepseek4.swiglu_clamp_shexp", list(low));
  expect_same_bits(absent, logits(model_.file()));
  model_.set("deepseek4.swiglu_clamp_shexp", list(high));
  EXPECT_NE(absent, logits(model_.file()));
}

TEST_F(Dialect, OtherNumberTypes) {
  model_.set("deepseek4.block_count", value<uint64_t>(6));
  model_.set("deepseek4.embedding_length", value<int32_t>(256));
  model_.set("deepseek4.expert_count", value<int64_t>(8));
  model_.set("deepseek4.attention.head_count", value<uint16_t>(8));
  model_.set("deepseek4.expert_used_count", value<uint8_t>(3));
  model_.set("deepseek4.rope.scaling.factor", value(8.0));
  model_.set("deepseek4.rope.freq_base", value<uint32_t>(10000));
  model_.set("deepseek4.rope.scaling.original_context_length", value<uint64_t>(512));
  model_.set("deepseek4.swiglu_clamp_exp", list(std::vector<double>(6, 10.0)));
  model_.set("deepseek4.attention.compress_ratios", list(std::vector<int64_t>{0, 0, 4, 128, 4, 128}));
  model_.set("tokenizer.ggml.bos_token_id", value<int32_t>(0));
  expect_same_as_original(model_);
}

TEST_F(Dialect, KeysThatOneOfTheTwoLoadersNeeds) {
  for (const char* key : {"rope.scaling.type", "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow",
                          "expert_gating_func", "expert_weights_norm", "context_length"}) {
    model_.drop(std::string("deepseek4.") + key);
  }
  model_.set("deepseek4.nextn_predict_layers", value<uint32_t>(1));
  model_.set("deepseek4.embedding_length_out", value<uint32_t>(1024));
  model_.set("tokenizer.chat_template", text("{{ messages }}"));
  expect_same_as_original(model_);
}

TEST_F(Dialect, AnyOrderOfTensors) {
  constexpr uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  for (size_t i = model_.tensors.size() - 1; i > 0; --i)
    std::swap(model_.tensors[i], model_.tensors[random() % (i + 1)]);
  expect_same_as_original(model_);
}

TEST_F(Dialect, AnyAlignment) {
  for (const uint32_t alignment : {8u, 64u, 4096u, 65536u}) {
    model_.set_alignment(alignment);
    expect_same_as_original(model_);
  }
}

TEST_F(Dialect, TensorsOfTheMtpBlockAreLeftAlone) {
  for (const char* name : {"blk.6.nextn.eh_proj.weight", "blk.6.nextn.enorm.weight", "mtp.0.norm.weight"}) {
    TensorCopy extra = model_.tensor("output_norm.weight");
    extra.name = name;
    model_.tensors.insert(model_.tensors.begin() + 3, extra);
  }
  expect_same_as_original(model_);
}

TEST_F(Dialect, AnotherNameForATensorIsRefusedByName) {
  model_.tensor("blk.2.attn_kv.weight").name = "blk.2.attn_kv_latent.weight";
  try {
    logits(model_.file());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("blk.2.attn_kv.weight"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace halyard::test
