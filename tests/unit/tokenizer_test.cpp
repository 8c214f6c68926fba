#include "text/tokenizer.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "support/simple_bpe.h"

namespace halyard {
namespace {

using namespace std::string_literals;
using Tokens = std::vector<int32_t>;

// A small vocabulary: the 256 bytes in the order of the byte alphabet, then what `add_merge` and
// `add_special` add.
struct SmallVocabulary {
  std::vector<std::string> tokens, merges;
  std::vector<int64_t> types;

  SmallVocabulary() {
    for (int byte = 0; byte < 256; ++byte) {
      if (is_printable(byte)) add(letter(byte), TokenType::kNormal);
    }
    for (int code = 256; code < 256 + 68; ++code) add(letter(code), TokenType::kNormal);
  }

  int32_t add(const std::string& text, TokenType type) {
    tokens.push_back(text);
    types.push_back(static_cast<int64_t>(type));
    return static_cast<int32_t>(tokens.size()) - 1;
  }
  int32_t add_merge(const std::string& left, const std::string& right) {
    merges.push_back(left + " " + right);
    return add(left + right, TokenType::kNormal);
  }

  Vocabulary view() const {
    Vocabulary vocabulary;
    vocabulary.tokens.assign(tokens.begin(), tokens.end());
    vocabulary.merges.assign(merges.begin(), merges.end());
    vocabulary.types = types;
    return vocabulary;
  }
  Tokenizer tokenizer() const { return Tokenizer(view()); }

  static bool is_printable(int byte) { return (byte > 32 && byte < 127) || (byte > 160 && byte != 173); }
  static std::string letter(int code) {
    if (code < 128) return {static_cast<char>(code)};
    return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  }
};

// Merges of random neighbours over few letters, so that ranks disagree with lengths and candidates overlap.
SmallVocabulary random_vocabulary(std::mt19937& random, int n_merges) {
  SmallVocabulary vocabulary;
  std::vector<std::string> words = {"a", "b", "c"};
  while (static_cast<int>(vocabulary.merges.size()) < n_merges) {
    const std::string left = words[random() % words.size()];
    const std::string right = words[random() % words.size()];
    if (left.size() + right.size() > 8) continue;
    vocabulary.add_merge(left, right);
    words.push_back(left + right);
  }
  return vocabulary;
}

std::string random_text(std::mt19937& random, size_t n_bytes, std::string_view pool) {
  std::string text;
  while (text.size() < n_bytes) text += pool[random() % pool.size()];
  return text;
}

TEST(Tokenizer, MergesLowestRankFirstAndLeftmostOnTies) {
  SmallVocabulary vocabulary;
  const int32_t bc = vocabulary.add_merge("b", "c");
  const int32_t ab = vocabulary.add_merge("a", "b");
  const int32_t aa = vocabulary.add_merge("a", "a");
  const Tokenizer tokenizer = vocabulary.tokenizer();
  const int32_t a = *tokenizer.find("a");
  EXPECT_EQ(tokenizer.encode_plain("abc"), (Tokens{a, bc}));
  EXPECT_EQ(tokenizer.encode_plain("aaa"), (Tokens{aa, a}));
  EXPECT_EQ(tokenizer.encode_plain("aab"), (Tokens{a, ab}));
  EXPECT_EQ(tokenizer.encode_plain(""), Tokens{});
}

TEST(Tokenizer, ChangesOfANeighbourMakeACandidateVoid) {
  SmallVocabulary vocabulary;
  vocabulary.add_merge("a", "b");
  const int32_t abc = vocabulary.add_merge("ab", "c");
  vocabulary.add_merge("c", "d");
  const Tokenizer tokenizer = vocabulary.tokenizer();
  EXPECT_EQ(tokenizer.encode_plain("abcd"), (Tokens{abc, *tokenizer.find("d")}));
}

TEST(Tokenizer, NoWordIsLookedUpWholeBeforeMerging) {
  SmallVocabulary vocabulary;
  vocabulary.add("abc", TokenType::kNormal);
  EXPECT_EQ(vocabulary.tokenizer().encode_plain("abc").size(), 3u);
}

TEST(Tokenizer, GivesTheIdsOfTheSimpleMethod) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const SmallVocabulary vocabulary = random_vocabulary(random, 1 + static_cast<int>(seed) * 2);
    const Tokenizer tokenizer = vocabulary.tokenizer();
    const test::SimpleBpe simple(vocabulary.view());
    for (int round = 0; round < 40; ++round) {
      const std::string text =
          random_text(random, 1 + random() % 200, round % 2 ? "abc" : "aaaabbbbccccc 1,\n");
      const Tokens tokens = tokenizer.encode_plain(text);
      ASSERT_EQ(tokens, simple.encode(text)) << text;
      ASSERT_EQ(tokenizer.decode(tokens), text);
    }
  }
}

TEST(Tokenizer, AnyBytesComeBack) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  SmallVocabulary vocabulary = random_vocabulary(random, 30);
  vocabulary.add("<tag>", TokenType::kControl);
  const Tokenizer tokenizer = vocabulary.tokenizer();
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (int round = 0; round < 200; ++round) {
    std::string text = random_text(random, random() % 300, every_byte);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode_plain(text)), text);
    text.insert(random() % (text.size() + 1), "<tag>");
    EXPECT_EQ(tokenizer.decode(tokenizer.encode_special(text)), text);
  }
}

TEST(Tokenizer, OnlyTheSpecialEncoderMakesSpecialTokens) {
  SmallVocabulary vocabulary;
  const int32_t think = vocabulary.add("<think>", TokenType::kUserDefined);
  const int32_t user = vocabulary.add("<｜User｜>", TokenType::kControl);
  const int32_t shorter = vocabulary.add("<｜", TokenType::kControl);
  vocabulary.add("<unused>", TokenType::kUnused);
  const Tokenizer tokenizer = vocabulary.tokenizer();
  const int32_t x = *tokenizer.find("x");

  EXPECT_EQ(tokenizer.encode_special("<think>x<｜User｜><｜x"), (Tokens{think, x, user, shorter, x}));
  EXPECT_EQ(tokenizer.encode_special("<think"), tokenizer.encode_plain("<think"));
  EXPECT_EQ(tokenizer.encode_special("<unused>").size(), 8u);
  EXPECT_EQ(tokenizer.encode_special("<｜User｜"s).front(), shorter);
  for (const int32_t token : tokenizer.encode_plain("<think>x<｜User｜><｜x"))
    EXPECT_EQ(tokenizer.type_of(token), TokenType::kNormal);
}

TEST(Tokenizer, KnowsItsTokens) {
  SmallVocabulary vocabulary;
  const int32_t space_a = vocabulary.add_merge("Ġ", "a");
  const int32_t think = vocabulary.add("<think>", TokenType::kUserDefined);
  const int32_t unused = vocabulary.add("[PAD]", TokenType::kUnused);
  Vocabulary view = vocabulary.view();
  view.bos = 3;
  view.eos = 4;
  const Tokenizer tokenizer(view);

  EXPECT_EQ(tokenizer.size(), vocabulary.tokens.size());
  EXPECT_EQ(tokenizer.bytes_of(space_a), " a");
  EXPECT_EQ(tokenizer.bytes_of(think), "<think>");
  EXPECT_EQ(tokenizer.bytes_of(*tokenizer.find("\x80")), "\x80");
  EXPECT_EQ(tokenizer.find(" a"), space_a);
  EXPECT_EQ(tokenizer.find("<think>"), think);
  EXPECT_EQ(tokenizer.find("<think"), std::nullopt);
  EXPECT_EQ(tokenizer.find(""), std::nullopt);
  EXPECT_EQ(tokenizer.type_of(unused), TokenType::kUnused);
  EXPECT_EQ(tokenizer.bos(), 3);
  EXPECT_EQ(tokenizer.eos(), 4);
  EXPECT_EQ(tokenizer.pad(), std::nullopt);
  for (const int32_t outside : {-1, static_cast<int32_t>(tokenizer.size())}) {
    EXPECT_THROW(tokenizer.bytes_of(outside), Error);
    EXPECT_THROW(tokenizer.type_of(outside), Error);
  }
}

TEST(Tokenizer, StaysWholeWhenMoved) {
  Tokenizer first = SmallVocabulary().tokenizer();
  const Tokenizer second = std::move(first);
  EXPECT_EQ(second.decode(second.encode_plain("moved")), "moved");
  EXPECT_TRUE(second.find("m"));
}

TEST(Tokenizer, RefusesABadVocabularyAndSaysWhere) {
  struct Case {
    std::function<void(SmallVocabulary&)> spoil;
    std::string where;
  };
  const Case kCases[] = {
      {[](SmallVocabulary& v) { v.tokens[10] = "xx"; }, "tokenizer.ggml.tokens"},
      {[](SmallVocabulary& v) { v.types[10] = 3; }, "tokenizer.ggml.tokens"},
      {[](SmallVocabulary& v) { v.add(std::string(1025, 'x'), TokenType::kControl); },
       "tokenizer.ggml.tokens, entry 256"},
      {[](SmallVocabulary& v) { v.types.pop_back(); }, "tokenizer.ggml.token_type"},
      {[](SmallVocabulary& v) { v.types[10] = 7; }, "tokenizer.ggml.token_type, entry 10"},
      {[](SmallVocabulary& v) { v.types[10] = -1; }, "tokenizer.ggml.token_type, entry 10"},
      {[](SmallVocabulary& v) { v.merges = {"ab"}; }, "tokenizer.ggml.merges, entry 0"},
      {[](SmallVocabulary& v) { v.merges = {"a b c"}; }, "tokenizer.ggml.merges, entry 0"},
      {[](SmallVocabulary& v) { v.merges = {"a \xFF"}; }, "tokenizer.ggml.merges, entry 0"},
      {[](SmallVocabulary& v) { v.add_merge("a", "b"), v.merges.push_back("a c"); },
       "tokenizer.ggml.merges, entry 1"},
      {[](SmallVocabulary& v) { v.merges = {"ab c"}; }, "tokenizer.ggml.merges, entry 0"},
      {[](SmallVocabulary& v) { v.tokens.clear(), v.types.clear(); }, "tokenizer.ggml.tokens"},
  };
  for (const Case& c : kCases) {
    SmallVocabulary vocabulary;
    c.spoil(vocabulary);
    try {
      vocabulary.tokenizer();
      ADD_FAILURE() << "accepted; expected an error at " << c.where;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadFile);
      EXPECT_EQ(error.where(), c.where) << error.problem();
    }
  }
  SmallVocabulary vocabulary;
  Vocabulary view = vocabulary.view();
  view.eos = 256;
  EXPECT_THROW(Tokenizer{view}, Error);
}

// A quadratic method would run into the time limit of the test, a recursive one into the end of the stack.
TEST(Tokenizer, LongRunsOfOneCharacter) {
  constexpr size_t kBytes = size_t{1} << 20;
  SmallVocabulary vocabulary;
  int32_t longest_a = 0;
  for (std::string word = "a"; word.size() < 16; word += word) longest_a = vocabulary.add_merge(word, word);
  const Tokenizer tokenizer = vocabulary.tokenizer();
  EXPECT_EQ(tokenizer.encode_plain(std::string(kBytes, 'a')), Tokens(kBytes / 16, longest_a));
  for (const char* unit : {"^", " ", "\n", "7", "\xFF", "\u200B", "\u0301", "本"}) {
    std::string text;
    while (text.size() < kBytes) text += unit;
    const Tokens tokens = tokenizer.encode_plain(text);
    EXPECT_EQ(tokens.size(), text.size());
    EXPECT_TRUE(tokenizer.decode(tokens) == text) << unit;
  }
}

}  // namespace
}  // namespace halyard
