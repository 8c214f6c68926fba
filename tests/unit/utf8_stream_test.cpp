#include "text/utf8_stream.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>

#include "text/unicode.h"

namespace halyard {
namespace {

using namespace std::string_literals;

const std::pair<std::string, std::string> kCases[] = {
    {"", ""},
    {"plain\0text"s, "plain\0text"s},
    {"è 日本 👋🏽", "è 日本 👋🏽"},
    {"\xF0\x9F\x91", "\uFFFD"},
    {"a\x80z", "a\uFFFDz"},
    {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
    {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\x41"},
    // The example of the Unicode standard, table 3-11, and its first byte sequence of 5.22.
    {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "\uFFFD\uFFFD\uFFFD\uFFFD\x41"},
    {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd"},
};

TEST(Utf8Stream, GivesTheSameForEveryTwoWaySplit) {
  for (const auto& [bytes, expected] : kCases) {
    for (size_t split = 0; split <= bytes.size(); ++split) {
      Utf8Stream stream;
      std::string text = stream.feed(std::string_view(bytes).substr(0, split));
      text += stream.feed(std::string_view(bytes).substr(split));
      text += stream.flush();
      EXPECT_EQ(text, expected) << "split at " << split;
    }
  }
}

TEST(Utf8Stream, GivesTheSameByteByByteAndAlwaysValidText) {
  constexpr unsigned kSeed = 5;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  // Bytes around the limits of the encoding meet more often than all 256 would.
  const std::string pool = "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC2\xDF\xE0\xE2\xED\xEF\xF0\xF1\xF4\xF5\xFF";
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 12; ++i) bytes += pool[random() % pool.size()];
    Utf8Stream at_once, byte_by_byte;
    std::string whole = at_once.feed(bytes);
    whole += at_once.flush();
    std::string text;
    for (const char byte : bytes) text += byte_by_byte.feed({&byte, 1});
    text += byte_by_byte.flush();
    ASSERT_EQ(text, whole);
    for (size_t at = 0; at < text.size();) {
      const Utf8Character character = decode_utf8(text, at);
      ASSERT_EQ(character.status, Utf8Status::kValid);
      at += character.size_bytes;
    }
  }
}

TEST(Utf8Stream, WaitsForTheRestOfACharacter) {
  Utf8Stream stream;
  EXPECT_EQ(stream.feed("caf\xC3"), "caf");
  EXPECT_EQ(stream.feed(""), "");
  EXPECT_EQ(stream.feed("\xA9!"), "é!");
  EXPECT_EQ(stream.feed("\xE2\x82"), "");
  EXPECT_EQ(stream.flush(), "\uFFFD");
  EXPECT_EQ(stream.flush(), "");
  EXPECT_EQ(stream.feed("\xAC"), "\uFFFD");
}

}  // namespace
}  // namespace halyard
