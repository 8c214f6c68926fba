#include "text/stop_strings.h"

#include <gtest/gtest.h>

#include "halyard/error.h"

namespace halyard {
namespace {

struct Outcome {
  std::string text;
  bool stopped;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
  StopStrings matcher(stops);
  Outcome outcome{"", false};
  for (const std::string& piece : pieces) outcome.stopped = matcher.feed(piece, outcome.text);
  if (!outcome.stopped) matcher.finish(outcome.text);
  return outcome;
}

void expect_outcome(const std::vector<std::string>& stops, const std::string& text, const Outcome& expected) {
  for (size_t i = 0; i <= text.size(); ++i)
    for (size_t j = i; j <= text.size(); ++j)
      EXPECT_EQ(run(stops, {text.substr(0, i), text.substr(i, j - i), text.substr(j)}), expected)
          << text << " split at " << i << " and " << j;
}

TEST(StopStrings, EndTheTextBeforeTheFirst) {
  expect_outcome({"###"}, "a # b ## c ### d", {"a # b ## c ", true});
  expect_outcome({"###"}, "a # b ##", {"a # b ##", false});
  expect_outcome({"aab"}, "aaab", {"a", true});
  expect_outcome({"abc", "bcd"}, "xabd abcd", {"xabd ", true});
  expect_outcome({"\n\nUser:", "é"}, "caf\xc3\xa9 x", {"caf", true});
  expect_outcome({}, "text", {"text", false});
}

TEST(StopStrings, TheOneThatIsCompleteFirstWins) {
  expect_outcome({"abcd", "bc"}, "xabcd", {"xa", true});
  expect_outcome({"bc", "abc"}, "xabc", {"x", true});
  expect_outcome({"abc", "bc"}, "xabc", {"x", true});
}

TEST(StopStrings, TextIsNotHeldWithoutReason) {
  StopStrings matcher({"stop"});
  std::string out;
  EXPECT_FALSE(matcher.feed("abst", out));
  EXPECT_EQ(out, "ab");
  EXPECT_FALSE(matcher.feed("a", out));
  EXPECT_EQ(out, "absta");
}

TEST(StopStrings, EmptyOneIsAnError) {
  EXPECT_THROW(StopStrings({"a", ""}), Error);
}

}  // namespace
}  // namespace halyard
