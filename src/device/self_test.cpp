#include "device/self_test.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "halyard/error.h"

namespace halyard {
namespace {

// More than a page of any system, and no multiple of one.
constexpr size_t kProbeBytes = 3 * 65536 + 4099;

std::byte pattern(size_t i, unsigned round) {
  return static_cast<std::byte>((i * 7 + i / 251 + round * 29) & 0xFF);
}

void fill(std::span<std::byte> bytes, unsigned round) {
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i, round);
}

void compare(Device& device, Pool pool, std::span<const std::byte> got, std::span<const std::byte> expected,
             const char* what) {
  const auto differs = std::mismatch(got.begin(), got.end(), expected.begin());
  if (differs.first == got.end()) return;
  throw Error(ErrorCode::kDevice,
              fmt::format("{} {} memory arrives wrong: byte {} is {:#04x}, not {:#04x}", what,
                          pool_name(pool), differs.first - got.begin(), static_cast<unsigned>(*differs.first),
                          static_cast<unsigned>(*differs.second)),
              device.facts().name, "update the GPU driver, or run with --backend cpu");
}

}  // namespace

void check_copies(Device& device, Pool pool) {
  const DeviceBuffer buffer(device, pool, kProbeBytes);
  const PinnedBuffer staging(device, kProbeBytes);
  const uint64_t address = buffer.block().address;
  std::vector<std::byte> expected(kProbeBytes), got(kProbeBytes);

  fill(staging.memory(), 0);
  std::copy(staging.memory().begin(), staging.memory().end(), expected.begin());
  device.copy_to_device(address, staging.memory());
  device.wait(device.record());
  device.copy_to_host(got, address);
  compare(device, pool, got, expected, "a copy to");

  // Rows of an odd size and stride: what a two-dimensional copy would do, which some drivers get wrong.
  constexpr size_t kRow = 1021, kStride = 4093;
  fill(staging.memory(), 1);
  for (size_t at = 3; at + kRow <= kProbeBytes; at += kStride) {
    std::memcpy(expected.data() + at, staging.memory().data() + at, kRow);
    device.copy_to_device(address + at, staging.memory().subspan(at, kRow));
  }
  device.wait(device.record());
  device.copy_to_host(got, address);
  compare(device, pool, got, expected, "a copy of rows to");
}

std::string managed_memory_problem(Device& device) {
  try {
    check_copies(device, Pool::kManaged);
    const DeviceBuffer buffer(device, Pool::kManaged, kProbeBytes);
    const PinnedBuffer staging(device, kProbeBytes);
    const uint64_t address = buffer.block().address;
    std::vector<std::byte> expected(kProbeBytes), got(kProbeBytes);

    fill(expected, 2);
    device.write_as_host(address, expected);
    device.copy_to_host(got, address);
    compare(device, Pool::kManaged, got, expected, "what the processor writes to");

    fill(staging.memory(), 3);
    std::copy(staging.memory().begin(), staging.memory().end(), expected.begin());
    device.copy_to_device(address, staging.memory());
    device.wait(device.record());
    device.read_as_host(got, address);
    compare(device, Pool::kManaged, got, expected, "what the processor reads of");
  } catch (const Error& error) {
    return error.problem();
  }
  return {};
}

Pool pool_for_both_sides(Device& device) {
  if (managed_memory_problem(device).empty()) return Pool::kManaged;
  const DeviceFacts facts = device.facts();
  for (const Pool pool : {Pool::kHostPinned, Pool::kShared, Pool::kDedicated}) {
    const auto has = [&](const PoolReport& report) { return report.pool == pool; };
    if (std::any_of(facts.pools.begin(), facts.pools.end(), has)) return pool;
  }
  throw Error(ErrorCode::kUnsupported, "the device has no memory", facts.name, "run with --backend cpu");
}

}  // namespace halyard
