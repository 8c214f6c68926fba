#include "text/unicode.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace halyard {
namespace {

std::string encode(char32_t code_point) {
  const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  if (code_point < 0x80) return {byte(code_point)};
  if (code_point < 0x800) return {byte(0xC0 | code_point >> 6), byte(0x80 | (code_point & 0x3F))};
  if (code_point < 0x10000)
    return {byte(0xE0 | code_point >> 12), byte(0x80 | (code_point >> 6 & 0x3F)),
            byte(0x80 | (code_point & 0x3F))};
  return {byte(0xF0 | code_point >> 18), byte(0x80 | (code_point >> 12 & 0x3F)),
          byte(0x80 | (code_point >> 6 & 0x3F)), byte(0x80 | (code_point & 0x3F))};
}

bool is_valid(const std::string& bytes) {
  const Utf8Character character = decode_utf8(bytes, 0);
  return character.status == Utf8Status::kValid && character.size_bytes == bytes.size();
}

TEST(Utf8, EveryCodePointComesBackAndItsBeginningsAreIncomplete) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    const std::string bytes = encode(code_point);
    const Utf8Character whole = decode_utf8(bytes, 0);
    ASSERT_EQ(whole.status, Utf8Status::kValid) << std::hex << +code_point;
    ASSERT_EQ(whole.size_bytes, bytes.size());
    ASSERT_EQ(whole.code_point, code_point);
    for (size_t n = 1; n < bytes.size(); ++n) {
      const Utf8Character part = decode_utf8(std::string_view(bytes).substr(0, n), 0);
      ASSERT_EQ(part.status, Utf8Status::kIncomplete);
      ASSERT_EQ(part.size_bytes, n);
    }
  }
}

// Together with the test above: as many sequences are valid as there are code points, so no others are.
TEST(Utf8, NothingElseIsValid) {
  size_t n_two = 0, n_three = 0, n_four = 0;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      std::string bytes{static_cast<char>(a), static_cast<char>(b)};
      n_two += is_valid(bytes);
      if (a < 0xE0) continue;
      bytes += '\0';
      for (int c = 0; c < 256; ++c) {
        bytes[2] = static_cast<char>(c);
        n_three += is_valid(bytes);
      }
      bytes[2] = '\x80';
      bytes += '\x80';
      n_four += is_valid(bytes);  // the third and the fourth byte have one range only
    }
  }
  EXPECT_EQ(n_two, 0x800u - 0x80u);
  EXPECT_EQ(n_three, 0x10000u - 0x800u - 0x800u);
  EXPECT_EQ(n_four, (0x110000u - 0x10000u) / (64 * 64));
}

TEST(Utf8, InvalidSequencesSayHowLongTheirGoodBeginningIs) {
  const std::pair<std::string_view, int> kCases[] = {
      {"\x80", 1},         {"\xC0\x80", 1},     {"\xC1\xBF", 1},     {"\xE0\x9F\xBF", 1},
      {"\xED\xA0\x80", 1}, {"\xF0\x8F\xBF", 1}, {"\xF4\x90\x80", 1}, {"\xF5\x80\x80\x80", 1},
      {"\xFF", 1},         {"\xC3(", 1},        {"\xE2\x82(", 2},    {"\xF0\x9F\x98(", 3}};
  for (const auto& [bytes, size] : kCases) {
    const Utf8Character character = decode_utf8(bytes, 0);
    EXPECT_EQ(character.status, Utf8Status::kInvalid) << bytes;
    EXPECT_EQ(character.size_bytes, size) << bytes;
  }
}

TEST(CharacterClasses, AreTheRealOnes) {
  using enum CharacterClass;
  const std::pair<char32_t, CharacterClass> kCases[] = {
      {0, kOther},
      {U'\t', kSpace},
      {0x1C, kOther},  // a space to isspace() of some libraries, not to Unicode
      {U' ', kSpace},
      {U'"', kPunctuation},
      {U'$', kSymbol},
      {U'0', kNumber},
      {U'A', kLetter},
      {U'^', kSymbol},
      {U'_', kPunctuation},
      {U'z', kLetter},
      {0x7F, kOther},
      {0x85, kSpace},
      {0xA0, kSpace},
      {0xAA, kLetter},
      {0xAD, kOther},
      {0xB2, kNumber},
      {0x300, kMark},
      {0x378, kOther},  // not assigned
      {0x660, kNumber},
      {0x1680, kSpace},
      {0x180E, kOther},
      {0x200B, kOther},
      {0x2003, kSpace},
      {0x201C, kPunctuation},
      {0x2028, kSpace},
      {0x2165, kNumber},
      {0x3000, kSpace},
      {0x3007, kNumber},
      {0x30FB, kPunctuation},
      {0x3400, kLetter},  // inside ranges that UnicodeData.txt gives by their ends
      {0x4E01, kLetter},
      {0xD7A3, kLetter},
      {0xD800, kOther},
      {0xE000, kOther},
      {0xFEFF, kOther},
      {0xFF01, kPunctuation},
      {0xFF5C, kSymbol},
      {0x1F44B, kSymbol},
      {0x1F3FD, kSymbol},
      {0x2A6DF, kLetter},
      {0xE0100, kMark},
      {0x10FFFF, kOther},
  };
  for (const auto& [code_point, expected] : kCases)
    EXPECT_EQ(character_class(code_point), expected) << std::hex << "U+" << +code_point;
}

}  // namespace
}  // namespace halyard
