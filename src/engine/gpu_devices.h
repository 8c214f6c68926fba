// GPUs as `halyard devices` shows them, and why none of them is used.
#pragma once
#include <vector>

#include "backend/gpu/functions.h"
#include "halyard/devices.h"

namespace halyard {

// One for each GPU of that vendor, each tried with a few copies; where there is none, one that says why.
// Opens the driver. Throws nothing but kUsage for a variable that is set wrong.
std::vector<DeviceReport> gpu_reports(GpuVendor vendor);

}  // namespace halyard
