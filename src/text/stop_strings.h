// Ends the text before the first stop string.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

// The first stop string is the one that is complete first; of several that end together, the longest. So the
// result does not depend on how the text is cut into pieces, and generation can end at once.
class StopStrings {
 public:
  // Throws Error(kUsage) when a stop string is empty.
  explicit StopStrings(std::vector<std::string> stop_strings);

  // Appends to `out` what can no longer be part of a stop string. True when a stop string has come: the text
  // is over, and whatever is fed later is ignored.
  bool feed(std::string_view text, std::string& out);

  // The text is over without a stop string: appends what was held back.
  void finish(std::string& out);

  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stop_strings_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace halyard
