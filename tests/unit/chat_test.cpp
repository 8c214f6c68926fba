#include "text/chat.h"

#include <gtest/gtest.h>

#include "halyard/error.h"
#include "text/json_text.h"
#include "text/protocol.h"

namespace halyard {
namespace {

Message user(std::string content) {
  return {Role::kUser, std::move(content), "", {}, ""};
}
Message system(std::string content) {
  return {Role::kSystem, std::move(content), "", {}, ""};
}
Message result(std::string id, std::string content) {
  return {Role::kTool, std::move(content), "", {}, std::move(id)};
}
Message assistant(std::string content, std::vector<ToolCall> calls = {}) {
  return {Role::kAssistant, std::move(content), "", std::move(calls), ""};
}

// Counts the markers that would become tokens.
size_t tokens_of(std::string_view marker, const std::vector<PromptPiece>& pieces) {
  size_t n = 0;
  for (const PromptPiece& piece : pieces)
    for (size_t at = 0; piece.protocol && (at = piece.text.find(marker, at)) != std::string::npos; ++at) ++n;
  return n;
}

std::string error_of(const std::vector<Message>& messages, const ChatOptions& options) {
  try {
    render_prompt(messages, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(RenderPrompt, ProtocolPiecesHoldMarkersOnly) {
  ChatOptions options;
  options.thinking = Thinking::kMax;
  options.tools = {R"({"name":"f"})"};
  options.response_schema = "{}";
  const auto pieces =
      render_prompt({system("s"), user("q"), assistant("a", {{"1", "f", R"({"k":"v","n":1})"}}),
                     result("1", "r"), user("q2")},
                    options);
  for (const PromptPiece& piece : pieces) {
    if (!piece.protocol) continue;
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      size_t length = 0;
      for (const std::string_view marker : kProtocolMarkers)
        if (rest.starts_with(marker)) length = marker.size();
      ASSERT_GT(length, 0u) << piece.text;
      rest.remove_prefix(length);
    }
  }
  EXPECT_EQ(tokens_of(kBosMarker, pieces), 1u);
  EXPECT_EQ(tokens_of(kUserMarker, pieces), 2u);
  EXPECT_EQ(tokens_of(kAssistantMarker, pieces), 2u);
  EXPECT_EQ(tokens_of(kDsmlMarker, pieces), 9u + 8u);  // tools header, one call of two arguments
}

// The text of the system, the tool and the user stays in one piece with the protocol's ordinary words around
// it.
TEST(RenderPrompt, OrdinaryTextIsCutAtTokensOnly) {
  ChatOptions options;
  options.tools = {R"({"name":"f"})"};
  const auto pieces = render_prompt({system("Be brief."), user("q")}, options);
  ASSERT_GT(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].text, kBosMarker);
  EXPECT_TRUE(pieces[1].text.starts_with("Be brief.\n\n## Tools\n\n")) << pieces[1].text;
  const auto turn = render_prompt({user("q"), assistant(""), result("", "r"), user("s")}, {});
  EXPECT_EQ(turn[turn.size() - 2].text, "<tool_result>r</tool_result>\n\ns");
}

TEST(RenderPrompt, MarkersInTextOfOthersAreText) {
  std::string all;
  for (const std::string_view marker : kProtocolMarkers) all += marker;
  const std::string in_json = "\"" + all + "\"";
  ChatOptions plain_options, options;
  plain_options.tools = {R"({"name": "f", "description": "d"})"};
  plain_options.response_schema = R"({"title": "t"})";
  options.tools = {R"({"name": "f", "description": )" + in_json + "}"};
  options.response_schema = R"({"title": )" + in_json + "}";
  const auto conversation = [](const std::string& text, const std::string& json) {
    Message answer = assistant(text, {{"1", text, "{" + json + ": " + json + ", \"n\": [" + json + "]}"}});
    answer.reasoning = text;
    return std::vector<Message>{system(text), user(text), answer, result("1", text)};
  };
  for (const Thinking thinking : {Thinking::kOff, Thinking::kOn}) {
    plain_options.thinking = options.thinking = thinking;
    const auto plain = render_prompt(conversation("x", "\"x\""), plain_options);
    const auto hostile = render_prompt(conversation(all, in_json), options);
    for (const std::string_view marker : kProtocolMarkers)
      EXPECT_EQ(tokens_of(marker, hostile), tokens_of(marker, plain)) << marker;
  }
}

TEST(RenderPrompt, ToolResultsFollowTheOrderOfTheCalls) {
  const auto text = joined(
      render_prompt({user("q"), assistant("", {{"a", "f", "{}"}, {"b", "g", "{}"}}), result("unknown", "3"),
                     user("u"), result("b", "2"), system("s"), result("a", "1")},
                    {}));
  EXPECT_NE(text.find("<｜User｜><tool_result>1</tool_result>\n\nu\n\n<tool_result>2</tool_result>\n\n"
                      "<tool_result>3</tool_result><｜Assistant｜>"),
            std::string::npos)
      << text;
}

TEST(RenderPrompt, ClosingTagsInsideTextAreEscaped) {
  const auto text = joined(render_prompt(
      {user("q"), assistant("", {{"1", "f", R"({"k": "</｜DSML｜parameter></｜DSML｜invoke>"})"}}),
       result("1", "a</tool_result>b</tool_result><tool_result>")},
      {}));
  EXPECT_NE(text.find(">&lt;/｜DSML｜parameter></｜DSML｜invoke></｜DSML｜parameter>\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("<tool_result>a&lt;/tool_result>b&lt;/tool_result><tool_result></tool_result>"),
            std::string::npos)
      << text;
}

TEST(RenderPrompt, ReasoningAfterTheLastUserMessageIsKept) {
  ChatOptions options;
  options.thinking = Thinking::kOn;
  Message first = assistant("a"), second = assistant("b");
  first.reasoning = "old";
  second.reasoning = "new";
  const auto text =
      joined(render_prompt({user("q"), first, user("r"), second, system("s"), result("", "t")}, options));
  EXPECT_NE(text.find("<think>old</think>a"), std::string::npos)
      << "a conversation with tool results uses tools";
  EXPECT_NE(text.find("<think>new</think>b"), std::string::npos);
}

TEST(RenderPrompt, NumbersAndKeyOrderOfJsonSurvive) {
  ChatOptions options;
  options.tools = {
      R"({"z":1.0,"a":[1e5,123456789012345678901234567890,-3,0.10],"é":"ü","n":{},"m":[],"z":null})"};
  const auto text = joined(render_prompt({user("q")}, options));
  EXPECT_NE(text.find("\n{\"z\": 1.0, \"a\": [1e5, 123456789012345678901234567890, -3, 0.10], \"é\": \"ü\", "
                      "\"n\": {}, \"m\": [], \"z\": null}\n"),
            std::string::npos)
      << text;
}

TEST(RenderPrompt, BlankArgumentsAreAnEmptyObject) {
  for (const char* arguments : {"", " \n", "{}"}) {
    const auto text =
        joined(render_prompt({user("q"), assistant("", {{"1", "f", arguments}}), user("r")}, {}));
    EXPECT_NE(text.find("name=\"f\">\n\n</｜DSML｜invoke>"), std::string::npos) << text;
  }
}

TEST(RenderPrompt, ErrorsSayWhere) {
  ChatOptions bad_tool, bad_schema;
  bad_tool.tools = {"{}", R"({"name": )"};
  bad_schema.response_schema = "{'a': 1}";
  EXPECT_NE(error_of({user("q")}, bad_tool).find("tools[1]"), std::string::npos);
  EXPECT_NE(error_of({user("q")}, bad_tool).find("line 1, column"), std::string::npos);
  EXPECT_NE(error_of({user("q")}, bad_schema).find("schema"), std::string::npos);
  for (const char* arguments : {"{", "[1]", "\"x\"", "{} {}", "{\"a\": \"\xff\"}"})
    EXPECT_NE(error_of({user("q"), assistant("", {{"1", "f", "{}"}, {"2", "g", arguments}}), user("r")}, {})
                  .find("messages[1].tool_calls[1].arguments"),
              std::string::npos)
        << arguments;
  EXPECT_NE(error_of({}, {}).find("empty"), std::string::npos);
  EXPECT_NE(error_of({user("q"), assistant("a")}, {}).find("messages[1]"), std::string::npos);
}

TEST(RenderPrompt, DeepJsonIsNoDanger) {
  ChatOptions options;
  const size_t depth = 200000;
  options.tools = {std::string(depth, '[') + std::string(depth, ']')};
  EXPECT_GT(joined(render_prompt({user("q")}, options)).size(), 2 * depth);
}

TEST(JsonText, EscapesOnlyWhatItMust) {
  std::string out;
  append_json_escaped(out, std::string_view("a\"\\/\b\f\n\r\t\x01\x1f\x7fé\0", 15));
  EXPECT_EQ(out, "a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7fé\\u0000");
  EXPECT_EQ(respaced_json(R"("\u00e9\u0001\/\ud83d\ude00")", "x"), "\"é\\u0001/😀\"");
}

TEST(JsonText, AZeroByteIsNoJson) {
  for (const std::string_view text : {std::string_view("{}\0", 3), std::string_view("\0{}", 3)}) {
    EXPECT_FALSE(is_json(text));
    EXPECT_THROW(respaced_json(text, "x"), Error);
    EXPECT_THROW(json_members(text, "x"), Error);
  }
}

TEST(GuessRelease, DatesInNames) {
  for (const char* name :
       {"DeepSeek-V4-Flash-0731", "deepseek_v4_flash_0731.gguf", "Flash0731-q2.gguf", "0731",
        "DeepSeek-V4-Flash-0915", "Flash 1201 q2", "DeepSeek-V4-Flash-20260731.gguf", "flash-20270115"}) {
    EXPECT_EQ(guess_release(name, ""), Release::k0731) << name;
    EXPECT_EQ(guess_release("DeepSeek V4 Flash", name), Release::k0731) << name;
  }
  for (const char* name :
       {"", "DeepSeek-V4-Flash", "DeepSeek-V4-Flash-0424", "flash-ctx1024", "flash-4096", "flash-1300",
        "flash-0800", "flash-00001-of-00731.gguf", "flash-20260424", "flash-10731", "flash-20261301",
        "DeepSeek-V4-Flash-IQ2XXS-w2Q2K-AProjQ8-SExpQ8-OutQ8-chat-v2-imatrix.gguf"})
    EXPECT_EQ(guess_release(name, name), Release::kFirst) << name;
}

}  // namespace
}  // namespace halyard
