#include "device/device.h"

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

}  // namespace halyard
