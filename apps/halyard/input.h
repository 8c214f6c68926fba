// Files that the user names: texts and JSON.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace halyard::app {

// The whole file, at most 1 GiB; a byte order mark of UTF-8 in front is left out. Throws what File::open
// throws, and kUsage for a longer one.
std::string read_text_file(const std::string& path);

// Throws kBadFile with the place for bad JSON and for more than 100 levels. `source` names it in messages.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& source);

// A list of function objects, or of {"type": "function", "function": {...}}, as JSON text each. Throws
// kBadFile.
std::vector<std::string> parse_tools(std::string_view json, const std::string& source);

// The windows of {"perplexity": [{"tokens": [...]}, ...]}, at least two tokens each. Throws kBadFile.
std::vector<std::vector<int32_t>> parse_windows(std::string_view json, const std::string& source);

}  // namespace halyard::app
