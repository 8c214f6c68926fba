// What the tests of devices share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/simulated_device.h"
#include "device/simulated_profiles.h"
#include "halyard/error.h"

namespace halyard {

inline constexpr uint64_t kMiB = uint64_t{1} << 20;
inline constexpr uint64_t kGiB = uint64_t{1} << 30;

inline SimulatedDeviceOptions one_pool(uint64_t bytes = kGiB) {
  SimulatedDeviceOptions options;
  options.pools = {truthful_pool(Pool::kDedicated, bytes)};
  return options;
}

inline SimulatedDeviceOptions two_pools(uint64_t dedicated, uint64_t shared) {
  SimulatedDeviceOptions options;
  options.integrated = true;
  options.pools = {truthful_pool(Pool::kDedicated, dedicated), truthful_pool(Pool::kShared, shared)};
  return options;
}

// The error that `call` throws; fails the test when it throws none.
inline Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ErrorCode::kUsage, "", "", "");
}

inline ErrorCode code_of(const std::function<void()>& call) {
  return error_of(call).code();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::vector<std::byte> read_back(Device& device, uint64_t address, size_t bytes) {
  std::vector<std::byte> out(bytes);
  device.copy_to_host(out, address);
  return out;
}

// A processor with so much memory; 0: not known.
inline DeviceFacts host_of(uint64_t total_bytes) {
  DeviceFacts facts = simulated_facts("cpu-32");
  facts.host_total_bytes = total_bytes;
  return facts;
}

}  // namespace halyard
