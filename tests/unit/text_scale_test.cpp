// Encoding takes a number of steps that grows with the text, whatever the text is. Counted, not timed.
#include <gtest/gtest.h>

#include "engine/text_samples.h"
#include "engine/vocabulary.h"
#include "gguf/gguf.h"
#include "models/builtin_model.h"
#include "text/tokenizer.h"

namespace halyard {
namespace {

constexpr uint64_t kShort = uint64_t{1} << 16, kLong = uint64_t{1} << 20;

Tokenizer tokenizer_of(std::span<const std::byte> file) {
  const gguf::Header header = gguf::parse(file, file.size(), "test");
  return read_tokenizer(header, static_cast<uint32_t>(header.string_list("tokenizer.ggml.tokens").size()));
}

uint64_t steps(const Tokenizer& tokenizer, const std::string& text) {
  uint64_t n = 0;
  EXPECT_EQ(tokenizer.decode(tokenizer.encode_plain(text, &n)), text);
  return n;
}

// A piece of n bytes has n - 1 pairs at first; each of at most n - 1 merges makes two new ones at most. All
// are queued and taken once.
void expect_linear(const Tokenizer& tokenizer) {
  for (const TextSample& sample : text_samples()) {
    SCOPED_TRACE(std::string(sample.name));
    const uint64_t few = steps(tokenizer, sample.make(kShort)), many = steps(tokenizer, sample.make(kLong));
    EXPECT_LE(few, 6 * kShort);
    EXPECT_LE(many, 6 * kLong);
    const double growth = static_cast<double>(many + kLong) / static_cast<double>(few + kShort);
    EXPECT_NEAR(growth, kLong / kShort, 0.2) << few << " and " << many << " steps";
  }
}

TEST(TextScale, StepsGrowWithTheTextUnderTheBuiltInVocabulary) {
  expect_linear(tokenizer_of(builtin_model()));
}

TEST(TextScale, StepsGrowWithTheTextUnderALargeVocabulary) {
  const std::vector<std::byte> file = sample_directory();
  expect_linear(tokenizer_of(file));
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
