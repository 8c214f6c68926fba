// The kernels that this program carries, one image an architecture.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace halyard {

struct DeviceCode {
  std::string_view architecture;     // "gfx1151": a code object; "sm_80": PTX
  std::span<const std::byte> bytes;  // for as long as the program runs; PTX: a zero byte lies behind the last
};

// All of them, in the order of HALYARD_GPU_ARCHS. Empty when the program was built without device code.
std::span<const DeviceCode> device_code();

// What runs on a device of that architecture: code of the very same one on AMD, PTX of the newest one not
// newer on NVIDIA. Null when there is none.
const DeviceCode* find_device_code(std::string_view architecture);

}  // namespace halyard
