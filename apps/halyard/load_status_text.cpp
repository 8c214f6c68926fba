#include "load_status_text.h"

#include <cmath>
#include <fmt/format.h>

namespace halyard::app {
namespace {

std::string duration_text(double seconds) {
  const auto whole = static_cast<uint64_t>(std::ceil(seconds));
  return whole < 120 ? fmt::format("{} s", whole) : fmt::format("{} min", (whole + 59) / 60);
}

}  // namespace

std::string load_status_text(const LoadStatus& status) {
  const bool small = status.total_bytes < (uint64_t{1} << 30);
  const double unit = small ? 0x1p20 : 0x1p30;
  const auto done = static_cast<double>(status.done_bytes), total = static_cast<double>(status.total_bytes);
  std::string text =
      fmt::format("loading: {:.1f} of {:.1f} {}", done / unit, total / unit, small ? "MiB" : "GiB");
  if (status.done_bytes == 0 || status.seconds <= 0) return text;
  const double rate = done / status.seconds;
  text += fmt::format(", {:.2f} GiB/s", rate / 0x1p30);
  if (status.done_bytes < status.total_bytes)
    text += fmt::format(", {} left", duration_text((total - done) / rate));
  return text;
}

}  // namespace halyard::app
