#include "load_progress.h"

#include "core/log.h"
#include "load_status_text.h"
#include "platform/console.h"

namespace halyard::app {
namespace {

constexpr double kPlainLineSeconds = 10;

}  // namespace

LoadWatcher LoadProgress::watcher() {
  return [this](const LoadStatus& status) {
    last_ = status;
    line_.show(load_status_text(status));
    if (!line_.visible() && status.seconds >= next_plain_line_) {
      next_plain_line_ = status.seconds + kPlainLineSeconds;
      log_info(load_status_text(status));
    }
    return !console::interrupted();
  };
}

void LoadProgress::finish() {
  line_.clear();
  if (last_.total_bytes != 0) log_verbose(load_status_text(last_));
}

}  // namespace halyard::app
