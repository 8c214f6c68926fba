// A device with memory of its own, as loader and planner see it: pools, blocks, copies, events. The GPU
// drivers, the simulated device and plain host memory are behind this one interface.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard {

// Where memory lives. On an integrated GPU dedicated is the carve-out of the BIOS, shared is what the system
// lends (GTT on Linux, "shared GPU memory" on Windows).
enum class Pool { kDedicated, kShared, kHostPinned, kManaged };
std::string_view pool_name(Pool pool);  // "dedicated", "shared", "host-pinned", "managed"

// What is said of a pool; nothing where nobody says it. All of it is a hint: runtimes report too little on
// integrated GPUs, and "free" means different things on each system.
struct PoolReport {
  Pool pool = Pool::kDedicated;
  std::optional<uint64_t> driver_total_bytes, driver_free_bytes;
  std::optional<uint64_t> system_total_bytes, system_free_bytes;  // DXGI, sysfs mem_info_*, /proc/meminfo
  uint64_t largest_block_bytes = 0;                               // of one allocation; 0: not known
};

enum class System { kLinux, kWindows };

struct DeviceFacts {
  std::string name;    // "AMD Radeon 8060S"
  std::string driver;  // "HIP 7.2.53211"; empty where there is none
  System system = System::kLinux;
  bool integrated = false;  // pools are parts of one memory: spilling from one to the other costs nothing
  std::vector<PoolReport> pools;
  uint64_t host_total_bytes = 0, host_available_bytes = 0;  // what the CPU sees; 0: not known
};

// A piece of device memory. `address` is the device's, never to be touched by the host.
struct Block {
  uint64_t address = 0;
  uint64_t bytes = 0;
  Pool pool = Pool::kDedicated;  // that was asked for: where it landed, drivers do not say
};

// A place in the queue of copies: done when all that was queued before it is done.
using Event = uint64_t;

// All calls from any thread, one at a time for each object but for wait() and is_done(). Copies are queued
// and done in the order of the calls. After a copy failed, the next call that waits throws kDevice with the
// driver's text, and the device does no more copies; memory can still be released.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceFacts facts() const = 0;

  // Content is undefined; `bytes` is at least 1. Throws kOutOfMemory with pool, bytes and the driver's text;
  // kUnsupported for a pool that the device does not have.
  virtual Block allocate(Pool pool, uint64_t bytes) = 0;
  virtual void release(const Block& block) noexcept = 0;

  // Page-locked host memory, aligned to 4096 bytes: the only source that copies take. Throws kOutOfMemory.
  virtual std::span<std::byte> allocate_pinned(size_t bytes) = 0;
  virtual void release_pinned(std::span<std::byte> memory) noexcept = 0;

  // Queues a copy to [address, address + size), inside one block. The source must stay as it is until an
  // event recorded afterwards is done.
  virtual void copy_to_device(uint64_t address, std::span<const std::byte> pinned) = 0;
  virtual Event record() = 0;
  virtual bool is_done(Event event) = 0;  // throws kDevice
  virtual void wait(Event event) = 0;     // throws kDevice

  // Waits for the queue, then reads back. For tests and self-checks: slow.
  virtual void copy_to_host(std::span<std::byte> out, uint64_t address) = 0;

  // Reads or writes a managed block as the CPU does, at the block's own address, after the queue is done.
  // Throws kUnsupported for what the CPU cannot reach, and kDevice where the access faults: some drivers give
  // managed memory that crashes the CPU (device/self_test.h).
  virtual void read_as_host(std::span<std::byte> out, uint64_t address);
  virtual void write_as_host(uint64_t address, std::span<const std::byte> bytes);
};

// Owns a block. The device outlives it.
class DeviceBuffer {
 public:
  DeviceBuffer(Device& device, Pool pool, uint64_t bytes)
      : device_(&device), block_(device.allocate(pool, bytes)) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), block_(other.block_) {}
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;
  ~DeviceBuffer() {
    if (device_) device_->release(block_);
  }
  const Block& block() const { return block_; }

 private:
  Device* device_;
  Block block_;
};

// Owns pinned memory. The device outlives it; nothing that reads it may still be queued when it goes.
class PinnedBuffer {
 public:
  PinnedBuffer(Device& device, size_t bytes) : device_(&device), memory_(device.allocate_pinned(bytes)) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), memory_(other.memory_) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;
  ~PinnedBuffer() {
    if (device_) device_->release_pinned(memory_);
  }
  std::span<std::byte> memory() const { return memory_; }

 private:
  Device* device_;
  std::span<std::byte> memory_;
};

}  // namespace halyard
