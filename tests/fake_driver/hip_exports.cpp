// HIP's names. FAKE_DRIVER_LACKS_REQUIRED leaves out functions that Halyard needs, FAKE_DRIVER_LACKS_OPTIONAL
// those that it can do without.
#include <cstring>

#include "fake_driver/core.h"

namespace fake_driver {

const Vendor kVendor = Vendor::kHip;

namespace {

// The numbers of HIP's header.
Attribute attribute_of(int number) {
  switch (number) {
    case 16:
      return Attribute::kIntegrated;
    case 87:
      return Attribute::kWarpSize;
    case 63:
      return Attribute::kMultiprocessors;
    case 56:
      return Attribute::kMaxThreads;
    case 74:
      return Attribute::kLds;
    case 23:
      return Attribute::kMajor;
    case 61:
      return Attribute::kMinor;
    case 67:
      return Attribute::kPciBus;
    case 68:
      return Attribute::kPciDevice;
    case 69:
      return Attribute::kPciDomain;
    case 24:
      return Attribute::kManaged;
    default:
      return Attribute::kUnknown;
  }
}

}  // namespace
}  // namespace fake_driver

namespace f = fake_driver;

extern "C" {

int hipInit(unsigned flags) {
  return f::remember(f::start(flags));
}
int hipRuntimeGetVersion(int* version) {
  return f::remember(f::get_version(version));
}
int hipDriverGetVersion(int* version) {
  return hipRuntimeGetVersion(version);
}
int hipGetDeviceCount(int* count) {
  return f::remember(f::count_devices(count));
}
int hipDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return f::remember(f::check_device(ordinal));
}
int hipDeviceGetName(char* name, int bytes, int device) {
  std::strncpy(name, f::device_name(device).c_str(), static_cast<size_t>(bytes));
  return f::remember(f::check_device(device));
}
int hipDeviceGetAttribute(int* value, int attribute, int device) {
  return f::remember(f::attribute(value, f::attribute_of(attribute), device));
}
int hipDeviceTotalMem(size_t* bytes, int device) {
  return f::remember(f::total_memory(bytes, device));
}
int hipGetDevicePropertiesR0600(void* properties, int device) {
  char* bytes = static_cast<char*>(properties);
  std::memset(bytes, 0x5A, 1472);  // the structure's size; all of it may be written
  std::strcpy(bytes + 1160, f::architecture());
  return f::remember(f::check_device(device));
}
int hipSetDevice(int device) {
  return f::remember(f::set_current(device));
}
int hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return f::remember(f::memory_info(free_bytes, total_bytes));
}
#ifndef FAKE_DRIVER_LACKS_REQUIRED
int hipMalloc(uint64_t* address, size_t bytes) {
  return f::remember(f::allocate(address, bytes, false));
}
int hipModuleLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned lds_bytes, void* stream,
                          void** arguments, void**) {
  return f::remember(f::launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, lds_bytes,
                               stream, arguments));
}
#endif
#ifndef FAKE_DRIVER_LACKS_OPTIONAL
int hipMallocManaged(uint64_t* address, size_t bytes, unsigned flags) {
  return f::remember(flags == 1 ? f::allocate(address, bytes, true) : 1);
}
#endif
int hipFree(uint64_t address) {
  return f::remember(f::release(address));
}
int hipHostMalloc(void** memory, size_t bytes, unsigned flags) {
  return f::remember(f::allocate_host(memory, bytes, flags));
}
int hipHostFree(void* memory) {
  return f::remember(f::release_host(memory));
}
int hipHostGetDevicePointer(uint64_t* address, void* memory, unsigned) {
  return f::remember(f::host_address(address, memory));
}
int hipMemcpyHtoDAsync(uint64_t to, const void* from, size_t bytes, void* stream) {
  return f::remember(f::copy_to_device(to, from, bytes, stream));
}
int hipMemcpyDtoHAsync(void* to, uint64_t from, size_t bytes, void* stream) {
  return f::remember(f::copy_to_host(to, from, bytes, stream));
}
int hipMemcpyDtoDAsync(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  return f::remember(f::copy_on_device(to, from, bytes, stream));
}
int hipMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void* stream) {
  return f::remember(f::fill(address, value, bytes, stream));
}
int hipStreamCreateWithFlags(void** stream, unsigned flags) {
  return f::remember(f::create_stream(stream, flags));
}
int hipStreamDestroy(void* stream) {
  return f::remember(f::destroy_stream(stream));
}
int hipStreamSynchronize(void* stream) {
  return f::remember(f::synchronize(stream));
}
int hipStreamWaitEvent(void* stream, void* event, unsigned) {
  return f::remember(f::wait_event(stream, event));
}
int hipEventCreateWithFlags(void** event, unsigned flags) {
  return f::remember(f::create_event(event, flags));
}
int hipEventDestroy(void* event) {
  return f::remember(f::destroy_event(event));
}
int hipEventRecord(void* event, void* stream) {
  return f::remember(f::record(event, stream));
}
int hipEventQuery(void* event) {
  return f::remember(f::query(event));
}
int hipEventSynchronize(void* event) {
  return f::remember(f::synchronize_event(event));
}
int hipEventElapsedTime(float* ms, void* begin, void* end) {
  return f::remember(f::elapsed(ms, begin, end));
}
int hipModuleLoadData(void** module, const void* image) {
  return f::remember(f::load_module(module, static_cast<const char*>(image)));
}
int hipModuleUnload(void* module) {
  return f::remember(f::unload_module(module));
}
int hipModuleGetFunction(void** function, void* module, const char* name) {
  return f::remember(f::get_function(function, module, name));
}
int hipGetLastError() {
  return f::take_last_error();
}
const char* hipGetErrorName(int result) {
  switch (result) {
    case 2:
      return "hipErrorOutOfMemory";
    case 209:
      return "hipErrorNoBinaryForGpu";
    case 719:
      return "hipErrorLaunchFailure";
    default:
      return "hipErrorUnknown";
  }
}
const char* hipGetErrorString(int result) {
  switch (result) {
    case 2:
      return "out of memory";
    case 209:
      return "no kernel image is available for execution on the device";
    case 719:
      return "unspecified launch failure";
    default:
      return "unknown error";
  }
}
}
