#include "backend/gpu/library_names.h"
#include "platform/environment.h"

namespace halyard {

std::vector<std::string> gpu_library_names(GpuVendor vendor) {
  if (vendor == GpuVendor::kNvidia) return {"libcuda.so.1", "libcuda.so"};
  std::vector<std::string> names;
  // A ROCm that the user points to wins over that of the distribution; packages of AMD are outside the
  // loader's search unless a script of the shell has set it.
  const std::string chosen = environment("ROCM_PATH").value_or("");
  if (chosen.starts_with('/')) {
    names.push_back(chosen + "/lib/libamdhip64.so.7");
    names.push_back(chosen + "/lib/libamdhip64.so.6");
  }
  for (const char* version : {"7", "6"}) {
    names.push_back(std::string("libamdhip64.so.") + version);
    names.push_back(std::string("/opt/rocm/lib/libamdhip64.so.") + version);
  }
  return names;
}

const char* gpu_library_cure(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd
             ? "install ROCm 7.2 or later, or set HALYARD_HIP_LIBRARY to the full path of "
               "libamdhip64.so.7"
             : "install NVIDIA's driver, or set HALYARD_CUDA_LIBRARY to the full path of "
               "libcuda.so.1";
}

}  // namespace halyard
