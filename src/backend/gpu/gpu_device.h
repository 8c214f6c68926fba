// A GPU as a device: memory, copies and the queue that kernels are launched on.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gpu/driver.h"
#include "device/device.h"

namespace halyard {

struct GpuDeviceOptions {
  // Managed memory is offered only after a few bytes in it were right from both sides (device/self_test.h):
  // what drivers say about it is not to be trusted.
  bool try_managed = true;
};

// Threads: as Device says; wait() and is_done() also beside other calls. One queue (a stream of the driver
// that does not wait for others), on which copies and kernels are done in the order of the calls.
//
// Pools: dedicated (the driver's own allocation); memory of the host that the device reads directly, called
// shared on an integrated GPU and host-pinned on others; managed where it works.
//
// A device that has failed (a kernel faulted, a copy failed, the system has reset it) is lost: every call
// that waits or launches throws kDevice with the first failure; memory can still be released.
class GpuDevice : public Device {
 public:
  // Throws kNotFound when there is no such device, kUnsupported when the kernels cannot run on it
  // (gpu_problem), kDevice.
  GpuDevice(std::shared_ptr<const GpuDriver> driver, int ordinal, GpuDeviceOptions options = {});
  ~GpuDevice() override;  // waits for the queue; releases what is left
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const GpuInfo& info() const { return info_; }
  const GpuDriver& driver() const { return *driver_; }

  DeviceFacts facts() const override;
  Block allocate(Pool pool, uint64_t bytes) override;
  void release(const Block& block) noexcept override;
  std::span<std::byte> allocate_pinned(size_t bytes) override;
  void release_pinned(std::span<std::byte> memory) noexcept override;
  void copy_to_device(uint64_t address, std::span<const std::byte> pinned) override;
  Event record() override;
  bool is_done(Event event) override;
  void wait(Event event) override;
  void copy_to_host(std::span<std::byte> out, uint64_t address) override;
  void read_as_host(std::span<std::byte> out, uint64_t address) override;
  void write_as_host(uint64_t address, std::span<const std::byte> bytes) override;

  // Copies from any memory of the host, and waits. Slow: for small tables and tests.
  void upload(uint64_t address, std::span<const std::byte> bytes);
  // Queued; inside one block each. The ranges of a copy do not overlap.
  void fill(uint64_t address, uint8_t value, uint64_t bytes);
  void copy_on_device(uint64_t to, uint64_t from, uint64_t bytes);
  void synchronize();  // waits for all that is queued; throws kDevice

  // For what is built on a device (module.h). The stream is null on no device.
  GpuStream stream() const { return stream_; }
  // Makes the calling thread's calls of the driver go to this device. Throws kDevice.
  void make_current() const;
  // Throws as GpuDriver::check. A failure that nothing comes back from makes the device lost.
  void check(GpuResult result, std::string_view operation, std::string_view detail = {});
  void require_alive() const;  // throws the failure that made the device lost

 private:
  struct Memory {
    uint64_t bytes;
    Pool pool;
    void* host;  // of mapped memory of the host: what is released
  };
  struct Pinned {
    size_t bytes;
    void* base;  // what the driver gave
  };
  struct Recorded {
    GpuEventHandle handle;
    unsigned n_waiting;
  };
  enum class Managed { kUntried, kWorks, kAbsent };

  std::string label() const;
  Pool host_pool() const { return info_.integrated ? Pool::kShared : Pool::kHostPinned; }
  void open_queue();
  void close() noexcept;
  GpuResult allocate_in(Pool pool, uint64_t bytes, uint64_t& address, Memory& memory);
  void require_inside(uint64_t address, uint64_t bytes) const;
  bool is_pinned(std::span<const std::byte> source) const;
  void require_managed(uint64_t address, uint64_t bytes) const;
  void lose(GpuResult result, std::string_view operation, std::string_view detail);
  void queued(GpuResult result, std::string_view operation, uint64_t address, uint64_t bytes);
  void retire(uint64_t done);
  bool ask(Event event, GpuResult (*question)(GpuEventHandle));

  const std::shared_ptr<const GpuDriver> driver_;
  const GpuFunctions& f_;
  GpuInfo info_;
  int device_ = 0;
  void* context_ = nullptr;  // of CUDA
  GpuStream stream_ = nullptr;
  Managed managed_ = Managed::kUntried;

  mutable std::mutex mutex_;  // of all that follows
  std::optional<Error> lost_;
  std::map<uint64_t, Memory> memory_;  // by device address
  std::map<const std::byte*, Pinned> pinned_;
  std::map<Event, Recorded> recorded_;  // not known to be done
  std::vector<GpuEventHandle> spare_events_;
  Event n_recorded_ = 0, n_done_ = 0;
};

// A place in a device's queue with a time. The device outlives it.
class GpuTimer {
 public:
  explicit GpuTimer(GpuDevice& device);
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void begin() { record(events_[0]); }
  void end() { record(events_[1]); }
  double elapsed_ms();  // between the two; waits for the queue; throws kDevice

 private:
  void record(GpuEventHandle event);
  void release() noexcept;

  GpuDevice& device_;
  std::array<GpuEventHandle, 2> events_{};
};

}  // namespace halyard
