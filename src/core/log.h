// Messages to the person at the terminal: stderr, one line each. Results never go through here.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace halyard {

enum class LogLevel { kQuiet, kNormal, kVerbose };

// Process-wide; set once by main before threads start. Default kNormal, to stderr.
void set_log_level(LogLevel level);
LogLevel log_level();
void set_log_sink(std::function<void(std::string_view line)> sink);  // empty restores stderr

void log_info(std::string_view line);     // shown unless -q
void log_verbose(std::string_view line);  // shown with -v
void log_warning(std::string_view line);  // always shown, prefixed "warning: "

}  // namespace halyard
