// For a build without device code: a table without rows.
#include "backend/gpu/kernels/device_code_rows.h"

extern "C" {
const uint64_t halyard_device_code_count = 0;
const halyard::DeviceCodeRow halyard_device_code_rows[1] = {};
}
