#include "backend/gpu/library_names.h"

namespace halyard {

// In System32 only (platform/library.h): the driver puts them there, and a copy beside the program is older
// than the driver sooner or later, and then finds no device.
std::vector<std::string> gpu_library_names(GpuVendor vendor) {
  if (vendor == GpuVendor::kNvidia) return {"nvcuda.dll"};
  return {"amdhip64_7.dll", "amdhip64_6.dll"};
}

const char* gpu_library_cure(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd
             ? "install AMD's current Adrenalin driver, or set HALYARD_HIP_LIBRARY to the full "
               "path of amdhip64_7.dll"
             : "install NVIDIA's current driver, or set HALYARD_CUDA_LIBRARY to the full path "
               "of nvcuda.dll";
}

}  // namespace halyard
