#include "text/pretokenizer.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces_of(std::string_view text) {
  Pieces pieces;
  for_each_piece(text, [&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

TEST(Pretokenizer, SplitsByTheThreePasses) {
  const std::pair<std::string, Pieces> kCases[] = {
      {"", {}},
      {"12345678", {"123", "456", "78"}},
      {"a1b", {"a", "1", "b"}},
      {"²Ⅵ٣4", {"²Ⅵ٣", "4"}},
      {"日本語とEnglish混在", {"日本語と", "English", "混在"}},
      {"あ・い", {"あ", "・", "い"}},  // pieces of one pass are split by the next
      {"゛い", {"゛", "い"}},
      {"don't", {"don", "'t"}},
      {"it’s", {"it", "’", "s"}},
      {"x =_abc1 _abc", {"x", " =_", "abc", "1", " _", "abc"}},
      {"=été", {"=", "été"}},
      {"=abcé", {"=abc", "é"}},
      {"a..b", {"a", "..", "b"}},
      {" hello\tworld\u00A0x", {" hello", "\tworld", "\u00A0x"}},
      {"e\u0301 \u0301a", {"e\u0301", " \u0301a"}},
      {"\u0301", {"\u0301"}},
      {"1\u0301 2", {"1", "\u0301", " ", "2"}},
      {"a  b", {"a", " ", " b"}},
      {"a   ", {"a", "   "}},
      {"a  1", {"a", "  ", "1"}},
      {" (x) ", {" (", "x", ")", " "}},
      {"\t(", {"\t", "("}},
      {";\r\n\n x", {";\r\n\n", " x"}},
      {"x \n  \n  y", {"x", " \n  \n", " ", " y"}},
      {"\r\nCRLF", {"\r\n", "CRLF"}},
      {"\u2028\u2028a", {"\u2028", "\u2028a"}},
      {"“quotes”", {"“", "quotes", "”"}},
      {"<｜User｜>", {"<｜", "User", "｜>"}},
      {"👋🏽 ok", {"👋🏽", " ok"}},
      {"\u200B\u200B\u200Bzero", {"\u200B\u200B", "\u200Bzero"}},
      {std::string("\0\x01z", 3), {std::string("\0", 1), "\x01z"}},
      {"\xE2\x82zoo", {"\xE2", "\x82zoo"}},
      {"\xFF\xFF", {"\xFF\xFF"}},
  };
  for (const auto& [text, expected] : kCases) EXPECT_EQ(pieces_of(text), expected) << text;
}

}  // namespace
}  // namespace halyard
