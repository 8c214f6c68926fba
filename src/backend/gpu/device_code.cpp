#include "backend/gpu/device_code.h"

#include <charconv>
#include <vector>

#include "backend/gpu/kernels/device_code_rows.h"

namespace halyard {
namespace {

constexpr std::string_view kNvidiaPrefix = "sm_";

// 90 of "sm_90", -1 of anything else. A letter behind the number ("sm_90a") binds code to that one chip: not
// for us.
int nvidia_version(std::string_view architecture) {
  if (!architecture.starts_with(kNvidiaPrefix)) return -1;
  const char* end = architecture.data() + architecture.size();
  int version = -1;
  const auto [stopped, error] = std::from_chars(architecture.data() + kNvidiaPrefix.size(), end, version);
  return error == std::errc{} && stopped == end ? version : -1;
}

}  // namespace

std::span<const DeviceCode> device_code() {
  static const std::vector<DeviceCode> all = [] {
    std::vector<DeviceCode> codes;
    for (const DeviceCodeRow& row : std::span(halyard_device_code_rows, halyard_device_code_count)) {
      codes.push_back({row.architecture, {row.begin, row.n_bytes}});
    }
    return codes;
  }();
  return all;
}

const DeviceCode* find_device_code(std::string_view architecture) {
  const int wanted = nvidia_version(architecture);
  const DeviceCode* best = nullptr;
  for (const DeviceCode& code : device_code()) {
    if (code.architecture == architecture) return &code;
    const int version = nvidia_version(code.architecture);
    const bool runs = wanted >= 0 && version >= 0 && version <= wanted;
    if (runs && (best == nullptr || version > nvidia_version(best->architecture))) best = &code;
  }
  return best;
}

}  // namespace halyard
