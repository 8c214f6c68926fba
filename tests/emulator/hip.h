// What the files of the HIP library share: exported functions, results, the one device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"

// Visible to GetProcAddress and dlsym; on the POSIX side every name is.
#ifdef __GNUC__
#define EMULATOR_EXPORT extern "C" __attribute__((visibility("default"), used))
#else
#define EMULATOR_EXPORT extern "C" __declspec(dllexport)
#endif

namespace halyard::emulator {

enum HipResult : int {
  kHipSuccess = 0,
  kHipInvalidValue = 1,
  kHipOutOfMemory = 2,
  kHipNotInitialized = 3,
  kHipNoDevice = 100,
  kHipInvalidDevice = 101,
  kHipInvalidImage = 200,
  kHipNoBinaryForGpu = 209,
  kHipInvalidKernelFile = 218,
  kHipNotFound = 500,
  kHipNotReady = 600,
  kHipLaunchFailure = 719,
  kHipNotSupported = 801,
  kHipUnknown = 999,
};

// The device: memory, what runs on it, and whether it is lost. Everything happens at once in the calling
// thread, under one lock: a launch is over when the function returns.
struct Device {
  static constexpr uint64_t kMemoryBytes = uint64_t{4} << 30;

  std::mutex mutex;
  Memory memory{kMemoryBytes};
  Checks checks;           // HALYARD_EMULATOR_CHECKS=0 turns all of them off; HALYARD_EMULATOR_TRACE=1 prints
  bool lost = false;       // after a fault every call fails with the launch's error, as on the real device
  std::string fault_line;  // first line of the report
  uint64_t wave_instructions = 0;

  Device();
};
Device& device();

// Notes the result for hipGetLastError and returns it.
HipResult result(HipResult code);
// Runs `body` under the lock; maps exceptions to results. A lost device answers kHipLaunchFailure.
template <class Body>
HipResult on_device(Body&& body) noexcept;
// The same for what gives back: a lost device does it too, and answers kHipLaunchFailure nevertheless.
template <class Body>
HipResult give_back(Body&& body) noexcept;
HipResult result_of_exception() noexcept;

template <class Body>
HipResult on_device(Body&& body) noexcept {
  try {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    if (d.lost) return result(kHipLaunchFailure);
    return result(body(d));
  } catch (...) {
    return result_of_exception();
  }
}

template <class Body>
HipResult give_back(Body&& body) noexcept {
  try {
    Device& d = device();
    const std::lock_guard lock(d.mutex);
    const HipResult given = body(d);
    return result(d.lost ? kHipLaunchFailure : given);
  } catch (...) {
    return result_of_exception();
  }
}

}  // namespace halyard::emulator
