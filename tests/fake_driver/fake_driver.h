// A GPU driver that is none: a library with the names of HIP or CUDA, for the tests of src/backend/gpu. It
// keeps device memory in the host's, at addresses that the host cannot touch, does what is queued only when
// somebody waits or asks, and fails as it is told to. Calls that a real driver would answer badly or not at
// all (the null stream, no context, a wrong device) are counted and refused.
#pragma once
#include <cstdint>

namespace fake_driver {

inline constexpr uint64_t kNever = ~uint64_t{0};

// Numbers alone, so that tests and library may be built apart. The environment variable FAKE_GPU_DRIVER sets
// those of the first part when the library is first called: "devices=2,warp_size=64".
struct State {
  // What the driver is and does.
  int64_t version = 0;  // of the vendor's own counting; 0: a good one
  int64_t devices = 1;
  int64_t version_result = 0;
  int64_t start_result = 0;
  int64_t announce = 0;  // says on standard error that it was started
  int64_t warp_size = 32;
  int64_t integrated = 0;
  int64_t total_bytes = int64_t{1} << 30;  // of one device
  int64_t free_says_zero = 0;              // what memory is free, is told as 0
  int64_t memory_info_result = 0;
  int64_t managed_result = 0;             // of allocating managed memory
  int64_t managed_faults = 0;             // the host cannot touch it
  int64_t managed_is_wrong = 0;           // copies to it change a byte
  int64_t host_memory_is_misaligned = 0;  // pinned memory begins 64 bytes into a page
  int64_t launch_result = 0;              // of launching itself

  // Faults that show later, when the queue is worked off.
  uint64_t fail_allocation_at_byte = kNever;  // allocations of any kind fail that would take all above it
  uint64_t fail_copy_at = kNever;             // the number of the copy to the device, from 0
  uint64_t fail_launch_at = kNever;
  int64_t fault_result = 719;
  uint64_t not_ready = 0;  // so many questions for an event are answered with "not ready" first

  // What was done.
  uint64_t contexts = 0, streams = 0, events = 0, modules = 0, blocks = 0, host_blocks = 0;  // alive
  uint64_t device_bytes = 0, host_bytes = 0;
  uint64_t bytes_of_device[8] = {};
  uint64_t copies = 0, launches = 0, waits = 0;  // done
  uint64_t lds_allowed = 0;                      // the most that was asked for
  uint64_t queued_after_fault = 0;               // what was refused for that reason
  uint64_t bad_calls = 0;
  char last_bad_call[128] = {};
};

// Exported as "fake_driver_state": the state of the library. Not while another thread calls the library.
using GetState = State* (*)();
// Exported as "fake_driver_hold": from now on whoever waits for an event stays in the driver until 0 is
// passed. Returns when `n_inside` threads are there. Any thread.
using Hold = void (*)(int is_held, int n_inside);
// Exported as "fake_driver_reset": all as at first, but for what is alive.
using Reset = void (*)();

}  // namespace fake_driver
