// The console: its parts that know no system, and the rest through a second program.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "halyard/error.h"
#include "platform/console.h"
#include "platform/console_text.h"
#include "unit/child_process.h"

namespace halyard {
namespace {

constexpr std::string_view kText = "aé漢🦜 z\n";

TEST(Utf8, FindsTheLastWholeCharacter) {
  EXPECT_EQ(complete_utf8_bytes(""), 0u);
  EXPECT_EQ(complete_utf8_bytes("abc"), 3u);
  EXPECT_EQ(complete_utf8_bytes("é"), 2u);
  EXPECT_EQ(complete_utf8_bytes("a\xc3"), 1u);
  EXPECT_EQ(complete_utf8_bytes("漢"), 3u);
  EXPECT_EQ(complete_utf8_bytes("a\xe6\xbc"), 1u);
  EXPECT_EQ(complete_utf8_bytes("\xf0\x9f\xa6"), 0u);
  EXPECT_EQ(complete_utf8_bytes("\xf0\x9f\xa6\x9c"), 4u);
  // Broken text is passed on, never held for ever.
  EXPECT_EQ(complete_utf8_bytes("\xff"), 1u);
  EXPECT_EQ(complete_utf8_bytes("\x80\x80\x80\x80\x80"), 5u);
  EXPECT_EQ(complete_utf8_bytes("\xc0"), 1u);
}

TEST(Utf8, CarryJoinsPiecesCutAnywhere) {
  for (size_t a = 0; a <= kText.size(); ++a) {
    for (size_t b = a; b <= kText.size(); ++b) {
      Utf8Carry carry;
      std::string joined;
      for (const std::string_view piece : {kText.substr(0, a), kText.substr(a, b - a), kText.substr(b)}) {
        const std::string out = carry.join(piece);
        EXPECT_EQ(complete_utf8_bytes(out), out.size());
        joined += out;
      }
      EXPECT_EQ(joined, kText);
    }
  }
}

// Gives out `text` in pieces of random length.
LineReader::Read pieces_of(std::string text, unsigned seed) {
  return [text = std::move(text), random = std::mt19937(seed), at = size_t{0}](std::span<char> out) mutable {
    const size_t n = std::min({out.size(), text.size() - at, size_t{1} + random() % 5});
    std::memcpy(out.data(), text.data() + at, n);
    at += n;
    return n;
  };
}

TEST(LineReader, CutsLinesHoweverTheyCome) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    LineReader lines(pieces_of("one\ntwo \xe6\xbc\xa2\r\n\n\r\nlast", seed));
    for (const char* expected : {"one", "two 漢", "", "", "last"}) EXPECT_EQ(lines.next(), expected);
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_EQ(lines.next(), std::nullopt);
  }
}

TEST(LineReader, RefusesALineWithoutEnd) {
  LineReader lines([](std::span<char> out) {
    std::fill(out.begin(), out.end(), 'x');
    return out.size();
  });
  EXPECT_THROW(lines.next(), Error);
}

TEST(Console, ArgumentsArriveInUtf8) {
  const std::vector<std::string> given = {"модель",     "模型 with space", "🦜",    "",
                                          "say \"hi\"", "back\\slash\\",   "a\\\"b"};
  std::vector<std::string> arguments = {"arguments"};
  arguments.insert(arguments.end(), given.begin(), given.end());
  std::string expected;
  for (const std::string& a : given) expected += a + "\n";
  EXPECT_EQ(run_child(arguments).output, expected);
}

TEST(Console, EnvironmentArrivesInUtf8) {
  set_environment("HALYARD_TEST_CHILD", "значение-値-🦜");
  EXPECT_EQ(run_child({"environment", "HALYARD_TEST_CHILD"}).output, "значение-値-🦜");
}

TEST(Console, BytesPassUnchangedThroughAPipe) {
  const std::string text = "line\nreturn\r\nпоток 漢 🦜\n\xff";
  EXPECT_EQ(run_child({"split", "a\nb\r\n漢🦜"}).output, "a\nb\r\n漢🦜");
  EXPECT_EQ(run_child({"echo-lines"}, text).output, "[line][return][поток 漢 🦜][\xff]");
  EXPECT_EQ(run_child({"echo-lines"}, "").output, "");
}

TEST(Console, APipeIsNoTerminal) {
  EXPECT_EQ(run_child({"stream-facts"}).output, "no terminal, no colour, 80");
}

TEST(Console, AClosedPipeIsAnAnswer) {
  const ChildResult result = run_child({"flood"}, "", ChildOutput::kClosed);
  EXPECT_TRUE(result.exited);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(run_child({"flood"}).output.size(), size_t{256} << 20);
}

TEST(Console, FirstInterruptIsAFlag) {
  console::install_interrupt_handler();
  EXPECT_FALSE(console::interrupted());
  for (int round = 0; round < 3; ++round) {
    std::raise(SIGINT);
    EXPECT_TRUE(console::interrupted());
    console::clear_interrupt();
    EXPECT_FALSE(console::interrupted());
  }
}

TEST(Console, SecondInterruptEndsTheProcess) {
  const ChildResult result = run_child({"interrupt-twice"});
  EXPECT_EQ(result.output, "once\n");
  EXPECT_NE(result.exit_code, 0);
}

}  // namespace
}  // namespace halyard
