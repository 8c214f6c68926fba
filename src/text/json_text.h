// JSON as text: checked and re-spaced without a tree in between, so that key order and the digits of numbers
// survive.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

// One value with ", " and ": " as separators, keys in their order, non-ASCII characters as themselves,
// numbers as they were written (but -0 becomes 0). Throws Error(kUsage) on bad JSON; `where` names the text
// in the message.
std::string respaced_json(std::string_view json, const std::string& where);

struct JsonMember {
  std::string key;
  bool is_string;
  std::string value;  // a string: its characters, unescaped; anything else: respaced JSON
};

// The members of one object, in order. Throws Error(kUsage) like respaced_json, also when it is no object.
std::vector<JsonMember> json_members(std::string_view object, const std::string& where);

bool is_json(std::string_view text);  // one whole value, white space around it allowed

// Appends the characters as the inside of a JSON string. Works on any part of a text, also between two bytes
// of one character.
void append_json_escaped(std::string& out, std::string_view text);

}  // namespace halyard
