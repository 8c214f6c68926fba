// The renderer and the output parser against the shared cases.
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include <nlohmann/json.hpp>

#include "support/output_events.h"
#include "support/tiny_vocabulary.h"
#include "text/chat.h"
#include "text/protocol.h"
#include "text/tokenizer.h"

namespace halyard {
namespace {

using Json = nlohmann::ordered_json;

std::string shared_file(const std::string& name) {
  std::ifstream in(std::string(HALYARD_SHARED_DIR "/") + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

TEST(ProtocolTexts, AreTheFilesOfTheSpecByteForByte) {
  EXPECT_EQ(kToolsHeader, shared_file("spec/protocol/tools_header.txt"));
  EXPECT_EQ(kToolsFooter, shared_file("spec/protocol/tools_footer.txt"));
  EXPECT_EQ(kResponseFormatHeader, shared_file("spec/protocol/response_format_header.txt"));
  EXPECT_EQ(kEffortAbsoluteMaximum, shared_file("spec/protocol/effort_absolute_maximum.txt"));
  EXPECT_EQ(kEffortBeyondMaximum, shared_file("spec/protocol/effort_beyond_maximum.txt"));
}

Message message_of(const Json& json) {
  Message message;
  const std::string role = json.at("role");
  message.role = role == "system"      ? Role::kSystem
                 : role == "assistant" ? Role::kAssistant
                 : role == "tool"      ? Role::kTool
                                       : Role::kUser;
  message.content = json.at("content");
  message.reasoning = json.value("reasoning_content", "");
  message.tool_call_id = json.value("tool_call_id", "");
  for (const Json& call : json.value("tool_calls", Json::array()))
    message.tool_calls.push_back(
        {call.at("id"), call.at("function").at("name"), call.at("function").at("arguments")});
  return message;
}

ChatOptions options_of(const Json& json) {
  ChatOptions options;
  if (json.at("thinking")) options.thinking = Thinking::kOn;
  if (json.at("thinking") && json.at("effort") == "high") options.thinking = Thinking::kHigh;
  if (json.at("thinking") && json.at("effort") == "max") options.thinking = Thinking::kMax;
  options.release = json.at("release") == "0731" ? Release::k0731 : Release::kFirst;
  if (!json.at("tools").is_null())
    for (const Json& tool : json.at("tools")) options.tools.push_back(tool.at("function").dump());
  if (!json.at("response_format").is_null()) options.response_schema = json.at("response_format").dump();
  return options;
}

TEST(RenderPrompt, EveryCaseOfTheSpec) {
  const Json cases = Json::parse(shared_file("spec/protocol/render_cases.json")).at("cases");
  EXPECT_EQ(cases.size(), 26u);
  for (const Json& json : cases) {
    std::vector<Message> messages;
    for (const Json& message : json.at("messages")) messages.push_back(message_of(message));
    const auto pieces = render_prompt(messages, options_of(json));
    EXPECT_EQ(joined(pieces), json.at("text").get<std::string>()) << json.at("name");
    for (size_t i = 1; i < pieces.size(); ++i)
      EXPECT_NE(pieces[i].protocol, pieces[i - 1].protocol) << json.at("name");
  }
}

// The conversation behind a prompt of reference.json: one user message, at times a system message and tools.
std::vector<PromptPiece> rendered_again(std::string_view prompt) {
  const auto between = [&](std::string_view begin, std::string_view end) {
    const size_t at = prompt.find(begin) + begin.size();
    return std::string(prompt.substr(at, prompt.find(end, at) - at));
  };
  std::vector<Message> messages;
  ChatOptions options;
  if (prompt.ends_with(kThinkMarker)) options.thinking = Thinking::kOn;
  if (const size_t header = prompt.find("\n\n## Tools"); header != std::string_view::npos) {
    messages.push_back({Role::kSystem, between(kBosMarker, "\n\n## Tools"), "", {}, ""});
    std::istringstream tools(between("### Available Tool Schemas\n\n", "\n\nYou MUST"));
    for (std::string line; std::getline(tools, line);) options.tools.push_back(line);
  }
  messages.push_back({Role::kUser, between(kUserMarker, kAssistantMarker), "", {}, ""});
  return render_prompt(messages, options);
}

TEST(RenderPrompt, PiecesGiveTheTokensOfTheReference) {
  const Tokenizer tokenizer = test::read_tiny_tokenizer(HALYARD_SHARED_DIR "/reference/tiny-f16.gguf");
  const Json reference = Json::parse(shared_file("reference/reference.json"));
  for (const Json& chat : reference.at("chats")) {
    const std::string prompt = chat.at("prompt");
    const auto pieces = rendered_again(prompt);
    EXPECT_EQ(joined(pieces), prompt);
    std::vector<int32_t> tokens;
    for (const PromptPiece& piece : pieces) {
      const auto ids =
          piece.protocol ? tokenizer.encode_special(piece.text) : tokenizer.encode_plain(piece.text);
      tokens.insert(tokens.end(), ids.begin(), ids.end());
    }
    EXPECT_EQ(tokens, chat.at("prompt_tokens").get<std::vector<int32_t>>()) << prompt;
  }
}

// Completions of the tiny model, without the end token.
struct Completion {
  bool thinking;
  std::string text;
};

std::vector<Completion> completions() {
  std::vector<Completion> result;
  const Json reference = Json::parse(shared_file("reference/reference.json"));
  for (const Json& chat : reference.at("chats")) {
    std::string text = chat.at("completion");
    EXPECT_TRUE(text.ends_with(kEosMarker));
    text.resize(text.size() - kEosMarker.size());
    result.push_back({chat.at("prompt").get<std::string>().ends_with(kThinkMarker), std::move(text)});
  }
  return result;
}

TEST(OutputParser, CompletionsOfTheTinyModel) {
  const auto chats = completions();
  ASSERT_EQ(chats.size(), 8u);
  using Kind = OutputKind;
  EXPECT_EQ(parsed_in_pieces(chats[1].thinking, {chats[1].text}),
            (Events{{Kind::kReasoning, "12 + 7 = 18"}, {Kind::kContent, "12 plus 7 is 18."}}));
  EXPECT_EQ(parsed_in_pieces(chats[4].thinking, {chats[4].text}),
            (Events{{Kind::kCallBegin, "get_weather"},
                    {Kind::kCallArguments, "{\"city\": \"Oslo\"}"},
                    {Kind::kCallEnd, ""}}));
  EXPECT_EQ(parsed_in_pieces(chats[5].thinking, {chats[5].text}),
            (Events{{Kind::kReasoning, "I must read notes.txt."},
                    {Kind::kCallBegin, "read_file"},
                    {Kind::kCallArguments, "{\"path\": \"notes.txt\"}"},
                    {Kind::kCallEnd, ""}}));
}

TEST(OutputParser, CompletionsSplitAnywhereGiveTheSame) {
  for (const auto& [thinking, text] : completions()) expect_same_for_every_split(thinking, text);
}

// What the model wrote comes back into the next prompt as it was.
TEST(OutputParser, ParsedCallsRenderToTheSameText) {
  for (const auto& [thinking, text] : completions()) {
    Message answer{Role::kAssistant, "", "", {}, ""};
    for (const OutputEvent& event : parsed_in_pieces(thinking, {text})) {
      if (event.kind == OutputKind::kReasoning) answer.reasoning += event.text;
      if (event.kind == OutputKind::kContent) answer.content += event.text;
      if (event.kind == OutputKind::kCallBegin) answer.tool_calls.push_back({"", event.text, ""});
      if (event.kind == OutputKind::kCallArguments) answer.tool_calls.back().arguments += event.text;
    }
    ChatOptions options;
    options.thinking = thinking ? Thinking::kOn : Thinking::kOff;
    options.tools = {R"({"name": "f"})"};  // keeps the reasoning
    const std::string prompt = joined(
        render_prompt({{Role::kUser, "q", "", {}, ""}, answer, {Role::kUser, "r", "", {}, ""}}, options));
    const std::string turn = std::string(kAssistantMarker) +
                             std::string(thinking ? kThinkMarker : kEndThinkMarker) + text +
                             std::string(kEosMarker);
    EXPECT_NE(prompt.find(turn), std::string::npos) << text << "\n" << prompt;
  }
}

}  // namespace
}  // namespace halyard
