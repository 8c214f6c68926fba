#include "terminal.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "core/log.h"
#include "platform/console.h"

namespace halyard::app {

void print(std::string_view text) {
  if (!console::write(console::Stream::kOut, text)) throw OutputClosed{};
}

void note(std::string_view text) {
  console::write(console::Stream::kErr, text);
}

ProgressLine::ProgressLine()
    : visible_(console::is_terminal(console::Stream::kErr) && log_level() != LogLevel::kQuiet) {}

void ProgressLine::show(std::string_view text) {
  if (!visible_) return;
  // A full line would wrap on some terminals.
  const std::string_view cut = text.substr(0, console::width(console::Stream::kErr) - 1);
  const size_t rest = shown_ > cut.size() ? shown_ - cut.size() : 0;
  note(fmt::format("\r{}{}", cut, std::string(rest, ' ')));
  shown_ = cut.size();
}

void ProgressLine::clear() {
  if (shown_ == 0) return;
  show("");
  note("\r");
}

Progress token_progress(ProgressLine& line, std::string what, uint64_t total) {
  Progress progress = [&line, what = std::move(what)](uint64_t done, uint64_t of) {
    line.show(fmt::format("{} {} of {} tokens", what, done, of));
    return !console::interrupted();
  };
  progress(0, total);
  return progress;
}

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace halyard::app
