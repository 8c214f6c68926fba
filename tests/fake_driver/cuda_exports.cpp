// CUDA's names, and FAKE_DRIVER_LACKS_REQUIRED and FAKE_DRIVER_LACKS_OPTIONAL as in hip_exports.cpp; without
// the optional ones it is an older driver also in the versions of its functions.
#include <cstdio>
#include <cstring>

#include "fake_driver/core.h"

namespace fake_driver {

const Vendor kVendor = Vendor::kCuda;

namespace {

// The numbers of CUDA's header.
Attribute attribute_of(int number) {
  switch (number) {
    case 18:
      return Attribute::kIntegrated;
    case 10:
      return Attribute::kWarpSize;
    case 16:
      return Attribute::kMultiprocessors;
    case 1:
      return Attribute::kMaxThreads;
    case 8:
      return Attribute::kLds;
    case 97:
      return Attribute::kLdsOptIn;
    case 75:
      return Attribute::kMajor;
    case 76:
      return Attribute::kMinor;
    case 33:
      return Attribute::kPciBus;
    case 34:
      return Attribute::kPciDevice;
    case 50:
      return Attribute::kPciDomain;
    case 83:
      return Attribute::kManaged;
    default:
      return Attribute::kUnknown;
  }
}

// As handles of contexts.
char contexts[8];

}  // namespace
}  // namespace fake_driver

namespace f = fake_driver;

extern "C" {

int cuInit(unsigned flags) {
  return f::start(flags);
}
int cuDriverGetVersion(int* version) {
  return f::get_version(version);
}
int cuDeviceGetCount(int* count) {
  return f::count_devices(count);
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return f::check_device(ordinal);
}
int cuDeviceGetName(char* name, int bytes, int device) {
  std::strncpy(name, f::device_name(device).c_str(), static_cast<size_t>(bytes));
  return f::check_device(device);
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  return f::attribute(value, f::attribute_of(attribute), device);
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  return f::total_memory(bytes, device);
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = &f::contexts[device];
  return f::retain_context(device);
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  return f::release_context(device);
}
int cuCtxSetCurrent(void* context) {
  return f::set_current(static_cast<int>(static_cast<char*>(context) - f::contexts));
}
int cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return f::memory_info(free_bytes, total_bytes);
}
#ifndef FAKE_DRIVER_LACKS_REQUIRED
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  return f::allocate(address, bytes, false);
}
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned lds_bytes, void* stream, void** arguments,
                   void**) {
  return f::launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, lds_bytes, stream,
                   arguments);
}
#endif
// Of 32-bit addresses, as drivers still export it: never to be called.
int cuMemAlloc(unsigned* address, unsigned) {
  *address = 0;
  ++f::state().bad_calls;
  return 1;
}
#ifndef FAKE_DRIVER_LACKS_OPTIONAL
int cuMemAllocManaged(uint64_t* address, size_t bytes, unsigned flags) {
  return flags == 1 ? f::allocate(address, bytes, true) : 1;
}
int cuEventElapsedTime_v2(float* ms, void* begin, void* end) {
  return f::elapsed(ms, begin, end);
}
#else
int cuEventElapsedTime(float* ms, void* begin, void* end) {
  return f::elapsed(ms, begin, end);
}
#endif
int cuMemFree_v2(uint64_t address) {
  return f::release(address);
}
int cuMemHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return f::allocate_host(memory, bytes, flags);
}
int cuMemFreeHost(void* memory) {
  return f::release_host(memory);
}
int cuMemHostGetDevicePointer_v2(uint64_t* address, void* memory, unsigned) {
  return f::host_address(address, memory);
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) {
  return f::copy_to_device(to, from, bytes, stream);
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
  return f::copy_to_host(to, from, bytes, stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  return f::copy_on_device(to, from, bytes, stream);
}
int cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void* stream) {
  return f::fill(address, value, bytes, stream);
}
int cuStreamCreate(void** stream, unsigned flags) {
  return f::create_stream(stream, flags);
}
int cuStreamDestroy_v2(void* stream) {
  return f::destroy_stream(stream);
}
int cuStreamSynchronize(void* stream) {
  return f::synchronize(stream);
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  return f::wait_event(stream, event);
}
int cuEventCreate(void** event, unsigned flags) {
  return f::create_event(event, flags);
}
int cuEventDestroy_v2(void* event) {
  return f::destroy_event(event);
}
int cuEventRecord(void* event, void* stream) {
  return f::record(event, stream);
}
int cuEventQuery(void* event) {
  return f::query(event);
}
int cuEventSynchronize(void* event) {
  return f::synchronize_event(event);
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned n_options, int* options, void** values) {
  const int result = f::load_module(module, static_cast<const char*>(image));
  char* log = nullptr;
  uintptr_t room = 0;
  for (unsigned i = 0; i < n_options; ++i) {
    if (options[i] == 5) log = static_cast<char*>(values[i]);
    if (options[i] == 6) room = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (result != 0 && log)
    std::snprintf(log, room,
                  "ptxas application ptx input, line 1; fatal: syntax error\nptxas fatal: aborted\n");
  return result;
}
int cuModuleUnload(void* module) {
  return f::unload_module(module);
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  return f::get_function(function, module, name);
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  return attribute == 8 ? f::allow_lds(function, value) : 1;
}
int cuGetErrorName(int result, const char** name) {
  *name = result == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : result == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : nullptr;
  return *name ? 0 : 1;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 2 ? "out of memory" : result == 719 ? "unspecified launch failure" : nullptr;
  return *text ? 0 : 1;
}
}
