// The only place that reads environment variables.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

// The value in UTF-8; nothing when the variable is not set. Set but empty is "" (on Windows too).
std::optional<std::string> environment(const std::string& name);

// The variables whose names begin with `prefix`, in alphabetical order. On Windows in capital letters, since
// small ones mean the same there.
std::vector<std::string> environment_names(std::string_view prefix);

// A switch means its value: 1, on, true, yes; 0, off, false, no, and nothing at all. Small or capital
// letters. Nothing for any other word.
std::optional<bool> parse_switch(const std::string& word);

// The switch of that name, `if_unset` when it is not set. Throws kUsage when parse_switch knows no such word.
bool environment_switch(const std::string& name, bool if_unset);

}  // namespace halyard
