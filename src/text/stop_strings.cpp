#include "text/stop_strings.h"

#include <algorithm>
#include <utility>

#include "halyard/error.h"
#include "text/held_suffix.h"

namespace halyard {

StopStrings::StopStrings(std::vector<std::string> stop_strings) : stop_strings_(std::move(stop_strings)) {
  for (size_t i = 0; i < stop_strings_.size(); ++i)
    if (stop_strings_[i].empty())
      throw Error(ErrorCode::kUsage, "a stop string is empty", "stop string " + std::to_string(i + 1),
                  "leave it out, or give it at least one character");
}

bool StopStrings::feed(std::string_view text, std::string& out) {
  if (stopped_) return true;
  for (const char c : text) {
    held_ += c;
    size_t stop_length = 0;
    for (const std::string& stop : stop_strings_)
      if (held_.ends_with(stop)) stop_length = std::max(stop_length, stop.size());
    if (stop_length > 0) {
      out.append(held_, 0, held_.size() - stop_length);
      held_.clear();
      stopped_ = true;
      return true;
    }
  }
  const size_t ready = held_.size() - held_suffix(held_, stop_strings_);
  out.append(held_, 0, ready);
  held_.erase(0, ready);
  return false;
}

void StopStrings::finish(std::string& out) {
  out += std::exchange(held_, {});
}

}  // namespace halyard
