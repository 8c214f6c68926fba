// Damaged copies of the tiny models are refused with an Error or loaded, and then a few tokens are evaluated:
// never a crash, a hang, or more memory than the limit given. All in one process, over the library.
#include "hostile/damage.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <utility>

#include "halyard/inspect.h"
#include "platform/memory.h"
#include "platform/paths.h"
#include "support/memory_engine.h"
#include "support/rewrite_model.h"

namespace halyard::test {
namespace {

// 1: all copies; n: one in n, where the build or the system is slow.
constexpr uint64_t kOneIn = HALYARD_DAMAGE_ONE_IN;

constexpr uint64_t kEveryCutBelow = 100 * 1024, kRandomCuts = 1000, kChanges = 10000,
                   kChangesOfNumbers = 2000, kChangesOfWeights = 200;
constexpr uint64_t kMemoryLimit = uint64_t{128} << 20;
// Above the limit: the copied model, the tokenizer, and what an address sanitizer holds back.
constexpr uint64_t kMostMemory = uint64_t{1} << 30;

struct Outcome {
  uint64_t n_refused = 0, n_loaded = 0;
};

void print(const std::string& what, const Outcome& outcome) {
  std::printf("%s: seed %llu, %llu refused, %llu loaded; peak of the process %llu MiB\n", what.c_str(),
              static_cast<unsigned long long>(kDamageSeed),
              static_cast<unsigned long long>(outcome.n_refused),
              static_cast<unsigned long long>(outcome.n_loaded),
              static_cast<unsigned long long>(peak_resident_bytes() >> 20));
}

// Opens the model and evaluates a slice and a single token.
bool survives(std::span<const std::byte> file) {
  EngineOptions options;
  options.backend = "cpu";
  options.n_threads = 1;
  options.slice_tokens = 128;
  options.memory_limit_bytes = kMemoryLimit;
  try {
    const auto engine = open_in_memory(file, options);
    Session session = engine->new_session(8);
    std::vector<int32_t> tokens = engine->encode_text("Hi there");
    tokens.resize(5);
    session.evaluate(tokens);
    const int32_t next = static_cast<int32_t>(engine->model().vocab - 1);
    session.evaluate({&next, 1});
    EXPECT_EQ(session.logits().size(), engine->model().vocab);
    return true;
  } catch (const Error& error) {
    EXPECT_FALSE(error.problem().empty());
    return false;
  }
}

class Damaged : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    path_ = path_from_utf8(HALYARD_SHARED_DIR) / "reference" / (GetParam() + ".gguf");
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << "no " << path_;
    file_ = read_all(path_);
    head_bytes_ = gguf::parse(file_, file_.size(), GetParam()).data_offset;
    ASSERT_TRUE(survives(file_)) << "undamaged";
  }
  void TearDown() override { EXPECT_LT(peak_resident_bytes(), kMostMemory); }
  void count(Outcome& outcome, bool loaded) const { ++(loaded ? outcome.n_loaded : outcome.n_refused); }
  void try_change(const Damage& damage, Outcome& outcome) {
    SCOPED_TRACE(damage.text());
    const std::byte before = std::exchange(file_[damage.at], damage.value);
    count(outcome, survives(file_));
    file_[damage.at] = before;
  }

  std::filesystem::path path_;
  std::vector<std::byte> file_;
  uint64_t head_bytes_ = 0;
};

TEST_P(Damaged, CutAtEveryByteOfTheFirst100KB) {
  Outcome outcome;
  for (uint64_t n = 0; n < kEveryCutBelow; n += kOneIn) {
    // In memory of exactly that size, so that a read beyond it is seen by the address sanitizer.
    const std::vector<std::byte> cut(file_.begin(), file_.begin() + static_cast<std::ptrdiff_t>(n));
    count(outcome, survives(cut));
    if (n % 64 == 0) {  // as a prefix of a file that goes on
      EXPECT_THROW(gguf::parse(cut, file_.size(), GetParam()), Error) << n;
    }
  }
  print(GetParam() + " cut in the first 100 KB", outcome);
  EXPECT_EQ(outcome.n_loaded, 0u);
}

TEST_P(Damaged, CutAtRandomPlaces) {
  DamageSource source(file_);
  Outcome outcome;
  for (uint64_t i = 0; i < kRandomCuts; i += kOneIn) {
    const Damage damage = source.cut(file_.size());
    SCOPED_TRACE(damage.text());
    count(outcome, survives(std::span(file_).first(damage.at)));
  }
  print(GetParam() + " cut anywhere", outcome);
  EXPECT_EQ(outcome.n_loaded, 0u);
}

TEST_P(Damaged, OneByteOfHeaderOrDirectoryChanged) {
  DamageSource source(file_);
  Outcome outcome;
  for (uint64_t i = 0; i < kChanges; i += kOneIn) try_change(source.change(head_bytes_), outcome);
  print(GetParam() + " changed in header or directory", outcome);
  EXPECT_GT(outcome.n_refused, 0u);
}

// Most bytes of the directory are words, and few damages of those load: so the numbers get their own round.
TEST_P(Damaged, OneByteOutsideTheVocabularyChanged) {
  const gguf::Header header = gguf::parse(file_, file_.size(), GetParam());
  const auto is_word = [&](uint64_t at) {
    for (const char* key : {"tokens", "token_type", "merges"}) {
      const auto& array = std::get<gguf::Array>(header.find(std::string("tokenizer.ggml.") + key)->data);
      const auto begin = static_cast<uint64_t>(array.bytes.data() - file_.data());
      if (at >= begin && at < begin + array.bytes.size()) return true;
    }
    return false;
  };
  DamageSource source(file_, kDamageSeed + 1);
  Outcome outcome;
  for (uint64_t i = 0; i < kChangesOfNumbers; i += kOneIn) {
    Damage damage = source.change(head_bytes_);
    while (is_word(damage.at)) damage = source.change(head_bytes_);
    try_change(damage, outcome);
  }
  print(GetParam() + " changed outside the vocabulary", outcome);
}

TEST_P(Damaged, OneByteOfTheWeightsChanged) {
  DamageSource source(file_, kDamageSeed + 2);
  Outcome outcome;
  for (uint64_t i = 0; i < kChangesOfWeights; i += kOneIn) {
    Damage damage = source.change(file_.size());
    while (damage.at < head_bytes_) damage = source.change(file_.size());
    try_change(damage, outcome);
  }
  print(GetParam() + " changed in the weights", outcome);
  EXPECT_GT(outcome.n_loaded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Models, Damaged,
                         testing::Values("tiny-f16", "tiny-q8", "tiny-q4", "tiny-mxfp4", "tiny-q2"),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           name[4] = '_';
                           return name;
                         });

}  // namespace
}  // namespace halyard::test
