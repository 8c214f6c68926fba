#include "core/log.h"

#include <cstdio>
#include <mutex>

namespace halyard {
namespace {

std::mutex g_mutex;
LogLevel g_level = LogLevel::kNormal;
std::function<void(std::string_view)> g_sink;

void write_line(std::string_view prefix, std::string_view line) {
  const std::lock_guard lock(g_mutex);
  std::string text(prefix);
  text += line;
  if (g_sink) {
    g_sink(text);
    return;
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void set_log_level(LogLevel level) {
  const std::lock_guard lock(g_mutex);
  g_level = level;
}

LogLevel log_level() {
  const std::lock_guard lock(g_mutex);
  return g_level;
}

void set_log_sink(std::function<void(std::string_view line)> sink) {
  const std::lock_guard lock(g_mutex);
  g_sink = std::move(sink);
}

void log_info(std::string_view line) {
  if (log_level() != LogLevel::kQuiet) write_line("", line);
}

void log_verbose(std::string_view line) {
  if (log_level() == LogLevel::kVerbose) write_line("", line);
}

void log_warning(std::string_view line) {
  write_line("warning: ", line);
}

}  // namespace halyard
