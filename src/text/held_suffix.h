// For streams that look for fixed strings: how much of the end of a text must wait for what comes next.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace halyard {

// Length of the longest end of `text` that is the beginning, but not the whole, of one of `patterns` (a range
// of strings).
template <typename Patterns>
size_t held_suffix(std::string_view text, const Patterns& patterns) {
  size_t longest = 0;
  for (const std::string_view pattern : patterns) {
    if (pattern.empty()) continue;
    for (size_t n = std::min(text.size(), pattern.size() - 1); n > longest; --n) {
      if (text.ends_with(pattern.substr(0, n))) longest = n;
    }
  }
  return longest;
}

}  // namespace halyard
