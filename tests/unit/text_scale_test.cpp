// Splitting, encoding and opening a directory take a number of steps that grows with their input, whatever it
// is. Not timed: the sources at work are compiled for this program so that every basic block of theirs
// reports (tests/unit/CMakeLists.txt), the queues, hash tables and sorts that they take from headers among
// them. What is compiled elsewhere, such as memmove, counts as one step.
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/text_samples.h"
#include "engine/vocabulary.h"
#include "gguf/gguf.h"
#include "models/builtin_model.h"
#include "text/pretokenizer.h"
#include "text/tokenizer.h"

namespace {
uint64_t n_blocks = 0;
}

// The compiler puts a call of this at the start of each block.
extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() {
  ++n_blocks;
}

namespace halyard {
namespace {

constexpr uint64_t kShort = uint64_t{1} << 12, kLong = uint64_t{1} << 16;

template <typename Action>
uint64_t steps_of(const Action& action) {
  const uint64_t before = n_blocks;
  action();
  return n_blocks - before;
}

// A power of 1.1 at most: a logarithm more is within it at these sizes, a root more is not.
void expect_linear(uint64_t few, uint64_t many, uint64_t times_more) {
  EXPECT_GT(few, 0u);
  const double growth = static_cast<double>(many) / static_cast<double>(few);
  EXPECT_LE(growth, std::pow(static_cast<double>(times_more), 1.1)) << few << " and " << many << " steps";
}

Tokenizer tokenizer_of(std::span<const std::byte> file) {
  const gguf::Header header = gguf::parse(file, file.size(), "test");
  return read_tokenizer(header, static_cast<uint32_t>(header.string_list("tokenizer.ggml.tokens").size()));
}

void expect_linear_encoding(const Tokenizer& tokenizer) {
  for (const TextSample& sample : text_samples()) {
    SCOPED_TRACE(std::string(sample.name));
    const auto steps = [&](uint64_t n_bytes) {
      const std::string text = sample.make(n_bytes);
      std::vector<int32_t> tokens;
      const uint64_t n = steps_of([&] { tokens = tokenizer.encode_plain(text); });
      EXPECT_EQ(tokenizer.decode(tokens), text);
      return n;
    };
    const uint64_t few = steps(kShort), many = steps(kLong);
    std::printf("%-16s %5.1f and %5.1f steps a byte\n", std::string(sample.name).c_str(),
                static_cast<double>(few) / kShort, static_cast<double>(many) / kLong);
    expect_linear(few, many, kLong / kShort);
  }
}

TEST(TextScale, EncodingUnderTheBuiltInVocabulary) {
  expect_linear_encoding(tokenizer_of(builtin_model()));
}

TEST(TextScale, EncodingUnderALargeVocabulary) {
  const std::vector<std::byte> file = sample_directory();
  expect_linear_encoding(tokenizer_of(file));
}

uint64_t steps_of_splitting(const std::string& text) {
  size_t n_bytes = 0;
  const uint64_t n =
      steps_of([&] { for_each_piece(text, [&](std::string_view piece) { n_bytes += piece.size(); }); });
  EXPECT_EQ(n_bytes, text.size());
  return n;
}

// Long runs of each kind of character, in front of each other and mixed.
TEST(TextScale, Splitting) {
  constexpr uint64_t kFew = 256, kMany = 4096;
  constexpr const char* kKinds[] = {"a", "é", "\u0301", "7", "!", "+", " ", "\n", "世", "\xff", "\u2028"};
  const auto repeated = [](const std::string& unit, uint64_t times) {
    std::string text;
    for (uint64_t i = 0; i < times; ++i) text += unit;
    return text;
  };
  for (const std::string one : kKinds) {
    for (const std::string other : kKinds) {
      SCOPED_TRACE(one + other);
      const auto runs = [&](uint64_t n) { return repeated(one, n) + repeated(other, n); };
      const auto mixed = [&](uint64_t n) { return repeated(one + other + other, n) + "a"; };
      expect_linear(steps_of_splitting(runs(kFew)), steps_of_splitting(runs(kMany)), kMany / kFew);
      expect_linear(steps_of_splitting(mixed(kFew)), steps_of_splitting(mixed(kMany)), kMany / kFew);
    }
  }
}

TEST(TextScale, OpeningADirectory) {
  const auto steps = [](uint32_t divisor) {
    const std::vector<std::byte> file = sample_directory(divisor);
    return steps_of([&] { EXPECT_EQ(tokenizer_of(file).size(), kSampleTokens / divisor); });
  };
  const uint64_t whole = steps(1), half = steps(2), quarter = steps(4);
  std::printf("%.1f, %.1f and %.1f steps a token\n", 4.0 * static_cast<double>(quarter) / kSampleTokens,
              2.0 * static_cast<double>(half) / kSampleTokens, static_cast<double>(whole) / kSampleTokens);
  expect_linear(half, whole, 2);
  expect_linear(quarter, whole, 4);
}

TEST(TextScale, TheSamplesAreAsLongAsAskedAndTheSameEachTime) {
  for (const TextSample& sample : text_samples()) {
    EXPECT_EQ(sample.make(1001).size(), 1001u) << sample.name;
    EXPECT_EQ(sample.make(1001), sample.make(1001)) << sample.name;
  }
}

// Halves merge into words of 2, 4, 8 and 16 bytes, so that the merges of a large vocabulary are at work.
TEST(TextScale, TheSampleVocabularyIsThatLargeAndMerges) {
  const std::vector<std::byte> file = sample_directory();
  const Tokenizer tokenizer = tokenizer_of(file);
  EXPECT_EQ(tokenizer.size(), kSampleTokens);
  EXPECT_EQ(gguf::parse(file, file.size(), "test").string_list("tokenizer.ggml.merges").size(),
            kSampleMerges);
  for (const int32_t id : {256, 33024, 65792, 98560}) {
    const std::string_view bytes = tokenizer.bytes_of(id);
    EXPECT_EQ(tokenizer.find(bytes), id);
  }
  EXPECT_EQ(tokenizer.bytes_of(98560).size(), 16u);
}

}  // namespace
}  // namespace halyard
