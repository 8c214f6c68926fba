#include "input.h"

#include <fmt/format.h>
#include <limits>
#include <span>

#include <nlohmann/json.hpp>

#include "halyard/error.h"
#include "platform/file.h"
#include "platform/paths.h"

namespace halyard::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;
constexpr int kMaxDepth = 100;  // reading is iterative, but writing and copying a tree recurse

std::vector<int32_t> parse_tokens(const Json& window, const std::string& where) {
  const auto bad = [&](const std::string& problem) {
    return Error(ErrorCode::kBadFile, problem, where, "give {\"tokens\": [0, 17, ...]} with two ids or more");
  };
  const auto tokens = window.is_object() ? window.find("tokens") : window.end();
  if (tokens == window.end() || !tokens->is_array()) throw bad("a window without a list of tokens");
  std::vector<int32_t> ids;
  for (const Json& token : *tokens) {
    const uint64_t id = token.is_number_unsigned() ? token.get<uint64_t>() : UINT64_MAX;
    if (id > static_cast<uint64_t>(std::numeric_limits<int32_t>::max()))
      throw bad(fmt::format("token {} is no token id", ids.size()));
    ids.push_back(static_cast<int32_t>(id));
  }
  if (ids.size() < 2) throw bad(fmt::format("a window of {} tokens foretells nothing", ids.size()));
  return ids;
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const File file = File::open(path_from_utf8(path));
  if (file.size_bytes() > kMaxTextBytes)
    throw Error(
        ErrorCode::kUsage,
        fmt::format("a text of {} bytes is too long; {} can be read", file.size_bytes(), kMaxTextBytes), path,
        "cut a part of it");
  std::string text(static_cast<size_t>(file.size_bytes()), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(text)));
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

Json parse_json(std::string_view text, const std::string& source) {
  const auto limit_depth = [&source](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth)
      throw Error(ErrorCode::kBadFile, fmt::format("JSON with more than {} levels", kMaxDepth), source,
                  "check the file");
    return true;
  };
  const auto not_json = [&source](size_t byte) {
    return Error(ErrorCode::kBadFile, "not JSON", fmt::format("{}, byte {}", source, byte),
                 "check the file at that place");
  };
  // The library takes a zero byte for the end of the text and would not look at what follows.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) throw not_json(zero + 1);
  try {
    return Json::parse(text, limit_depth);
  } catch (const Json::parse_error& e) {
    throw not_json(e.byte);
  } catch (const Json::exception& e) {  // a number out of range
    throw Error(ErrorCode::kBadFile, e.what(), source, "check the file");
  }
}

std::vector<std::string> parse_tools(std::string_view json, const std::string& source) {
  const auto bad = [](const std::string& problem, const std::string& where) {
    return Error(ErrorCode::kBadFile, problem, where,
                 "give a list of functions, each with name, description and parameters");
  };
  const Json list = parse_json(json, source);
  if (!list.is_array()) throw bad("not a list of functions", source);
  std::vector<std::string> tools;
  for (const Json& entry : list) {
    const bool wrapped = entry.is_object() && entry.contains("function");
    const Json& function = wrapped ? entry["function"] : entry;
    if (!function.is_object() || !function.contains("name") || !function["name"].is_string())
      throw bad("a function without a name", fmt::format("{}, entry {}", source, tools.size()));
    tools.push_back(function.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return tools;
}

std::vector<std::vector<int32_t>> parse_windows(std::string_view json, const std::string& source) {
  const Json document = parse_json(json, source);
  const auto list = document.is_object() ? document.find("perplexity") : document.end();
  if (list == document.end() || !list->is_array() || list->empty())
    throw Error(ErrorCode::kBadFile, "no list of windows under the key \"perplexity\"", source,
                "give {\"perplexity\": [{\"tokens\": [0, 17, ...]}, ...]}");
  std::vector<std::vector<int32_t>> windows;
  for (const Json& window : *list)
    windows.push_back(parse_tokens(window, fmt::format("{}, window {}", source, windows.size())));
  return windows;
}

}  // namespace halyard::app
