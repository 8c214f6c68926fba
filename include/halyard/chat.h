// A conversation as the model's chat protocol sees it, and how it is to be rendered. Spec: chat.md.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard {

// Published releases of the model differ in the text of the reasoning efforts.
enum class Release { kFirst, k0731 };

// kOff: answer at once. kOn: think first. kHigh and kMax: think first, with the release's effort text where
// it has one.
enum class Thinking { kOff, kOn, kHigh, kMax };

struct ToolCall {
  std::string id;         // chosen by whoever made the call; empty is allowed
  std::string name;       // of the function
  std::string arguments;  // JSON text of one object, keys in the order to be kept; blank: no arguments
};

enum class Role { kSystem, kUser, kAssistant, kTool };

struct Message {
  Role role = Role::kUser;
  std::string content;               // UTF-8; never read as protocol text
  std::string reasoning;             // assistant only
  std::vector<ToolCall> tool_calls;  // assistant only
  std::string tool_call_id;          // tool only: which call this answers
};

struct ChatOptions {
  Thinking thinking = Thinking::kOff;
  Release release = Release::kFirst;
  std::vector<std::string> tools;  // JSON text of each `function` object: name, description, parameters
  std::optional<std::string> response_schema;  // JSON schema that the answer must follow
};

}  // namespace halyard
