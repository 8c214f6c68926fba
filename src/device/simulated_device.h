// A device that exists only in the host's memory: for tests, and for `halyard plan --simulate`. It has the
// sizes, limits, false reports and faults that it is told to have, copies asynchronously, and counts.
#pragma once
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "device/device.h"
#include "device/simulated_memory.h"

namespace halyard {

// A pool as it is, and what is said of it.
struct SimulatedPool {
  Pool pool = Pool::kDedicated;
  uint64_t size_bytes = 0;           // that really fit
  uint64_t largest_block_bytes = 0;  // that really can be allocated in one piece; 0: no limit
  PoolReport said;                   // before anything is allocated; `pool` in it is filled in by the device
  bool free_is_stale = false;        // the free bytes that are said do not fall when something is allocated
};

// A pool of which driver and system say what is true.
SimulatedPool truthful_pool(Pool pool, uint64_t size_bytes, uint64_t largest_block_bytes = 0);

enum class ManagedMemory {
  kUnsupported,  // allocating in Pool::kManaged throws, whatever the pools say
  kHostFaults,   // allocating works, access by the host faults
  kWorks,
};

struct SimulatedDeviceOptions {
  // What facts() says.
  std::string name = "simulated device";
  std::string driver;
  System system = System::kLinux;
  bool integrated = false;
  uint64_t host_total_bytes = 0, host_available_bytes = 0;

  std::vector<SimulatedPool> pools;  // a pool that is not listed is unsupported
  uint64_t total_limit_bytes = 0;    // over all pools, as an aperture of the driver; 0: none
  uint64_t pinned_limit_bytes = 0;   // of allocate_pinned in all; 0: none
  ManagedMemory managed = ManagedMemory::kWorks;

  // Allocations fail that would take the bytes of all pools above this, whatever the pools say.
  std::optional<uint64_t> fail_allocation_at_byte;
  // Blocks asked of the dedicated pool that would take it above this land in the shared pool and count there.
  std::optional<uint64_t> lands_elsewhere_after_bytes;
  // The copy that holds this byte, of all bytes copied, fails: the device faults.
  std::optional<uint64_t> fail_copy_at_byte;

  // A copy to this pool changes one bit of its first byte.
  std::optional<Pool> garbled_pool;

  bool only_pinned_sources = true;  // copies from other memory throw kDevice at once
  // So many copies wait in the queue until somebody waits for them (or asks if they are done): a source that
  // is overwritten too early is then overwritten before it is read, with certainty. kLagForever: all.
  uint64_t lag_copies = 0;
  uint64_t copy_bytes_per_second = 0;  // 0: no delay
  Storage storage = Storage::kKeep;
  // Called from the copying thread when the bytes are stored. It must not call the device.
  std::function<void(uint64_t address, std::span<const std::byte> bytes)> on_copy;
};
inline constexpr uint64_t kLagForever = ~uint64_t{0};

// What facts() of such a device says before anything is allocated.
DeviceFacts facts_of(const SimulatedDeviceOptions& options);

struct SimulatedCounters {
  struct Use {
    uint64_t bytes = 0, peak_bytes = 0, n = 0;  // n: alive
  };
  const Use& pool(Pool pool) const { return pools[static_cast<size_t>(pool)]; }

  std::array<Use, 4> pools;                 // where blocks landed
  Use blocks;                               // of all pools
  Use pinned;                               // allocate_pinned
  Use reserved;                             // address space of blocks: rounded up to pages
  uint64_t largest_asked_bytes = 0;         // of one allocation, refused ones among them
  uint64_t n_refused = 0;                   // allocations, pinned ones among them
  uint64_t n_copies = 0, copied_bytes = 0;  // done
  uint64_t rewritten_bytes = 0;             // of them, where a copy had written before
  uint64_t n_queued = 0;                    // copies not done
  uint64_t n_bad_releases = 0;              // of what is not allocated
};

// As Device says; but any call may come at any time from any thread.
class SimulatedDevice : public Device {
 public:
  explicit SimulatedDevice(SimulatedDeviceOptions options);
  ~SimulatedDevice() override;  // drops what is queued
  SimulatedDevice(const SimulatedDevice&) = delete;
  SimulatedDevice& operator=(const SimulatedDevice&) = delete;

  DeviceFacts facts() const override;
  Block allocate(Pool pool, uint64_t bytes) override;
  void release(const Block& block) noexcept override;
  std::span<std::byte> allocate_pinned(size_t bytes) override;
  // Releasing what a queued copy still reads is a fault of the device.
  void release_pinned(std::span<std::byte> memory) noexcept override;
  void copy_to_device(uint64_t address, std::span<const std::byte> pinned) override;
  Event record() override;
  bool is_done(Event event) override;
  void wait(Event event) override;
  void copy_to_host(std::span<std::byte> out, uint64_t address) override;
  void read_as_host(std::span<std::byte> out, uint64_t address) override;
  void write_as_host(uint64_t address, std::span<const std::byte> bytes) override;

  SimulatedCounters counters() const;
  Pool landed(const Block& block) const;               // where it really is
  uint64_t unwritten_bytes(const Block& block) const;  // that no copy has written yet
  uint64_t checksum(const Block& block) const;         // for Storage::kHash: see address_checksum
  uint64_t stored_bytes() const { return memory_.stored_bytes(); }  // of the host, for what blocks hold
  void fail_allocation_at_byte(std::optional<uint64_t> byte);       // from now on
  // As after a reset of the device: it copies again, and fails at that byte of the bytes copied from now on.
  // Events that were not done are void.
  void clear_fault(std::optional<uint64_t> fail_copy_at_byte = std::nullopt);

 private:
  struct Copy {
    uint64_t address;
    std::span<const std::byte> source;
    bool garbled;
  };
  struct Placed {
    Pool pool;
    uint64_t bytes;
  };

  std::map<uint64_t, Placed>::const_iterator placed_around(uint64_t address) const;
  const SimulatedPool* find_pool(Pool pool) const;
  std::string refusal(const SimulatedPool& pool, uint64_t bytes) const;
  void throw_fault() const;
  void fault(const std::string& text);
  void require_event(Event event) const;
  bool is_pinned(std::span<const std::byte> source) const;
  bool may_copy() const;
  void copy_loop();
  void copy_next(std::unique_lock<std::mutex>& lock);
  uint64_t store(const Copy& copy);
  void require_host_access(uint64_t address, uint64_t bytes);

  const SimulatedDeviceOptions options_;
  SimulatedMemory memory_;
  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable work_, changed_;
  SimulatedCounters counters_;
  std::optional<uint64_t> fail_allocation_at_byte_, fail_copy_at_byte_;
  uint64_t bytes_to_fault_ = 0;        // copied since fail_copy_at_byte_ was set
  std::map<uint64_t, Placed> placed_;  // by address
  std::map<const std::byte*, size_t> pinned_;
  std::deque<Copy> queue_;
  std::optional<Copy> running_;
  uint64_t n_recorded_ = 0, n_done_ = 0;  // copies; an event is the number of those before it
  uint64_t wanted_ = 0;                   // copies that somebody waits for
  std::string fault_;                     // empty: none
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace halyard
