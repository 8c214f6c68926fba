// A GPU driver that was opened at run time: AMD's HIP or NVIDIA's CUDA, behind one interface.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gpu/functions.h"
#include "halyard/error.h"

namespace halyard {

std::string_view gpu_backend_name(GpuVendor vendor);  // "hip", "cuda"

// A device as its driver describes it.
struct GpuInfo {
  int ordinal = 0;
  std::string name;          // "AMD Radeon 8060S Graphics"
  std::string architecture;  // "gfx1151", "sm_90"
  std::string pci_id;        // "0000:c5:00.0", as the system writes it
  bool integrated = false;
  int warp_size = 0;
  int n_multiprocessors = 0;  // work group processors on RDNA, each of two compute units
  int max_threads_per_block = 0;
  uint64_t lds_bytes = 0;    // that one block can have
  uint64_t total_bytes = 0;  // a hint: runtimes report too little on integrated GPUs
};

// The library and its functions. Stays loaded for the life of the process: drivers do not survive being
// unloaded. All calls from any thread.
class GpuDriver {
 public:
  // Opens the vendor's library: the file that HALYARD_HIP_LIBRARY or HALYARD_CUDA_LIBRARY names (an absolute
  // path; nothing else is tried then), otherwise by the names of its known versions where drivers install
  // them. Throws kNotFound when there is none; kUnsupported when it lacks functions (all of them are named)
  // or is too old; kDevice when it does not start.
  static std::shared_ptr<const GpuDriver> open(GpuVendor vendor);
  // The same with one library, by absolute path.
  static std::shared_ptr<const GpuDriver> open(GpuVendor vendor, const std::string& library_path);

  GpuVendor vendor() const { return vendor_; }
  const std::string& library() const { return library_; }  // name or path that was opened
  // "HIP 7.2.53211", "CUDA 13.0"; "HIP" alone where a driver without a device does not say.
  const std::string& version() const { return version_; }
  const std::string& note() const { return note_; }  // what an old version may not do; empty: nothing
  const GpuFunctions& functions() const { return functions_; }
  bool has_graphs() const;

  // 0 when there is none: that is no error.
  int device_count() const;
  GpuInfo device_info(int ordinal) const;  // throws kDevice

  // Throws what `result` of the function means, if it is not success: kOutOfMemory or kDevice, with
  // operation, the vendor's name and text of the error, the version of the driver, and a cure. `device`
  // ("GPU 0, AMD Radeon 8060S") may be empty; `detail` is appended to the problem.
  void check(GpuResult result, std::string_view operation, std::string_view device = {},
             std::string_view detail = {}) const;
  // The same as a value.
  Error error(GpuResult result, std::string_view operation, std::string_view device = {},
              std::string_view detail = {}) const;
  // "hipErrorLaunchFailure: unspecified launch failure (error 719)"
  std::string result_text(GpuResult result) const;
  // HIP keeps the last error of a thread, and some functions return it once more.
  void clear_last_error() const noexcept;

 private:
  GpuDriver(GpuVendor vendor, std::string library, void* handle);
  void read_version();

  GpuVendor vendor_;
  std::string library_, version_, note_;
  GpuFunctions functions_;
};

// Why Halyard's kernels cannot run on such a device; empty: they can.
std::string gpu_problem(const GpuInfo& info);

// "HIP 7.2.53211" of what hipRuntimeGetVersion gives, "CUDA 13.0" of what cuDriverGetVersion gives.
std::string gpu_version_text(GpuVendor vendor, int version);

// True for errors after which a context does nothing any more.
bool is_fatal_gpu_result(GpuResult result);

}  // namespace halyard
