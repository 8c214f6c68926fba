#include "text/chat.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "halyard/error.h"
#include "text/json_text.h"
#include "text/protocol.h"

namespace halyard {
namespace {

// Collects pieces; neighbours of one kind become one.
class PromptWriter {
 public:
  void marker(std::string_view text) { append(text, true); }
  void plain(std::string_view text) { append(text, false); }

  // A constant of the protocol: its markers are tokens, the rest is ordinary text. Never for text of others.
  void protocol_text(std::string_view text) {
    while (!text.empty()) {
      size_t at = text.size();
      std::string_view found;
      for (const std::string_view candidate : kProtocolMarkers) {
        const size_t position = text.find(candidate);
        if (position < at) {
          at = position;
          found = candidate;
        }
      }
      plain(text.substr(0, at));
      marker(found);
      text.remove_prefix(at + found.size());
    }
  }

  std::vector<PromptPiece> take() { return std::move(pieces_); }

 private:
  void append(std::string_view text, bool protocol) {
    if (text.empty()) return;
    if (pieces_.empty() || pieces_.back().protocol != protocol) pieces_.push_back({"", protocol});
    pieces_.back().text += text;
  }

  std::vector<PromptPiece> pieces_;
};

// `text` with the `<` of each `tag` written as &lt;, so that the model's reader does not end there.
std::string without_tag(std::string_view text, std::string_view tag) {
  std::string out;
  for (size_t at = text.find(tag); at != std::string_view::npos; at = text.find(tag)) {
    out += text.substr(0, at);
    out += "&lt;";
    out += tag.substr(1);
    text.remove_prefix(at + tag.size());
  }
  return out += text;
}

std::string place(std::string_view list, size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

void write_effort(PromptWriter& out, const ChatOptions& options) {
  if (options.release == Release::kFirst) {
    if (options.thinking == Thinking::kMax) out.plain(kEffortAbsoluteMaximum);
    return;
  }
  if (options.thinking == Thinking::kHigh) out.plain(kEffortAbsoluteMaximum);
  if (options.thinking == Thinking::kMax) out.plain(kEffortBeyondMaximum);
}

void write_system(PromptWriter& out, const std::vector<Message>& messages, const ChatOptions& options) {
  std::string system;
  for (const Message& message : messages) {
    if (message.role != Role::kSystem || message.content.empty()) continue;
    if (!system.empty()) system += "\n\n";
    system += message.content;
  }
  out.plain(system);
  if (!options.tools.empty()) {
    if (!system.empty()) out.plain("\n\n");
    out.protocol_text(kToolsHeader);
    for (size_t i = 0; i < options.tools.size(); ++i) {
      out.plain(respaced_json(options.tools[i], place("tools", i)));
      out.plain("\n");
    }
    out.protocol_text(kToolsFooter);
  }
  if (options.response_schema) {
    out.plain("\n\n");
    out.protocol_text(kResponseFormatHeader);
    out.plain(respaced_json(*options.response_schema, "the schema of the response format"));
  }
}

void write_call(PromptWriter& out, const ToolCall& call, const std::string& where) {
  const std::string closing_tag = "</" + std::string(kDsmlMarker) + "parameter>";
  const bool blank = call.arguments.find_first_not_of(" \t\r\n") == std::string::npos;
  const auto members = blank ? std::vector<JsonMember>{} : json_members(call.arguments, where + ".arguments");

  out.protocol_text("<｜DSML｜invoke name=\"");
  out.plain(call.name);
  out.plain("\">\n");
  for (const JsonMember& member : members) {
    out.protocol_text("<｜DSML｜parameter name=\"");
    out.plain(member.key);
    out.plain(member.is_string ? "\" string=\"true\">" : "\" string=\"false\">");
    out.plain(without_tag(member.value, closing_tag));
    out.protocol_text("</｜DSML｜parameter>\n");
  }
  if (members.empty()) out.plain("\n");
  out.protocol_text("</｜DSML｜invoke>\n");
}

void write_finished_turn(PromptWriter& out, const Message& message, bool keep_reasoning,
                         const std::string& where) {
  out.marker(kAssistantMarker);
  if (keep_reasoning) {
    out.marker(kThinkMarker);
    out.plain(message.reasoning);
  }
  out.marker(kEndThinkMarker);
  out.plain(message.content);
  if (!message.tool_calls.empty()) {
    out.protocol_text("\n\n<｜DSML｜tool_calls>\n");
    for (size_t i = 0; i < message.tool_calls.size(); ++i)
      write_call(out, message.tool_calls[i], where + "." + place("tool_calls", i));
    out.protocol_text("</｜DSML｜tool_calls>");
  }
  out.marker(kEosMarker);
}

size_t call_order(const std::vector<ToolCall>& calls, const std::string& id) {
  const auto found =
      std::find_if(calls.begin(), calls.end(), [&](const ToolCall& call) { return call.id == id; });
  return static_cast<size_t>(found - calls.begin());
}

// One user turn: `run` holds user texts and tool results, `calls` what the results answer. Results change
// places with each other only; a result whose call is unknown comes after the known ones.
void write_user_turn(PromptWriter& out, const std::vector<const Message*>& run,
                     const std::vector<ToolCall>& calls) {
  std::vector<const Message*> results;
  for (const Message* message : run)
    if (message->role == Role::kTool) results.push_back(message);
  std::stable_sort(results.begin(), results.end(), [&](const Message* a, const Message* b) {
    return call_order(calls, a->tool_call_id) < call_order(calls, b->tool_call_id);
  });

  out.marker(kUserMarker);
  auto next_result = results.begin();
  for (const Message* message : run) {
    if (message != run.front()) out.plain("\n\n");
    if (message->role == Role::kTool) {
      out.plain("<tool_result>");
      out.plain(without_tag((*next_result++)->content, "</tool_result>"));
      out.plain("</tool_result>");
    } else {
      out.plain(message->content);
    }
  }
}

bool uses_tools(const std::vector<Message>& messages, const ChatOptions& options) {
  return !options.tools.empty() || std::any_of(messages.begin(), messages.end(), [](const Message& message) {
    return message.role == Role::kTool || !message.tool_calls.empty();
  });
}

void check_order(const std::vector<Message>& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                 [](const Message& message) { return message.role != Role::kSystem; });
  if (messages.empty())
    throw Error(ErrorCode::kUsage, "the conversation is empty", "messages", "send at least one message");
  if (last != messages.rend() && last->role == Role::kAssistant)
    throw Error(ErrorCode::kUsage,
                "the conversation ends with an assistant message: there is nothing to answer",
                place("messages", messages.size() - 1), "end with a user message or a tool result");
}

}  // namespace

std::vector<PromptPiece> render_prompt(const std::vector<Message>& messages, const ChatOptions& options) {
  check_order(messages);
  const bool thinking = options.thinking != Thinking::kOff;
  const bool keep_all_reasoning = uses_tools(messages, options);
  size_t last_user = 0;
  for (size_t i = 0; i < messages.size(); ++i)
    if (messages[i].role == Role::kUser) last_user = i;

  PromptWriter out;
  out.marker(kBosMarker);
  write_effort(out, options);
  write_system(out, messages, options);

  static const std::vector<ToolCall> kNoCalls;
  const std::vector<ToolCall>* calls = &kNoCalls;
  std::vector<const Message*> user_turn;
  const auto finish_user_turn = [&] {
    if (!user_turn.empty()) write_user_turn(out, user_turn, *calls);
    user_turn.clear();
  };
  for (size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    if (message.role == Role::kSystem) continue;
    if (message.role != Role::kAssistant) {
      user_turn.push_back(&message);
      continue;
    }
    finish_user_turn();
    write_finished_turn(out, message, thinking && (keep_all_reasoning || i > last_user),
                        place("messages", i));
    calls = &message.tool_calls;
  }
  finish_user_turn();
  out.marker(kAssistantMarker);
  out.marker(thinking ? kThinkMarker : kEndThinkMarker);
  return out.take();
}

std::string joined(const std::vector<PromptPiece>& pieces) {
  std::string text;
  for (const PromptPiece& piece : pieces) text += piece.text;
  return text;
}

namespace {

constexpr uint32_t kFirstDatedRelease = 20260731;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool stands_alone(std::string_view name, size_t begin, size_t end) {
  constexpr std::string_view kSeparators = "-_. ";
  const auto is_border = [&](char c) { return kSeparators.find(c) != std::string_view::npos; };
  return (begin == 0 || is_border(name[begin - 1])) && (end == name.size() || is_border(name[end]));
}

bool has_later_date(std::string_view name) {
  for (size_t begin = 0; begin < name.size();) {
    if (!is_digit(name[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < name.size() && is_digit(name[end])) ++end;
    const std::string_view digits = name.substr(begin, end - begin);
    uint32_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const uint32_t month = number / 100 % 100, day = number % 100;
    const bool is_date = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    if (digits.size() == 8 && is_date && number >= kFirstDatedRelease && number < 21000000) return true;
    if (digits == "0731") return true;
    if (digits.size() == 4 && is_date && number > 731 && stands_alone(name, begin, end)) return true;
    begin = end;
  }
  return false;
}

}  // namespace

Release guess_release(std::string_view general_name, std::string_view file_name) {
  return has_later_date(general_name) || has_later_date(file_name) ? Release::k0731 : Release::kFirst;
}

}  // namespace halyard
