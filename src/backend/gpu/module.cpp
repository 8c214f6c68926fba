#include "backend/gpu/module.h"

#include <fmt/format.h>
#include <limits>
#include <utility>

namespace halyard {
namespace {

// CUDA's numbers of options: where its compiler writes errors, and how much room is there.
constexpr int kJitErrorLogBuffer = 5, kJitErrorLogBytes = 6;

GpuResult load_ptx(const GpuFunctions& f, GpuModuleHandle& handle, std::span<const std::byte> image,
                   std::string& log) {
  std::string text(reinterpret_cast<const char*>(image.data()), image.size());  // with a zero at its end
  log.assign(8192, '\0');
  std::array<int, 2> options = {kJitErrorLogBuffer, kJitErrorLogBytes};
  // Numbers are passed as pointers.
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(static_cast<uintptr_t>(log.size() - 1))};
  const GpuResult result = f.cuda_load_module(&handle, text.c_str(), static_cast<unsigned>(options.size()),
                                              options.data(), values.data());
  log.resize(std::strlen(log.c_str()));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
  std::replace(log.begin(), log.end(), '\n', ' ');  // the problem of an error is one line
  return result;
}

}  // namespace

GpuModule::GpuModule(GpuDevice& device, std::span<const std::byte> image, std::string name)
    : device_(&device), name_(std::move(name)) {
  const GpuDriver& driver = device.driver();
  const GpuFunctions& f = driver.functions();
  device.require_alive();
  device.make_current();
  std::string log;
  GpuResult result = kGpuSuccess;
  if (driver.vendor() == GpuVendor::kAmd) {
    // HIP does not copy the image, and may read it as late as at the first launch.
    image_.assign(image.begin(), image.end());
    result = f.hip_load_module(&handle_, image_.data());
  } else {
    result = load_ptx(f, handle_, image, log);
  }
  std::string detail =
      fmt::format("module {} of {} bytes for {}", name_, image.size(), device.info().architecture);
  if (!log.empty()) detail += ": " + log;
  device.check(result, "load module", detail);
}

GpuModule::GpuModule(GpuModule&& other) noexcept
    : device_(other.device_),
      handle_(std::exchange(other.handle_, nullptr)),
      name_(std::move(other.name_)),
      image_(std::move(other.image_)) {}

GpuModule::~GpuModule() {
  if (!handle_) return;
  try {
    device_->make_current();
    device_->synchronize();  // its kernels may still run
  } catch (const Error&) {
    // A lost device: what can be released is.
  }
  device_->driver().functions().unload_module(handle_);
  device_->driver().clear_last_error();
}

GpuKernel GpuModule::kernel(const std::string& name) {
  device_->require_alive();
  device_->make_current();
  GpuFunctionHandle function = nullptr;
  device_->check(device_->driver().functions().get_function(&function, handle_, name.c_str()), "get kernel",
                 name + " of module " + name_);
  return GpuKernel(*device_, function, name);
}

void GpuKernel::require_shape(const GpuShape& shape) const {
  const auto& [grid, block, lds_bytes] = shape;
  const GpuInfo& info = device_->info();
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kUsage, what,
                fmt::format("kernel {}, grid {}x{}x{}, block {}x{}x{}", name_, grid.x, grid.y, grid.z,
                            block.x, block.y, block.z),
                "this is a fault of the program: please report it");
  };
  constexpr uint64_t kMostOfX = std::numeric_limits<int32_t>::max(), kMostOfOthers = 65535;
  for (const uint32_t each : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    if (each == 0) refuse("a launch of nothing");
  if (grid.x > kMostOfX || grid.y > kMostOfOthers || grid.z > kMostOfOthers) refuse("the grid is too large");
  // HIP counts the threads of each direction in 32 bits.
  if (uint64_t{grid.x} * block.x > std::numeric_limits<uint32_t>::max()) refuse("too many threads in x");
  const uint64_t n_threads = uint64_t{block.x} * block.y * block.z;
  if (n_threads > static_cast<uint64_t>(std::max(info.max_threads_per_block, 0)))
    refuse(fmt::format("{} threads in a block; this device has at most {}", n_threads,
                       info.max_threads_per_block));
  if (lds_bytes > info.lds_bytes)
    refuse(fmt::format("{} bytes of LDS; this device has {}", lds_bytes, info.lds_bytes));
}

void GpuKernel::launch_with(const GpuShape& shape, GpuArguments& arguments) {
  require_shape(shape);
  device_->require_alive();
  device_->make_current();
  const GpuFunctions& f = device_->driver().functions();
  // HIP has nothing to ask: its function of that name takes functions of the host.
  if (f.cuda_set_function_attribute && shape.lds_bytes > allowed_lds_bytes_) {
    device_->check(f.cuda_set_function_attribute(function_, kGpuFunctionMaxDynamicLds,
                                                 static_cast<int>(shape.lds_bytes)),
                   "allow LDS", fmt::format("{} bytes for kernel {}", shape.lds_bytes, name_));
    allowed_lds_bytes_ = shape.lds_bytes;
  }
  const auto& [grid, block, lds_bytes] = shape;
  const GpuResult result = f.launch(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z, lds_bytes,
                                    device_->stream(), arguments.pointers(), nullptr);
  if (result == kGpuSuccess) return;
  device_->check(result, "launch",
                 fmt::format("kernel {}, grid {}x{}x{}, block {}x{}x{}, {} bytes of LDS", name_, grid.x,
                             grid.y, grid.z, block.x, block.y, block.z, lds_bytes));
}

}  // namespace halyard
