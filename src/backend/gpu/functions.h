// The functions of HIP and of CUDA that Halyard calls, under one name each. Both vendors' functions have the
// same parameters where one member serves both: device pointers are 8 bytes, handles are pointers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard {

enum class GpuVendor { kAmd, kNvidia };

// What every function returns; 0 is success. Numbers that both vendors share.
using GpuResult = int;
inline constexpr GpuResult kGpuSuccess = 0, kGpuOutOfMemory = 2, kGpuNoDevice = 100, kGpuInvalidDevice = 101,
                           kGpuInvalidImage = 200, kGpuNoBinary = 209, kGpuInvalidKernelFile = 218,
                           kGpuNotFound = 500, kGpuNotReady = 600, kGpuIllegalAddress = 700,
                           kGpuLaunchTimeout = 702, kGpuLaunchFailure = 719, kGpuNotSupported = 801;

using GpuStream = void*;
using GpuEventHandle = void*;
using GpuModuleHandle = void*;
using GpuFunctionHandle = void*;
using GpuGraph = void*;

// Flags, the same numbers for both vendors.
inline constexpr unsigned kGpuStreamNonBlocking = 1;
inline constexpr unsigned kGpuEventBlockingSync = 1, kGpuEventDisableTiming = 2;
inline constexpr unsigned kGpuHostPortable = 1, kGpuHostMapped = 2;
inline constexpr unsigned kGpuManagedGlobal = 1;
inline constexpr int kGpuFunctionMaxDynamicLds = 8;

// Null: the library does not have it, and it is optional (functions.cpp says which are).
struct GpuFunctions {
  GpuResult (*init)(unsigned flags) = nullptr;
  GpuResult (*get_version)(int* version) = nullptr;
  GpuResult (*get_device_count)(int* count) = nullptr;
  GpuResult (*get_device)(int* device, int ordinal) = nullptr;
  GpuResult (*get_device_name)(char* name, int bytes, int device) = nullptr;
  GpuResult (*get_device_attribute)(int* value, int attribute, int device) = nullptr;
  GpuResult (*get_device_total_memory)(size_t* bytes, int device) = nullptr;
  GpuResult (*get_memory_info)(size_t* free_bytes, size_t* total_bytes) = nullptr;

  GpuResult (*allocate)(uint64_t* address, size_t bytes) = nullptr;
  GpuResult (*release)(uint64_t address) = nullptr;
  GpuResult (*allocate_host)(void** memory, size_t bytes, unsigned flags) = nullptr;
  GpuResult (*release_host)(void* memory) = nullptr;
  GpuResult (*get_host_address)(uint64_t* address, void* memory, unsigned flags) = nullptr;
  GpuResult (*allocate_managed)(uint64_t* address, size_t bytes, unsigned flags) = nullptr;  // optional

  GpuResult (*copy_to_device)(uint64_t to, const void* from, size_t bytes, GpuStream stream) = nullptr;
  GpuResult (*copy_to_host)(void* to, uint64_t from, size_t bytes, GpuStream stream) = nullptr;
  GpuResult (*copy_on_device)(uint64_t to, uint64_t from, size_t bytes, GpuStream stream) = nullptr;
  GpuResult (*fill)(uint64_t address, unsigned char value, size_t bytes, GpuStream stream) = nullptr;

  GpuResult (*create_stream)(GpuStream* stream, unsigned flags) = nullptr;
  GpuResult (*destroy_stream)(GpuStream stream) = nullptr;
  GpuResult (*synchronize_stream)(GpuStream stream) = nullptr;
  GpuResult (*stream_wait_event)(GpuStream stream, GpuEventHandle event, unsigned flags) = nullptr;
  GpuResult (*create_event)(GpuEventHandle* event, unsigned flags) = nullptr;
  GpuResult (*destroy_event)(GpuEventHandle event) = nullptr;
  GpuResult (*record_event)(GpuEventHandle event, GpuStream stream) = nullptr;
  GpuResult (*query_event)(GpuEventHandle event) = nullptr;
  GpuResult (*synchronize_event)(GpuEventHandle event) = nullptr;
  GpuResult (*get_elapsed_ms)(float* ms, GpuEventHandle begin, GpuEventHandle end) = nullptr;

  GpuResult (*unload_module)(GpuModuleHandle module) = nullptr;
  GpuResult (*get_function)(GpuFunctionHandle* function, GpuModuleHandle module, const char* name) = nullptr;
  GpuResult (*get_function_attribute)(int* value, int attribute,
                                      GpuFunctionHandle function) = nullptr;  // optional
  GpuResult (*launch)(GpuFunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned lds_bytes,
                      GpuStream stream, void** arguments, void** extra) = nullptr;

  // Optional, all of them or none: graphs.
  GpuResult (*begin_capture)(GpuStream stream, int mode) = nullptr;
  GpuResult (*end_capture)(GpuStream stream, GpuGraph* graph) = nullptr;
  GpuResult (*instantiate_graph)(GpuGraph* executable, GpuGraph graph, uint64_t flags) = nullptr;
  GpuResult (*launch_graph)(GpuGraph executable, GpuStream stream) = nullptr;
  GpuResult (*destroy_graph)(GpuGraph graph) = nullptr;
  GpuResult (*destroy_executable_graph)(GpuGraph executable) = nullptr;

  // Of HIP only.
  GpuResult (*hip_set_device)(int device) = nullptr;
  GpuResult (*hip_get_properties)(void* properties, int device) = nullptr;
  GpuResult (*hip_load_module)(GpuModuleHandle* module, const void* image) = nullptr;
  GpuResult (*hip_get_last_error)() = nullptr;
  const char* (*hip_error_name)(GpuResult result) = nullptr;
  const char* (*hip_error_text)(GpuResult result) = nullptr;

  // Of CUDA only.
  GpuResult (*cuda_retain_context)(void** context, int device) = nullptr;
  GpuResult (*cuda_release_context)(int device) = nullptr;
  GpuResult (*cuda_set_context)(void* context) = nullptr;
  GpuResult (*cuda_load_module)(GpuModuleHandle* module, const void* image, unsigned n_options, int* options,
                                void** values) = nullptr;
  GpuResult (*cuda_set_function_attribute)(GpuFunctionHandle function, int attribute, int value) = nullptr;
  GpuResult (*cuda_error_name)(GpuResult result, const char** name) = nullptr;
  GpuResult (*cuda_error_text)(GpuResult result, const char** text) = nullptr;
};

// Fills the table from an opened library (platform/library.h). Returns the names of required functions that
// the library does not export; the table is of use only when there are none.
std::vector<std::string> find_functions(GpuVendor vendor, void* library, GpuFunctions& functions);

// Attributes of a device by the vendor's number.
struct GpuAttributes {
  int integrated, warp_size, multiprocessors, max_threads_per_block, lds_per_block, lds_per_block_opt_in,
      capability_major, capability_minor, pci_bus, pci_device, pci_domain, managed_memory;
};
const GpuAttributes& gpu_attributes(GpuVendor vendor);

}  // namespace halyard
