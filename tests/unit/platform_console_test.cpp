// The console: its parts that know no system, and the rest through a second program.
#include <algorithm>
#include <cctype>
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
  EXPECT_EQ(run_child({"echo-lines"}, text).output, "ready\n[line][return][поток 漢 🦜][\xff]");
  EXPECT_EQ(run_child({"echo-lines"}, "").output, "ready\n");
}

TEST(Console, APipeIsNoTerminal) {
  EXPECT_EQ(run_child({"stream-facts"}).output, "no terminal, no colour, 80");
}

TEST(Console, AClosedPipeIsAnAnswer) {
  const ChildResult result = run_child({"flood"}, "", ChildStreams::kClosedPipe);
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

// A Windows console paints its screen by such sequences: ESC [ numbers letter, and ESC ] title BEL.
std::string without_sequences(std::string_view painted) {
  std::string text;
  while (!painted.empty()) {
    if (!painted.starts_with("\x1b")) {
      text += painted.front();
      painted.remove_prefix(1);
      continue;
    }
    const bool title = painted.starts_with("\x1b]");
    size_t end = 2;
    while (end < painted.size() &&
           (title ? painted[end] != '\a' : !std::isalpha(static_cast<unsigned char>(painted[end]))))
      ++end;
    painted.remove_prefix(std::min(end + 1, painted.size()));
  }
  return text;
}

std::string on_terminal(std::vector<std::string> task, std::string_view typed = "") {
  task.insert(task.begin(), "on-terminal");
  return without_sequences(run_child(task, typed, ChildStreams::kTerminal).output);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Terminal, IsKnown) {
  set_environment("TERM", "xterm");
  set_environment("NO_COLOR", "");
  const std::string colour = on_terminal({"stream-facts"});
  EXPECT_TRUE(contains(colour, "terminal, colour, 100")) << colour;
  set_environment("NO_COLOR", "1");
  const std::string plain = on_terminal({"stream-facts"});
  EXPECT_TRUE(contains(plain, "terminal, no colour, 100")) << plain;
}

TEST(Terminal, CharactersMayBeSplitBetweenWrites) {
  const std::string output = on_terminal({"split", "é漢ы"});
  EXPECT_TRUE(contains(output, "é漢ы")) << output;
}

TEST(Terminal, LinesAreReadInUtf8) {
  const std::string output = on_terminal({"echo-lines"}, "привет\r漢字\rend\r");
  EXPECT_TRUE(contains(output, "[привет][漢字]")) << output;
}

TEST(Terminal, SecondCtrlCEndsTheProcess) {
  const ChildResult result = run_child({"on-terminal", "ctrl-c-twice"}, "", ChildStreams::kTerminal);
  EXPECT_TRUE(contains(result.output, "once")) << result.output;
  EXPECT_FALSE(contains(result.output, "twice")) << result.output;
  EXPECT_NE(result.exit_code, 0);
}

TEST(Terminal, CtrlCEndsTheWaitForALine) {
  if (!can_type_ctrl_c()) GTEST_SKIP() << "Wine's terminal ends when Ctrl-C is typed";
  const std::string output = on_terminal({"interrupted-read"}, "\x03");
  EXPECT_TRUE(contains(output, "interrupted")) << output;
}

}  // namespace
}  // namespace halyard
