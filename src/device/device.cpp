#include "device/device.h"

#include "halyard/error.h"

namespace halyard {

std::string_view pool_name(Pool pool) {
  switch (pool) {
    case Pool::kDedicated:
      return "dedicated";
    case Pool::kShared:
      return "shared";
    case Pool::kHostPinned:
      return "host-pinned";
    case Pool::kManaged:
      return "managed";
  }
  return "unknown";
}

void Device::read_as_host(std::span<std::byte>, uint64_t) {
  throw Error(ErrorCode::kUnsupported, "the processor cannot reach this device's memory", facts().name,
              "use Device::copy_to_host");
}

void Device::write_as_host(uint64_t, std::span<const std::byte>) {
  throw Error(ErrorCode::kUnsupported, "the processor cannot reach this device's memory", facts().name,
              "use Device::copy_to_device");
}

}  // namespace halyard
