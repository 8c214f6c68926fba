#include "platform/environment.h"

#include <algorithm>

#include "halyard/error.h"

namespace halyard {

std::optional<bool> parse_switch(const std::string& word) {
  std::string lower = word;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const char* on : {"1", "on", "true", "yes"}) {
    if (lower == on) return true;
  }
  for (const char* off : {"0", "off", "false", "no", ""}) {
    if (lower == off) return false;
  }
  return std::nullopt;
}

bool environment_switch(const std::string& name, bool if_unset) {
  const std::optional<std::string> word = environment(name);
  if (!word) return if_unset;
  if (const std::optional<bool> value = parse_switch(*word)) return *value;
  throw Error(ErrorCode::kUsage, "\"" + *word + "\" is neither on nor off", "environment variable " + name,
              "set it to 1 or 0, or unset it");
}

}  // namespace halyard
