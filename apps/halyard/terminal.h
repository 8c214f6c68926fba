// Results go to standard output, everything else to standard error.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "halyard/engine.h"

namespace halyard::app {

enum ExitCode : int { kExitOk = 0, kExitFailure = 1, kExitUsage = 2, kExitInterrupted = 130 };

// Nobody reads standard output any more: the program ends without a word.
struct OutputClosed {};

void print(std::string_view text);  // to standard output; throws OutputClosed
void note(std::string_view text);   // to standard error, as it is

// One line on standard error that is written over; nothing unless that is a terminal and -q is not given.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);  // ASCII, cut to the terminal's width
  void clear();
  bool visible() const { return visible_; }

 private:
  bool visible_;
  size_t shown_ = 0;  // characters of the line that is there now
};

// For Session::evaluate: shows "WHAT 512 of 2048 tokens", from 0 on, and stops at Ctrl-C.
Progress token_progress(ProgressLine& line, std::string what, uint64_t total);

double seconds_now();  // since some moment; never goes back

}  // namespace halyard::app
