#include "backend/gpu/functions.h"

#include <initializer_list>

#include "platform/library.h"

namespace halyard {
namespace {

enum class Need { kRequired, kOptional };

// Looks functions of one library up, one after the other.
class Lookup {
 public:
  Lookup(GpuVendor vendor, void* library) : vendor_(vendor), library_(library) {}

  // The names are tried in turn; the first is the one that is reported.
  template <typename Function>
  void both(Function*& slot, std::initializer_list<const char*> hip, std::initializer_list<const char*> cuda,
            Need need = Need::kRequired) {
    find(slot, vendor_ == GpuVendor::kAmd ? hip : cuda, need);
  }
  template <typename Function>
  void find(Function*& slot, std::initializer_list<const char*> names, Need need = Need::kRequired) {
    for (const char* name : names) {
      slot = reinterpret_cast<Function*>(find_symbol(library_, name));
      if (slot) return;
    }
    if (need == Need::kRequired) missing_.emplace_back(*names.begin());
  }
  std::vector<std::string> missing() && { return std::move(missing_); }

 private:
  GpuVendor vendor_;
  void* library_;
  std::vector<std::string> missing_;
};

// CUDA exports several versions of a function. Those of memory without "_v2" take pointers of 32 bits and are
// never called; where an older version with the same parameters will do, it is named second.

void find_memory(Lookup& l, GpuFunctions& f) {
  l.both(f.get_memory_info, {"hipMemGetInfo"}, {"cuMemGetInfo_v2"});
  l.both(f.allocate, {"hipMalloc"}, {"cuMemAlloc_v2"});
  l.both(f.release, {"hipFree"}, {"cuMemFree_v2"});
  l.both(f.allocate_host, {"hipHostMalloc"}, {"cuMemHostAlloc"});
  l.both(f.release_host, {"hipHostFree"}, {"cuMemFreeHost"});
  l.both(f.get_host_address, {"hipHostGetDevicePointer"}, {"cuMemHostGetDevicePointer_v2"});
  l.both(f.allocate_managed, {"hipMallocManaged"}, {"cuMemAllocManaged"}, Need::kOptional);
  l.both(f.copy_to_device, {"hipMemcpyHtoDAsync"}, {"cuMemcpyHtoDAsync_v2"});
  l.both(f.copy_to_host, {"hipMemcpyDtoHAsync"}, {"cuMemcpyDtoHAsync_v2"});
  l.both(f.copy_on_device, {"hipMemcpyDtoDAsync"}, {"cuMemcpyDtoDAsync_v2"});
  l.both(f.fill, {"hipMemsetD8Async"}, {"cuMemsetD8Async"});
}

void find_streams(Lookup& l, GpuFunctions& f) {
  l.both(f.create_stream, {"hipStreamCreateWithFlags"}, {"cuStreamCreate"});
  l.both(f.destroy_stream, {"hipStreamDestroy"}, {"cuStreamDestroy_v2", "cuStreamDestroy"});
  l.both(f.synchronize_stream, {"hipStreamSynchronize"}, {"cuStreamSynchronize"});
  l.both(f.stream_wait_event, {"hipStreamWaitEvent"}, {"cuStreamWaitEvent"});
  l.both(f.create_event, {"hipEventCreateWithFlags"}, {"cuEventCreate"});
  l.both(f.destroy_event, {"hipEventDestroy"}, {"cuEventDestroy_v2", "cuEventDestroy"});
  l.both(f.record_event, {"hipEventRecord"}, {"cuEventRecord"});
  l.both(f.query_event, {"hipEventQuery"}, {"cuEventQuery"});
  l.both(f.synchronize_event, {"hipEventSynchronize"}, {"cuEventSynchronize"});
  l.both(f.get_elapsed_ms, {"hipEventElapsedTime"}, {"cuEventElapsedTime_v2", "cuEventElapsedTime"});
}

void find_modules(Lookup& l, GpuFunctions& f) {
  l.both(f.unload_module, {"hipModuleUnload"}, {"cuModuleUnload"});
  l.both(f.get_function, {"hipModuleGetFunction"}, {"cuModuleGetFunction"});
  l.both(f.get_function_attribute, {"hipFuncGetAttribute"}, {"cuFuncGetAttribute"}, Need::kOptional);
  l.both(f.launch, {"hipModuleLaunchKernel"}, {"cuLaunchKernel"});
}

void find_graphs(Lookup& l, GpuFunctions& f) {
  l.both(f.begin_capture, {"hipStreamBeginCapture"}, {"cuStreamBeginCapture_v2"}, Need::kOptional);
  l.both(f.end_capture, {"hipStreamEndCapture"}, {"cuStreamEndCapture"}, Need::kOptional);
  l.both(f.instantiate_graph, {"hipGraphInstantiateWithFlags"}, {"cuGraphInstantiateWithFlags"},
         Need::kOptional);
  l.both(f.launch_graph, {"hipGraphLaunch"}, {"cuGraphLaunch"}, Need::kOptional);
  l.both(f.destroy_graph, {"hipGraphDestroy"}, {"cuGraphDestroy"}, Need::kOptional);
  l.both(f.destroy_executable_graph, {"hipGraphExecDestroy"}, {"cuGraphExecDestroy"}, Need::kOptional);
}

}  // namespace

std::vector<std::string> find_functions(GpuVendor vendor, void* library, GpuFunctions& f) {
  Lookup l(vendor, library);
  l.both(f.init, {"hipInit"}, {"cuInit"});
  l.both(f.get_version, {"hipRuntimeGetVersion"}, {"cuDriverGetVersion"});
  l.both(f.get_device_count, {"hipGetDeviceCount"}, {"cuDeviceGetCount"});
  l.both(f.get_device, {"hipDeviceGet"}, {"cuDeviceGet"});
  l.both(f.get_device_name, {"hipDeviceGetName"}, {"cuDeviceGetName"});
  l.both(f.get_device_attribute, {"hipDeviceGetAttribute"}, {"cuDeviceGetAttribute"});
  l.both(f.get_device_total_memory, {"hipDeviceTotalMem"}, {"cuDeviceTotalMem_v2"});
  find_memory(l, f);
  find_streams(l, f);
  find_modules(l, f);
  find_graphs(l, f);
  if (vendor == GpuVendor::kAmd) {
    l.find(f.hip_set_device, {"hipSetDevice"});
    // Never plain hipGetDeviceProperties: that is the structure of HIP 5.
    l.find(f.hip_get_properties, {"hipGetDevicePropertiesR0600"});
    l.find(f.hip_load_module, {"hipModuleLoadData"});
    l.find(f.hip_get_last_error, {"hipGetLastError"});
    l.find(f.hip_error_name, {"hipGetErrorName"});
    l.find(f.hip_error_text, {"hipGetErrorString"});
  } else {
    l.find(f.cuda_retain_context, {"cuDevicePrimaryCtxRetain"});
    l.find(f.cuda_release_context, {"cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease"});
    l.find(f.cuda_set_context, {"cuCtxSetCurrent"});
    l.find(f.cuda_load_module, {"cuModuleLoadDataEx"});
    l.find(f.cuda_set_function_attribute, {"cuFuncSetAttribute"});
    l.find(f.cuda_error_name, {"cuGetErrorName"});
    l.find(f.cuda_error_text, {"cuGetErrorString"});
  }
  return std::move(l).missing();
}

const GpuAttributes& gpu_attributes(GpuVendor vendor) {
  static constexpr GpuAttributes kHip = {
      .integrated = 16,
      .warp_size = 87,
      .multiprocessors = 63,
      .max_threads_per_block = 56,
      .lds_per_block = 74,
      .lds_per_block_opt_in = 74,  // the whole is there without asking
      .capability_major = 23,
      .capability_minor = 61,
      .pci_bus = 67,
      .pci_device = 68,
      .pci_domain = 69,
      .managed_memory = 24,
  };
  static constexpr GpuAttributes kCuda = {
      .integrated = 18,
      .warp_size = 10,
      .multiprocessors = 16,
      .max_threads_per_block = 1,
      .lds_per_block = 8,
      .lds_per_block_opt_in = 97,
      .capability_major = 75,
      .capability_minor = 76,
      .pci_bus = 33,
      .pci_device = 34,
      .pci_domain = 50,
      .managed_memory = 83,
  };
  return vendor == GpuVendor::kAmd ? kHip : kCuda;
}

}  // namespace halyard
