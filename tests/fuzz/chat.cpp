// A conversation of any texts as a prompt.
// Input: fields with a byte 0x1e between them, the first byte of each says what it is:
//   s u a t  a message of the system, user, assistant, or of a tool; then its content
//   r        the reasoning of the last message
//   c        a call in it, by the name of the function;  j  the arguments of the last call
//   i        the id of the last call, or which call the message answers
//   T  a tool;  S  the schema of the answer;  K  one character for the thinking and the release
#include "text/chat.h"

#include <algorithm>

#include "fuzz/fuzz.h"
#include "text/protocol.h"

namespace halyard {
namespace {

using fuzz::require;

struct Conversation {
  std::vector<Message> messages;
  ChatOptions options;

  void add(char kind, std::string text) {
    constexpr std::string_view kRoles = "suat";
    const size_t role = kRoles.find(kind);
    if (role != std::string_view::npos) {
      Message& message = messages.emplace_back();
      message.role = static_cast<Role>(role);
      message.content = std::move(text);
    } else if (kind == 'T') {
      options.tools.push_back(std::move(text));
    } else if (kind == 'S') {
      options.response_schema = std::move(text);
    } else if (kind == 'K' && !text.empty()) {
      options.thinking = static_cast<Thinking>(text[0] & 3);
      options.release = text[0] & 4 ? Release::k0731 : Release::kFirst;
    } else if (!messages.empty()) {
      add_to(messages.back(), kind, std::move(text));
    }
  }

 private:
  static void add_to(Message& message, char kind, std::string text) {
    if (kind == 'r') message.reasoning = std::move(text);
    if (kind == 'c') message.tool_calls.push_back({"", std::move(text), ""});
    if (kind == 'i')
      (message.tool_calls.empty() ? message.tool_call_id : message.tool_calls.back().id) = text;
    if (kind == 'j' && !message.tool_calls.empty()) message.tool_calls.back().arguments = std::move(text);
  }
};

bool is_markers(std::string_view text) {
  while (!text.empty()) {
    const auto marker = std::find_if(kProtocolMarkers.begin(), kProtocolMarkers.end(),
                                     [&](std::string_view candidate) { return text.starts_with(candidate); });
    if (marker == kProtocolMarkers.end()) return false;
    text.remove_prefix(marker->size());
  }
  return true;
}

void check_pieces(const std::vector<PromptPiece>& pieces) {
  require(!pieces.empty() && pieces.front().text.starts_with(kBosMarker),
          "the prompt does not begin with BOS");
  for (size_t i = 0; i < pieces.size(); ++i) {
    require(!pieces[i].text.empty(), "an empty piece");
    require(i == 0 || pieces[i].protocol != pieces[i - 1].protocol, "neighbours of one kind");
    require(!pieces[i].protocol || is_markers(pieces[i].text),
            "a protocol piece with other text than markers");
  }
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  Conversation conversation;
  for (const std::string_view field : fuzz::split(fuzz::Input(data, size).rest(), '\x1e'))
    if (!field.empty()) conversation.add(field[0], std::string(field.substr(1)));
  try {
    check_pieces(render_prompt(conversation.messages, conversation.options));
  } catch (const Error& error) {
    fuzz::require(error.code() == ErrorCode::kUsage, "another error than that of usage");
  }
  return 0;
}
