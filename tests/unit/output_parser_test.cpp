#include "text/output_parser.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <utility>

#include <nlohmann/json.hpp>

#include "support/output_events.h"

namespace halyard {
namespace {

using Kind = OutputKind;

// Parses `text` whole, and checks that every split gives the same.
Events parsed(bool thinking, const std::string& text) {
  expect_same_for_every_split(thinking, text);
  return parsed_in_pieces(thinking, {text});
}

std::string call(const std::string& body) {
  return "\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n" + body +
         "</｜DSML｜invoke>\n</｜DSML｜tool_calls>";
}
std::string argument(const std::string& key, bool is_string, const std::string& value) {
  return "<｜DSML｜parameter name=\"" + key + "\" string=\"" + (is_string ? "true" : "false") + "\">" +
         value + "</｜DSML｜parameter>\n";
}
Events f_call(const std::string& arguments) {
  return {{Kind::kCallBegin, "f"}, {Kind::kCallArguments, arguments}, {Kind::kCallEnd, ""}};
}
std::string arguments_of(const Events& events) {
  std::string text;
  for (const OutputEvent& event : events)
    if (event.kind == Kind::kCallArguments) text += event.text;
  return text;
}

TEST(OutputParser, ThinkingEndsAtTheMarker) {  // case C59
  EXPECT_EQ(parsed(true, "x</think>y"), (Events{{Kind::kReasoning, "x"}, {Kind::kContent, "y"}}));
  EXPECT_EQ(parsed(true, "<think>x</think>y"), (Events{{Kind::kReasoning, "x"}, {Kind::kContent, "y"}}));
  EXPECT_EQ(parsed(false, "<think>x</think>y"), (Events{{Kind::kReasoning, "x"}, {Kind::kContent, "y"}}));
  EXPECT_EQ(parsed(false, "</think>y"), (Events{{Kind::kContent, "y"}}));
  EXPECT_EQ(parsed(true, "x\n"), (Events{{Kind::kReasoning, "x\n"}}));
  EXPECT_EQ(parsed(true, ""), Events{});
}

TEST(OutputParser, MarkersSpeltInOrdinaryTokensAreText) {
  OutputParser parser(true);
  Events events;
  parser.feed_token("the tag </think>, ", false, events);
  parser.feed_token("<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">", false, events);
  parser.feed_token("</think>", true, events);
  parser.feed_token("<think> is a tag", false, events);
  parser.finish(events);
  EXPECT_EQ(merged(events),
            (Events{{Kind::kReasoning, "the tag </think>, <｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">"},
                    {Kind::kContent, "<think> is a tag"}}));
}

TEST(OutputParser, TextThatLooksLikeTheBeginningOfMarkupIsNotLost) {
  for (const std::string text :
       {"2 <", "a\n\n<", "a\n\n\n", "\n\n", "</", "x < y </thin", "｜DS", "<｜DSM", "&lt;", "a\n<b",
        "｜DSML｜", "a <｜DSML｜ b", "</｜DSML｜tool_calls>", "\n\n<｜DSML｜tool_calls> are",
        "\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\nx", "<｜DSML｜invoke name=\"f\">",
        "\n\n<｜DSML｜tool_calls>\n", "\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f"}) {
    EXPECT_EQ(parsed(false, text), (Events{{Kind::kContent, text}}));
    EXPECT_EQ(parsed(true, "r</think>" + text), (Events{{Kind::kReasoning, "r"}, {Kind::kContent, text}}));
  }
}

TEST(OutputParser, BlankLineBeforeABlockIsMarkup) {
  for (const std::string content : {"", "Let me look.", "a\n", "a\n\n\n", "2 <"}) {
    Events expected = f_call("{}");
    if (!content.empty()) expected.insert(expected.begin(), {Kind::kContent, content});
    EXPECT_EQ(parsed(false, content + call("\n")), expected);
  }
}

TEST(OutputParser, ArgumentsAreOneJsonObject) {
  const std::string raw = "a \"b\"\\\n\t<tag> & é </｜DSML｜x> <think> &lt; 42";
  const auto events =
      parsed(false, call(argument("s", true, raw) + argument("e", true, "") + argument("n", false, " 1.0 ") +
                         argument("l", false, "[1, {\"k\": null}]") + argument("quote\"", true, "42")));
  const auto json = nlohmann::ordered_json::parse(arguments_of(events));
  EXPECT_EQ(json.at("s"), raw);
  EXPECT_EQ(json.at("e"), "");
  EXPECT_EQ(json.at("quote\""), "42");
  EXPECT_NE(arguments_of(events).find("\"n\": 1.0, \"l\": [1, {\"k\": null}]"), std::string::npos);
  EXPECT_EQ(events.back().kind, Kind::kCallEnd);
}

TEST(OutputParser, EscapedClosingTagIsUnescaped) {
  const auto events = parsed(
      false,
      call(argument("s", true, "a&lt;/｜DSML｜parameter>b&lt;/｜DSML｜parameter>&lt;/｜DSML｜invoke>")));
  EXPECT_EQ(events, f_call("{\"s\": \"a</｜DSML｜parameter>b</｜DSML｜parameter>&lt;/｜DSML｜invoke>\"}"));

  OutputParser parser(false);
  Events spelt;
  parser.feed_token("<", false, spelt);
  parser.feed_token("｜DSML｜", true, spelt);
  parser.feed_token("tool_calls>\n<", false, spelt);
  parser.feed_token("｜DSML｜", true, spelt);
  parser.feed_token("invoke name=\"f\">\n<", false, spelt);
  parser.feed_token("｜DSML｜", true, spelt);
  parser.feed_token("parameter name=\"s\" string=\"true\">&lt;/｜DSML｜parameter></｜DSML｜parameter>", false,
                    spelt);
  parser.feed_token("</", false, spelt);
  parser.feed_token("｜DSML｜", true, spelt);
  parser.feed_token("parameter>", false, spelt);
  parser.finish(spelt);
  EXPECT_EQ(arguments_of(spelt), "{\"s\": \"</｜DSML｜parameter></｜DSML｜parameter>\"}");
}

TEST(OutputParser, BadJsonBecomesAString) {
  EXPECT_EQ(parsed(false, call(argument("n", false, "{\"a\": oops}"))), f_call(R"({"n": "{\"a\": oops}"})"));
  EXPECT_EQ(parsed(false, call(argument("n", false, ""))), f_call(R"({"n": ""})"));
}

TEST(OutputParser, JsonWithAZeroByteBecomesAString) {
  EXPECT_EQ(parsed(false, call(argument("n", false, std::string("3\0", 2)))), f_call(R"({"n": "3\u0000"})"));
}

TEST(OutputParser, ArgumentWithoutItsTypeIsJsonOrAString) {
  EXPECT_EQ(parsed(false, call("<｜DSML｜parameter name=\"a\">Oslo</｜DSML｜parameter>\n"
                               "<｜DSML｜parameter name=\"b\">7</｜DSML｜parameter>\n")),
            f_call(R"({"a": "Oslo", "b": 7})"));
}

TEST(OutputParser, ArgumentsStream) {  // case C63
  const std::string text = call(argument("city", true, "Oslo") + argument("days", false, "3"));
  OutputParser parser(false);
  Events events;
  const size_t value_end = text.find("</｜DSML｜parameter>");
  for (const char c : text.substr(0, value_end)) parser.feed({&c, 1}, events);
  EXPECT_EQ(arguments_of(events), "{\"city\": \"Oslo");
  EXPECT_GE(events.size(), 4u) << "the name and at least three pieces of the arguments";
  for (const char c : text.substr(value_end)) parser.feed({&c, 1}, events);
  parser.finish(events);
  EXPECT_EQ(arguments_of(events), "{\"city\": \"Oslo\", \"days\": 3}");
}

TEST(OutputParser, SeveralCallsAndBlocks) {
  const std::string two =
      "\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"a\">\n" + argument("x", true, "1") +
      "</｜DSML｜invoke>\n<｜DSML｜invoke name=\"b\">\n\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>";
  const auto events = parsed(false, "one" + two + "between" + call("") + "\n");
  EXPECT_EQ(events, (Events{{Kind::kContent, "one"},
                            {Kind::kCallBegin, "a"},
                            {Kind::kCallArguments, "{\"x\": \"1\"}"},
                            {Kind::kCallEnd, ""},
                            {Kind::kCallBegin, "b"},
                            {Kind::kCallArguments, "{}"},
                            {Kind::kCallEnd, ""},
                            {Kind::kContent, "between"},
                            {Kind::kCallBegin, "f"},
                            {Kind::kCallArguments, "{}"},
                            {Kind::kCallEnd, ""},
                            {Kind::kContent, "\n"}}));
}

TEST(OutputParser, BlockInUnclosedReasoningEndsIt) {  // case C61 a
  Events expected = f_call("{\"x\": \"1\"}");
  expected.insert(expected.begin(), {Kind::kReasoning, "I need f."});
  EXPECT_EQ(parsed(true, "I need f." + call(argument("x", true, "1"))), expected);
  expected.push_back({Kind::kContent, "Done."});
  EXPECT_EQ(parsed(true, "I need f." + call(argument("x", true, "1")) + "Done."), expected);
}

TEST(OutputParser, MalformedBlockInReasoningIsNeverAnEmptyTurn) {
  const std::string half = "\n\n<｜DSML｜tool_calls>\n<｜DSML｜call f>";
  EXPECT_EQ(parsed(true, "r" + half),
            (Events{{Kind::kReasoning, "r\n\n"}, {Kind::kContent, half.substr(2)}}));
  EXPECT_EQ(parsed(true, "r\n\n<｜DSML｜tool_calls>\n"),
            (Events{{Kind::kReasoning, "r"}, {Kind::kContent, "\n\n<｜DSML｜tool_calls>\n"}}));
  EXPECT_EQ(parsed(true, "r" + half + " was it</think>a"),
            (Events{{Kind::kReasoning, "r" + half + " was it"}, {Kind::kContent, "a"}}));
  Events expected = f_call("{}");
  expected.insert(expected.begin(), {Kind::kReasoning, "r" + half});
  EXPECT_EQ(parsed(true, "r" + half + call("\n")), expected);
}

TEST(OutputParser, MissingClosingTags) {  // case C61 b
  const std::string begin = "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n";
  const std::string open_argument = "<｜DSML｜parameter name=\"x\" string=\"true\">1";
  const Events expected = f_call("{\"x\": \"1\"}");
  EXPECT_EQ(parsed(false, begin + open_argument + "</｜DSML｜invoke>\n</｜DSML｜tool_calls>"), expected);
  EXPECT_EQ(parsed(false, begin + open_argument + "</｜DSML｜invoke>"), expected);
  EXPECT_EQ(parsed(false, begin + argument("x", true, "1") + "</｜DSML｜tool_calls>"), expected);
  EXPECT_EQ(parsed(false, begin + argument("x", true, "1") + "</｜DSML｜invoke>"), expected);
  EXPECT_EQ(parsed(false, begin + argument("x", true, "1") + "<｜DSML｜invoke name=\"f\">\n</｜DSML｜invoke>")
                .size(),
            6u);
  const auto two = parsed(false, begin + open_argument + "</｜DSML｜invoke>\n<｜DSML｜invoke name=\"g\">\n" +
                                     open_argument + "</｜DSML｜invoke>\n</｜DSML｜tool_calls>");
  ASSERT_EQ(two.size(), 6u);
  EXPECT_EQ(two[1].text, two[4].text);
  // The same tags inside a value that is closed are part of it.
  EXPECT_EQ(parsed(false, call(argument("x", true, "1</｜DSML｜invoke>\n</｜DSML｜tool_calls>2"))),
            f_call("{\"x\": \"1</｜DSML｜invoke>\\n</｜DSML｜tool_calls>2\"}"));
}

TEST(OutputParser, WrongClosingTagIsVisible) {  // case C61 c
  const std::string begin = "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n" + argument("x", true, "1");
  for (const std::string stray :
       {"</function>", "oh no 2 < 3 ", "</｜DSML｜function>", "<｜DSML｜parameter nam=\"y\">"}) {
    auto events = parsed(false, begin + stray + "</｜DSML｜tool_calls>");
    EXPECT_EQ(events, (Events{{Kind::kCallBegin, "f"},
                              {Kind::kCallArguments, "{\"x\": \"1\""},
                              {Kind::kContent, stray},
                              {Kind::kCallArguments, "}"},
                              {Kind::kCallEnd, ""}}));
  }
}

TEST(OutputParser, CallCutShortIsReportedAndItsArgumentsAreJson) {
  const std::string text =
      call(argument("city", true, "a\\\"&lt;/｜DSML｜parameter>") + argument("n", false, "{\"k\": [1, 2]}"));
  const std::string head = "\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">";
  const size_t complete = text.find("</｜DSML｜invoke>") + std::string("</｜DSML｜invoke>").size();
  for (size_t n = head.size(); n < text.size(); ++n) {
    if ((text[n] & 0xc0) == 0x80) continue;  // inside a character
    const auto events = parsed_in_pieces(false, {text.substr(0, n)});
    const bool is_cut = std::any_of(events.begin(), events.end(),
                                    [](const OutputEvent& e) { return e.kind == Kind::kCallCutShort; });
    EXPECT_EQ(is_cut, n < complete) << text.substr(0, n);
    EXPECT_TRUE(nlohmann::json::accept(arguments_of(events))) << arguments_of(events);
  }
  for (size_t n = 1; n < head.size(); ++n)
    EXPECT_EQ(parsed_in_pieces(false, {text.substr(0, n)}), (Events{{Kind::kContent, text.substr(0, n)}}));
}

// Any order of the pieces of the protocol: every call ends once, its arguments are JSON, and splits do not
// matter.
TEST(OutputParser, HoldsForRandomMarkup) {
  const std::vector<std::string> fragments = {"<｜DSML｜tool_calls>",
                                              "</｜DSML｜tool_calls>",
                                              "<｜DSML｜invoke name=\"f\">",
                                              "</｜DSML｜invoke>",
                                              "<｜DSML｜parameter name=\"k\" string=\"true\">",
                                              "<｜DSML｜parameter name=\"n\" string=\"false\">",
                                              "</｜DSML｜parameter>",
                                              "&lt;/｜DSML｜parameter>",
                                              "<think>",
                                              "</think>",
                                              "\n",
                                              "\n\n",
                                              " ",
                                              "<",
                                              "</",
                                              "｜DSML｜",
                                              "\">",
                                              "\"",
                                              "\\",
                                              "text",
                                              "7",
                                              "é",
                                              "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"g\">\n"};
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::string text = seed % 3 == 0 ? "" : fragments.back();
    for (uint32_t n = random() % 16; n > 0; --n) text += fragments[random() % fragments.size()];
    const bool thinking = random() % 2 == 0;
    const size_t at = random() % (text.size() + 1);
    const Events whole = parsed_in_pieces(thinking, {text});
    ASSERT_EQ(parsed_in_pieces(thinking, {text.substr(0, at), text.substr(at)}), whole)
        << "seed " << seed << text;
    ASSERT_EQ(parsed_in_pieces(thinking, bytes_of(text)), whole) << "seed " << seed << text;
    std::string arguments;
    bool is_open = false;
    for (const OutputEvent& event : whole) {
      if (event.kind == Kind::kCallArguments) arguments += event.text;
      if (event.kind == Kind::kCallBegin) {
        ASSERT_FALSE(std::exchange(is_open, true)) << "seed " << seed << text;
      }
      if (event.kind == Kind::kCallEnd || event.kind == Kind::kCallCutShort) {
        ASSERT_TRUE(std::exchange(is_open, false)) << "seed " << seed << text;
        ASSERT_TRUE(nlohmann::json::accept(std::exchange(arguments, {}))) << "seed " << seed << text;
      }
    }
    ASSERT_FALSE(is_open) << "seed " << seed << text;
  }
}

TEST(OutputParser, BytesThatAreNoTextDoNotBecomeMarkup) {
  EXPECT_EQ(parsed(false, "<\xfftool_calls>"), (Events{{Kind::kContent, "<\xef\xbf\xbdtool_calls>"}}));
}

}  // namespace
}  // namespace halyard
