// What both libraries of the fake driver share: everything but names and error texts. Functions return the
// vendors' numbers of errors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "fake_driver/fake_driver.h"

namespace fake_driver {

enum class Vendor { kHip, kCuda };
extern const Vendor kVendor;  // one in each library

enum class Attribute {
  kIntegrated,
  kWarpSize,
  kMultiprocessors,
  kMaxThreads,
  kLds,
  kLdsOptIn,
  kMajor,
  kMinor,
  kPciBus,
  kPciDevice,
  kPciDomain,
  kManaged,
  kUnknown,
};

State& state();
int remember(int result);  // as the thread's last error, which queries of HIP give again; returns it
int take_last_error();

int start(unsigned flags);
int version();
int get_version(int* number);
int count_devices(int* count);
int check_device(int device);
std::string device_name(int device);
const char* architecture();
int attribute(int* value, Attribute which, int device);
int total_memory(size_t* bytes, int device);
int memory_info(size_t* free_bytes, size_t* total_bytes);

// The device that the calling thread works with; -1: none.
int set_current(int device);
int retain_context(int device);
int release_context(int device);

int allocate(uint64_t* address, size_t bytes, bool managed);
int release(uint64_t address);
int allocate_host(void** memory, size_t bytes, unsigned flags);
int release_host(void* memory);
int host_address(uint64_t* address, void* memory);
int copy_to_device(uint64_t to, const void* from, size_t bytes, void* stream);
int copy_to_host(void* to, uint64_t from, size_t bytes, void* stream);
int copy_on_device(uint64_t to, uint64_t from, size_t bytes, void* stream);
int fill(uint64_t address, unsigned char value, size_t bytes, void* stream);

int create_stream(void** stream, unsigned flags);
int destroy_stream(void* stream);
int synchronize(void* stream);
int wait_event(void* stream, void* event);
int create_event(void** event, unsigned flags);
int destroy_event(void* event);
int record(void* event, void* stream);
int query(void* event);
int synchronize_event(void* event);
int elapsed(float* ms, void* begin, void* end);

// Modules are texts: "fake NAME-OF-VENDOR" at the start, anything after it. Kernels are "add" (u64 address,
// u32 n, u32 value: adds to 32-bit words), "store" (a structure of a u64 address and five u32: stores them)
// and "trap".
int load_module(void** module, const char* image);
int unload_module(void* module);
int get_function(void** function, void* module, const char* name);
int allow_lds(void* function, int bytes);
struct Size {
  unsigned x, y, z;
};
int launch(void* function, Size grid, Size block, unsigned lds_bytes, void* stream, void** arguments);

}  // namespace fake_driver
