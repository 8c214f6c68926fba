#include "loader/ring.h"

#include <algorithm>
#include <utility>

#include "halyard/error.h"

namespace halyard {
namespace {

// In one piece, or in the half of it that the system locks.
PinnedBuffer take_pinned(Device& device, size_t& n_slots, uint64_t window_bytes) {
  constexpr size_t kMinSlots = 2;
  for (;; n_slots = std::max(kMinSlots, n_slots / 2)) {
    try {
      return PinnedBuffer(device, n_slots * window_bytes);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory || n_slots <= kMinSlots) throw;
    }
  }
}

}  // namespace

Ring::Ring(Device& device, uint64_t ring_bytes, uint64_t window_bytes, size_t n_windows)
    : window_bytes_(window_bytes), slot_of_(n_windows, kNoSlot) {
  if (n_windows == 0) return;
  size_t n_slots = std::min<uint64_t>(std::max<uint64_t>(2, ring_bytes / window_bytes), n_windows);
  buffers_.push_back(take_pinned(device, n_slots, window_bytes));
  for (size_t i = 0; i < n_slots; ++i) {
    slots_.push_back({buffers_[0].memory().subspan(i * window_bytes, window_bytes), 0});
    free_.push_back(n_slots - 1 - i);
  }
}

std::optional<Ring::Read> Ring::begin_read() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || next_window_ == slot_of_.size() || !free_.empty(); });
  if (failure_ || next_window_ == slot_of_.size()) return std::nullopt;
  const size_t slot = free_.back();
  free_.pop_back();
  return Read{next_window_++, slot, slots_[slot].memory};
}

void Ring::end_read(const Read& read, unsigned n_users) {
  {
    const std::lock_guard lock(mutex_);
    slots_[read.slot].n_users = n_users;
    slot_of_[read.window] = read.slot;
  }
  changed_.notify_all();
}

bool Ring::is_read(size_t window) {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  return slot_of_[window] != kNoSlot;
}

std::optional<std::span<const std::byte>> Ring::wait_until_read(size_t window) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || slot_of_[window] != kNoSlot; });
  if (failure_) return std::nullopt;
  return slots_[slot_of_[window]].memory;
}

bool Ring::wait_until_read(size_t window, std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return failure_ || slot_of_[window] != kNoSlot; });
  if (failure_) std::rethrow_exception(failure_);
  return slot_of_[window] != kNoSlot;
}

std::span<const std::byte> Ring::memory_of(size_t window) {
  const std::lock_guard lock(mutex_);
  return slots_[slot_of_[window]].memory;
}

void Ring::release(size_t window) {
  {
    const std::lock_guard lock(mutex_);
    const size_t slot = slot_of_[window];
    if (--slots_[slot].n_users != 0) return;
    free_.push_back(slot);
  }
  changed_.notify_all();
}

void Ring::fail(std::exception_ptr why) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(why);
  }
  changed_.notify_all();
}

void Ring::rethrow_failure() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace halyard
