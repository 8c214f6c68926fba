// The JSON that the program reads: tools, windows of tokens, and any text as JSON.
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "input.h"
#include "text/json_text.h"
#include "windows.h"

namespace halyard {
namespace {

using fuzz::accepted;
using fuzz::require;

void check_tools(std::string_view text) {
  std::vector<std::string> tools;
  accepted([&] { tools = app::parse_tools(text, "fuzz.json"); });
  for (const std::string& tool : tools) respaced_json(tool, "a tool");  // throws for what cannot be rendered
}

void check_windows(std::string_view text) {
  std::vector<std::vector<int32_t>> windows;
  accepted([&] { windows = app::parse_windows(text, "fuzz.json"); });
  for (const std::vector<int32_t>& window : windows) {
    require(window.size() >= 2, "a window that foretells nothing");
    for (const int32_t token : window) require(token >= 0, "a negative token");
  }
  accepted([&] { app::check_vocabulary(windows, 1000); });
}

void check_rewriting(std::string_view text) {
  std::string respaced;
  const bool is_valid = accepted([&] { respaced = respaced_json(text, "fuzz.json"); });
  accepted([&] { json_members(text, "fuzz.json"); });
  require(is_json(text) == is_valid, "is_json and respaced_json disagree");
  if (!is_valid) return;
  require(text.find('\0') == std::string_view::npos, "JSON with a zero byte");
  require(respaced_json(respaced, "fuzz.json") == respaced,
          "respaced JSON changes when it is respaced again");
  accepted([&] {
    const auto tree = app::parse_json(text, "fuzz.json");
    require(tree == app::parse_json(respaced, "fuzz.json"), "respacing changes the meaning");
  });
}

void check_escaping(std::string_view text) {
  std::string quoted = "\"";
  append_json_escaped(quoted, text);
  quoted += '"';
  const auto value = nlohmann::json::parse(quoted, nullptr, false);
  if (!value.is_discarded()) require(value.get<std::string>() == text, "escaping loses text");
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = halyard::fuzz::Input(data, size).rest();
  halyard::check_tools(text);
  halyard::check_windows(text);
  halyard::check_rewriting(text);
  halyard::check_escaping(text);
  return 0;
}
