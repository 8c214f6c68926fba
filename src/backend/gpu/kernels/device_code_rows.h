// The table that the build makes of the device code (cmake/device_code.cmake). Others use device_code().
#pragma once
#include <cstddef>
#include <cstdint>

namespace halyard {

struct DeviceCodeRow {  // as device_code.S.in lays it out
  const char* architecture;
  const std::byte* begin;
  uint64_t n_bytes;
};

}  // namespace halyard

extern "C" {
extern const uint64_t halyard_device_code_count;
extern const halyard::DeviceCodeRow halyard_device_code_rows[];
}
