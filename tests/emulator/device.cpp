#include <cstdio>
#include <new>

#include "emulator/fault.h"
#include "emulator/hip.h"
#include "halyard/error.h"
#include "platform/environment.h"

namespace halyard::emulator {
namespace {

thread_local HipResult last_result = kHipSuccess;

}  // namespace

Device::Device() {
  checks.trace = environment_switch("HALYARD_EMULATOR_TRACE", false);
  if (checks.trace) checks.n_threads = 1;
  if (environment_switch("HALYARD_EMULATOR_CHECKS", true)) return;
  checks.waits = checks.races = checks.unwritten = false;
}

Device& device() {
  // Never destroyed: programs may call in while they end.
  static Device* const the_device = new Device();
  return *the_device;
}

HipResult result(HipResult code) {
  if (code != kHipSuccess) last_result = code;
  return code;
}

HipResult result_of_exception() noexcept {
  try {
    throw;
  } catch (const Fault& fault) {
    Device& d = device();
    d.lost = true;
    d.fault_line = fault.first_line();
    std::fprintf(stderr, "emulator: %s\n", fault.what());
    return result(kHipLaunchFailure);
  } catch (const Error& error) {
    std::fprintf(stderr, "emulator: %s\n", error.what());
    switch (error.code()) {
      case ErrorCode::kUsage:
        return result(kHipInvalidValue);
      case ErrorCode::kOutOfMemory:
        return result(kHipOutOfMemory);
      case ErrorCode::kUnsupported:
        return result(kHipNoBinaryForGpu);
      case ErrorCode::kBadFile:
        return result(kHipInvalidImage);
      default:
        return result(kHipUnknown);
    }
  } catch (const std::bad_alloc&) {
    return result(kHipOutOfMemory);
  } catch (...) {
    return result(kHipUnknown);
  }
}

EMULATOR_EXPORT int hipGetLastError() {
  const HipResult last = last_result;
  last_result = kHipSuccess;
  return last;
}
EMULATOR_EXPORT int hipPeekAtLastError() {
  return last_result;
}

// Not of HIP: for benchmarks and tests.
EMULATOR_EXPORT uint64_t emulator_wave_instructions() {
  return device().wave_instructions;
}

}  // namespace halyard::emulator
