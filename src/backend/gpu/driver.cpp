#include "backend/gpu/driver.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "backend/gpu/library_names.h"
#include "platform/environment.h"
#include "platform/library.h"

namespace halyard {
namespace {

// Versions as the libraries count them.
constexpr int kOldestHip = 60000000, kGoodHip = 70200000, kOldestCuda = 12000;

const char* vendor_text(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd ? "HIP" : "CUDA";
}

const char* path_variable(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd ? "HALYARD_HIP_LIBRARY" : "HALYARD_CUDA_LIBRARY";
}

const char* update_cure(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd
             ? "update the driver: ROCm 7.2 or later on Linux, the current Adrenalin driver on Windows"
             : "update NVIDIA's driver to one of CUDA 12 or later";
}

std::string cure_of(GpuVendor vendor, GpuResult result) {
  switch (result) {
    case kGpuOutOfMemory:
      return "close other programs that use the GPU, take a smaller model or --ctx, or run with --backend "
             "cpu";
    case kGpuInvalidImage:
    case kGpuNoBinary:
    case kGpuInvalidKernelFile:
      return std::string("this driver does not take the code of this build for this GPU; ") +
             update_cure(vendor);
    case kGpuLaunchTimeout:
      return "the system stopped a kernel that ran too long: start again, and report it if it stays";
    case kGpuIllegalAddress:
    case kGpuLaunchFailure:
      return "start again; update the driver, and report it if it stays";
    case kGpuNoDevice:
      return vendor == GpuVendor::kAmd
                 ? "on Linux this user needs access to /dev/kfd and /dev/dri (groups render "
                   "and video)"
                 : "check nvidia-smi; in a container, pass the GPU through";
    default:
      return "update the GPU driver, or run with --backend cpu";
  }
}

std::string architecture_of(const GpuDriver& driver, int device) {
  const GpuFunctions& f = driver.functions();
  if (driver.vendor() == GpuVendor::kNvidia) {
    const GpuAttributes& numbers = gpu_attributes(driver.vendor());
    int major = 0, minor = 0;
    driver.check(f.get_device_attribute(&major, numbers.capability_major, device), "get device attribute");
    driver.check(f.get_device_attribute(&minor, numbers.capability_minor, device), "get device attribute");
    return fmt::format("sm_{}{}", major, minor);
  }
  // hipDeviceProp_tR0600 has 1472 bytes today; the name is at the same place in all versions of that layout.
  constexpr size_t kPropertyBytes = 4096, kNameAt = 1160, kNameBytes = 256;
  alignas(16) std::array<char, kPropertyBytes> properties{};
  driver.check(f.hip_get_properties(properties.data(), device), "get device properties");
  const char* name = properties.data() + kNameAt;
  const std::string whole(name, strnlen(name, kNameBytes));  // "gfx90a:sramecc+:xnack-"
  return whole.substr(0, whole.find(':'));
}

// Opens one name of a library, adding to `reasons` when it is there and cannot be opened.
void* try_library(const std::string& name, std::vector<std::string>& reasons) {
  const char* text = name.c_str();
  std::string reason;
  void* library = open_library(std::span(&text, 1), &reason);
  // On Linux a library that misses another one names that one.
  if (!library && !reason.empty() && !reason.starts_with(name + ": cannot open")) reasons.push_back(reason);
  return library;
}

}  // namespace

std::string_view gpu_backend_name(GpuVendor vendor) {
  return vendor == GpuVendor::kAmd ? "hip" : "cuda";
}

std::string gpu_version_text(GpuVendor vendor, int version) {
  if (vendor == GpuVendor::kNvidia) return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  return fmt::format("HIP {}.{}.{}", version / 10000000, version / 100000 % 100, version % 100000);
}

bool is_fatal_gpu_result(GpuResult result) {
  switch (result) {
    case 4:    // the driver is shutting down
    case 214:  // memory error that could not be corrected
    case 220:  // link between GPUs
    case 226:
    case kGpuIllegalAddress:
    case kGpuLaunchTimeout:
    case 710:  // assertion in a kernel
    case 714:
    case 715:  // illegal instruction
    case 716:
    case 717:
    case 718:
    case kGpuLaunchFailure:
    case 999:
    case 1052:  // ROCr, below HIP
    case 1053:
      return true;
    default:
      return false;
  }
}

std::string gpu_problem(const GpuInfo& info) {
  if (info.warp_size != 32)
    return fmt::format("the kernels are for waves of 32 threads, this GPU ({}) has {}", info.architecture,
                       info.warp_size);
  return {};
}

std::shared_ptr<const GpuDriver> GpuDriver::open(GpuVendor vendor) {
  const std::string chosen = environment(path_variable(vendor)).value_or("");
  if (!chosen.empty()) {
    const std::u8string text(chosen.begin(), chosen.end());
    if (!std::filesystem::path(text).is_absolute())
      throw Error(ErrorCode::kUsage, "\"" + chosen + "\" is no full path",
                  std::string("environment variable ") + path_variable(vendor),
                  "set it to the full path of the driver's library, or unset it");
    return open(vendor, chosen);
  }
  std::vector<std::string> reasons;
  for (const std::string& name : gpu_library_names(vendor)) {
    if (void* library = try_library(name, reasons))
      return std::shared_ptr<const GpuDriver>(new GpuDriver(vendor, name, library));
  }
  if (!reasons.empty())
    throw Error(
        ErrorCode::kNotFound,
        fmt::format("the {} driver cannot be opened: {}", vendor_text(vendor), fmt::join(reasons, "; ")),
        "opening the GPU driver", update_cure(vendor));
  throw Error(ErrorCode::kNotFound, fmt::format("no {} driver is installed", vendor_text(vendor)),
              fmt::format("{}", fmt::join(gpu_library_names(vendor), ", ")), gpu_library_cure(vendor));
}

std::shared_ptr<const GpuDriver> GpuDriver::open(GpuVendor vendor, const std::string& library_path) {
  const char* text = library_path.c_str();
  std::string reason;
  void* library = open_library(std::span(&text, 1), &reason);
  if (!library)
    throw Error(ErrorCode::kNotFound, "the GPU driver cannot be opened: " + reason, library_path,
                gpu_library_cure(vendor));
  return std::shared_ptr<const GpuDriver>(new GpuDriver(vendor, library_path, library));
}

GpuDriver::GpuDriver(GpuVendor vendor, std::string library, void* handle)
    : vendor_(vendor), library_(std::move(library)) {
  const std::vector<std::string> missing = find_functions(vendor, handle, functions_);
  if (!missing.empty())
    throw Error(ErrorCode::kUnsupported,
                fmt::format("the {} driver lacks {}", vendor_text(vendor), fmt::join(missing, ", ")),
                library_, update_cure(vendor));
  // A driver may be installed where no such GPU is; then it does not start, and that is no fault of it.
  const GpuResult started = functions_.init(0);
  read_version();
  if (started != kGpuNoDevice) check(started, "start the driver");
}

void GpuDriver::read_version() {
  int number = 0;
  const GpuResult result = functions_.get_version(&number);
  if (result == kGpuNoDevice) {  // some start themselves for every question, and have nothing to start on
    clear_last_error();
    version_ = vendor_text(vendor_);
    return;
  }
  check(result, "get the driver's version");
  version_ = gpu_version_text(vendor_, number);
  if (number < (vendor_ == GpuVendor::kAmd ? kOldestHip : kOldestCuda))
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{} is too old: {} is the oldest that works", version_,
                            gpu_version_text(vendor_, vendor_ == GpuVendor::kAmd ? kOldestHip : kOldestCuda)),
                library_, update_cure(vendor_));
  if (vendor_ == GpuVendor::kAmd && number < kGoodHip)
    note_ = version_ + " may refuse the code for new GPUs (gfx1151 among them); 7.2 or later takes it";
}

bool GpuDriver::has_graphs() const {
  const GpuFunctions& f = functions_;
  return f.begin_capture && f.end_capture && f.instantiate_graph && f.launch_graph && f.destroy_graph &&
         f.destroy_executable_graph;
}

int GpuDriver::device_count() const {
  int count = 0;
  const GpuResult result = functions_.get_device_count(&count);
  if (result == kGpuNoDevice) {
    clear_last_error();
    return 0;
  }
  check(result, "count devices");
  return count;
}

GpuInfo GpuDriver::device_info(int ordinal) const {
  const GpuFunctions& f = functions_;
  const GpuAttributes& numbers = gpu_attributes(vendor_);
  const std::string where = fmt::format("GPU {}", ordinal);
  int device = 0;
  check(f.get_device(&device, ordinal), "get device", where);
  const auto attribute = [&](int number) {
    int value = 0;
    check(f.get_device_attribute(&value, number, device), "get device attribute", where,
          fmt::format("attribute {}", number));
    return value;
  };
  GpuInfo info;
  info.ordinal = ordinal;
  std::array<char, 256> name{};
  check(f.get_device_name(name.data(), static_cast<int>(name.size()) - 1, device), "get device name", where);
  info.name = name.data();
  info.architecture = architecture_of(*this, device);
  info.pci_id = fmt::format("{:04x}:{:02x}:{:02x}.0", static_cast<unsigned>(attribute(numbers.pci_domain)),
                            static_cast<unsigned>(attribute(numbers.pci_bus)),
                            static_cast<unsigned>(attribute(numbers.pci_device)));
  info.integrated = attribute(numbers.integrated) != 0;
  info.warp_size = attribute(numbers.warp_size);
  info.n_multiprocessors = attribute(numbers.multiprocessors);
  info.max_threads_per_block = attribute(numbers.max_threads_per_block);
  const int lds = attribute(numbers.lds_per_block_opt_in);
  info.lds_bytes = lds > 0 ? static_cast<uint64_t>(lds) : 0;
  size_t total = 0;
  check(f.get_device_total_memory(&total, device), "get device memory", where);
  info.total_bytes = total;
  return info;
}

std::string GpuDriver::result_text(GpuResult result) const {
  const char *name = nullptr, *text = nullptr;
  if (vendor_ == GpuVendor::kAmd) {
    name = functions_.hip_error_name(result);
    text = functions_.hip_error_text(result);
  } else {
    // Both fail for a number that the driver does not know, and leave nothing.
    if (functions_.cuda_error_name(result, &name) != kGpuSuccess) name = nullptr;
    if (functions_.cuda_error_text(result, &text) != kGpuSuccess) text = nullptr;
  }
  return fmt::format("{}: {} (error {})", name ? name : "unknown error",
                     text ? text : "the driver has no text", result);
}

Error GpuDriver::error(GpuResult result, std::string_view operation, std::string_view device,
                       std::string_view detail) const {
  std::string where = fmt::format("{} ({})", version_.empty() ? vendor_text(vendor_) : version_, library_);
  if (!device.empty()) where = fmt::format("{}, {}", device, where);
  return Error(
      result == kGpuOutOfMemory ? ErrorCode::kOutOfMemory : ErrorCode::kDevice,
      fmt::format("{} failed: {}{}{}", operation, result_text(result), detail.empty() ? "" : "; ", detail),
      where, cure_of(vendor_, result));
}

void GpuDriver::check(GpuResult result, std::string_view operation, std::string_view device,
                      std::string_view detail) const {
  if (result == kGpuSuccess) return;
  Error failure = error(result, operation, device, detail);
  clear_last_error();
  throw failure;
}

void GpuDriver::clear_last_error() const noexcept {
  if (functions_.hip_get_last_error) functions_.hip_get_last_error();
}

}  // namespace halyard
