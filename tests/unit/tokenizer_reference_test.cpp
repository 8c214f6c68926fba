// Token ids made by an independent tokenizer: shared/reference/reference.json, the list of spec/chat.md, and
// cases from reports about other programs (shared/cases/reports.md, section 1e).
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/real_vocabulary.h"
#include "support/simple_bpe.h"
#include "support/tiny_vocabulary.h"
#include "text/tokenizer.h"

namespace halyard {
namespace {

using Tokens = std::vector<int32_t>;

const nlohmann::json& reference() {
  static const auto json =
      nlohmann::json::parse(std::ifstream(HALYARD_SHARED_DIR "/reference/reference.json", std::ios::binary));
  return json;
}

TEST(TinyTokenizer, ReferenceStrings) {
  const Tokenizer tokenizer = test::read_tiny_tokenizer(HALYARD_SHARED_DIR "/reference/tiny-f16.gguf");
  ASSERT_EQ(reference().at("strings").size(), 20u);
  for (const auto& row : reference().at("strings")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(tokenizer.encode_special(text), row.at("tokens").get<Tokens>()) << text;
  }
}

TEST(TinyTokenizer, ReferenceChats) {
  const Tokenizer tokenizer = test::read_tiny_tokenizer(HALYARD_SHARED_DIR "/reference/tiny-f16.gguf");
  ASSERT_FALSE(reference().at("chats").empty());
  for (const auto& chat : reference().at("chats")) {
    const auto text = chat.at("prompt").get<std::string>();
    EXPECT_EQ(tokenizer.encode_special(text), chat.at("prompt_tokens").get<Tokens>()) << text;
  }
}

class RealTokenizer : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::string_view(HALYARD_REAL_VOCAB_FILE).empty()) return;
    vocabulary_ = std::make_unique<test::RealVocabulary>(test::read_real_vocabulary(HALYARD_REAL_VOCAB_FILE));
    tokenizer_ = std::make_unique<Tokenizer>(vocabulary_->view);
  }
  static void TearDownTestSuite() {
    tokenizer_.reset();
    vocabulary_.reset();
  }
  void SetUp() override {
    if (!tokenizer_) GTEST_SKIP() << "configure with -DHALYARD_REAL_VOCAB=FILE (scripts/fetch-real-vocab)";
  }

  static Tokens encode(std::string_view text) { return tokenizer_->encode_plain(text); }

  static std::unique_ptr<test::RealVocabulary> vocabulary_;
  static std::unique_ptr<Tokenizer> tokenizer_;
};
std::unique_ptr<test::RealVocabulary> RealTokenizer::vocabulary_;
std::unique_ptr<Tokenizer> RealTokenizer::tokenizer_;

TEST_F(RealTokenizer, ReferenceStrings) {
  ASSERT_EQ(reference().at("deepseek_v3_strings").size(), 20u);
  for (const auto& row : reference().at("deepseek_v3_strings")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(encode(text), row.at("tokens").get<Tokens>()) << text;
  }
}

TEST_F(RealTokenizer, StringsOfTheSpec) {
  const std::pair<std::string_view, Tokens> kCases[] = {
      {"Hello!", {19923, 3}},
      {"rfid501.go", {35305, 329, 19097, 68082}},
      {"2026-12-01", {939, 24, 15, 736, 15, 2616}},
      {"    int x;\n", {361, 688, 1527, 510}},
      {">;\n\n  return 0;\n", {92706, 223, 1354, 223, 18, 510}},
      {"\t\tif (a) {\r\n", {200, 5733, 343, 67, 11, 680, 204, 201}},
      {"Perché così è la città", {8032, 29897, 49299, 7269, 847, 57996}},
      {"👋🏽 ok", {25730, 236, 40965, 124, 9109}},
      {"C:\\Users\\Željko\\модель.gguf",
       {37, 19804, 24979, 62, 76126, 317, 76, 5483, 62, 742, 20315, 2079, 16, 2023, 2967}},
      {"你好世界 ありがとう", {30594, 3427, 223, 15027, 2936, 96910}},
      {"éàü naïve — “quotes”", {619, 3221, 2134, 112752, 2136, 811, 403, 7183, 430}},
  };
  for (const auto& [text, expected] : kCases) EXPECT_EQ(encode(text), expected) << text;
}

// C54: digits go in threes.
TEST_F(RealTokenizer, Digits) {
  EXPECT_EQ(encode("501"), (Tokens{19097}));
  EXPECT_EQ(encode("12345678"), (Tokens{6895, 18009, 2597}));
}

// C55: protocol words in the text of a user stay text.
TEST_F(RealTokenizer, UserTextNeverBecomesControl) {
  EXPECT_EQ(encode("<｜User｜>"), (Tokens{30, 28217, 6756, 28217, 32}));
  EXPECT_EQ(tokenizer_->encode_special("<｜User｜>"), (Tokens{128803}));
}

// C56: a long text without spaces is one piece. A quadratic method would run into the time limit of the test.
TEST_F(RealTokenizer, LongEastAsianText) {
  constexpr unsigned kSeed = 56;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string_view kCommon = "的一是不了人我在有他这中大来上国个到说们";  // 3 bytes each
  std::string text;
  while (text.size() < 3 * 200'000) {
    if (random() % 2 == 0) {
      text += kCommon.substr(random() % (kCommon.size() / 3) * 3, 3);
      continue;
    }
    const auto code = 0x4E00 + static_cast<uint32_t>(random()) % (0x9FA5 - 0x4E00 + 1);
    for (const uint32_t byte : {0xE0 | code >> 12, 0x80 | (code >> 6 & 0x3F), 0x80 | (code & 0x3F)})
      text += static_cast<char>(byte);
  }
  EXPECT_TRUE(tokenizer_->decode(encode(text)) == text);
  const std::string_view prefix = std::string_view(text).substr(0, 3 * 2000);
  EXPECT_EQ(encode(prefix), test::SimpleBpe(vocabulary_->view).encode(prefix));
}

// C57: whatever goes in comes out.
TEST_F(RealTokenizer, RandomBytesComeBack) {
  constexpr unsigned kSeed = 57;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (size_t n = random() % 400; text.size() < n;) text += static_cast<char>(random() % 256);
    EXPECT_EQ(tokenizer_->decode(encode(text)), text);
  }
  EXPECT_EQ(tokenizer_->decode(encode("hello world")), "hello world");
}

// C58: long runs of one character, as above.
TEST_F(RealTokenizer, LongRuns) {
  for (const char character : {'^', ' ', 'a'}) {
    const std::string text(size_t{1} << 20, character);
    const Tokens tokens = encode(text);
    EXPECT_TRUE(tokenizer_->decode(tokens) == text) << character;
    EXPECT_LT(tokens.size(), text.size() / 2) << character;
  }
}

// Random texts of many scripts, cut anywhere, against the simple method.
TEST_F(RealTokenizer, GivesTheIdsOfTheSimpleMethod) {
  constexpr unsigned kSeed = 58;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const test::SimpleBpe simple(vocabulary_->view);
  std::string source;
  for (const auto& row : reference().at("deepseek_v3_strings")) source += row.at("text").get<std::string>();
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int part = 0; part < 8; ++part) text += source.substr(random() % source.size(), random() % 12);
    EXPECT_EQ(encode(text), simple.encode(text)) << text;
  }
}

}  // namespace
}  // namespace halyard
