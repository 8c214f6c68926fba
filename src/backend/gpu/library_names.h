// Where the drivers of GPUs are, by system.
#pragma once
#include <string>
#include <vector>

#include "backend/gpu/functions.h"

namespace halyard {

// Best first: plain names for the system's own search, absolute paths of other places.
std::vector<std::string> gpu_library_names(GpuVendor vendor);

// What to install when there is none.
const char* gpu_library_cure(GpuVendor vendor);

}  // namespace halyard
