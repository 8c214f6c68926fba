// The pinned buffers of a load and who has them: a window is read into a free slot, then copied to the device
// and, where asked for, hashed; the slot is free again when both are done.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/device.h"

namespace halyard {

// Windows are numbered in the order in which they are read, from 0. All members from any thread. After fail()
// every call that waits ends: with nothing, or with that exception where it says so.
class Ring {
 public:
  // As many slots of window_bytes as fit into ring_bytes, at least two, no more than there are windows. Where
  // the system does not lock so much memory, half of it, and so on. Throws kOutOfMemory.
  Ring(Device& device, uint64_t ring_bytes, uint64_t window_bytes, size_t n_windows);

  size_t n_slots() const { return slots_.size(); }
  uint64_t bytes() const { return n_slots() * window_bytes_; }

  struct Read {
    size_t window, slot;
    std::span<std::byte> memory;
  };
  // The next window and a slot for it, when one is free; nothing when all windows are taken or the load
  // failed. Windows in slots are always the lowest that are not done, so nobody waits for one that finds no
  // slot.
  std::optional<Read> begin_read();
  void end_read(const Read& read, unsigned n_users);  // each user releases it once

  // Of a window that its caller has not released. wait_until_read: nothing when the load failed. With a time:
  // true when it is read, false when the time is over; throws what the load failed with.
  bool is_read(size_t window);  // throws what the load failed with
  std::optional<std::span<const std::byte>> wait_until_read(size_t window);
  bool wait_until_read(size_t window, std::chrono::milliseconds at_most);
  std::span<const std::byte> memory_of(size_t window);
  void release(size_t window);

  void fail(std::exception_ptr why);  // the first counts
  void rethrow_failure();             // nothing to do when there is none

 private:
  static constexpr size_t kNoSlot = SIZE_MAX;
  struct Slot {
    std::span<std::byte> memory;
    unsigned n_users = 0;
  };

  uint64_t window_bytes_;
  std::vector<PinnedBuffer> buffers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_;
  std::vector<size_t> slot_of_;  // by window; kNoSlot: not read
  size_t next_window_ = 0;
  std::exception_ptr failure_;
};

}  // namespace halyard
