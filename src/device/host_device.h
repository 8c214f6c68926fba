// The memory of the CPU as a device: one pool, kHostPinned, whose addresses are the host's pointers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "device/device.h"

namespace halyard {

// The host's view of a block of a HostDevice.
inline std::byte* host_pointer(uint64_t address) {
  return reinterpret_cast<std::byte*>(static_cast<uintptr_t>(address));
}

// Blocks are aligned to 4096 bytes; their pages take memory when they are first written. Copies are done by
// the calling thread before the call returns, from any memory, and events are done at once. Any call may come
// at any time from any thread; copies of several threads run side by side. Blocks still there at the end are
// released.
class HostDevice : public Device {
 public:
  // What facts() says, as src/platform or a simulated machine has it: a single pool, kHostPinned.
  explicit HostDevice(DeviceFacts facts) : facts_(std::move(facts)) {}
  ~HostDevice() override;
  HostDevice(const HostDevice&) = delete;
  HostDevice& operator=(const HostDevice&) = delete;

  DeviceFacts facts() const override { return facts_; }
  // More bytes than the machine has are refused, where that is known: the system may promise them all the
  // same.
  Block allocate(Pool pool, uint64_t bytes) override;
  void release(const Block& block) noexcept override;
  std::span<std::byte> allocate_pinned(size_t bytes) override;
  void release_pinned(std::span<std::byte> memory) noexcept override;
  void copy_to_device(uint64_t address, std::span<const std::byte> source) override;
  Event record() override { return 0; }
  bool is_done(Event) override { return true; }
  void wait(Event) override {}
  void copy_to_host(std::span<std::byte> out, uint64_t address) override;

 private:
  std::byte* take(uint64_t bytes);
  void give(const void* memory) noexcept;
  void check(uint64_t address, uint64_t bytes) const;

  const DeviceFacts facts_;
  mutable std::mutex mutex_;
  std::map<uint64_t, uint64_t> blocks_;  // address -> bytes, pinned ones among them
};

}  // namespace halyard
