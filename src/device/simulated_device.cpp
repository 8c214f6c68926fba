#include "device/simulated_device.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <new>
#include <utility>

#include "halyard/error.h"

namespace halyard {
namespace {

constexpr std::align_val_t kPinnedAlignment{4096};

void take(SimulatedCounters::Use& use, uint64_t bytes) {
  use.bytes += bytes;
  use.peak_bytes = std::max(use.peak_bytes, use.bytes);
  ++use.n;
}

void give(SimulatedCounters::Use& use, uint64_t bytes) {
  use.bytes -= bytes;
  --use.n;
}

uint64_t reserved_for(uint64_t bytes) {
  constexpr uint64_t kPage = SimulatedMemory::kPageBytes;
  return (bytes / kPage + (bytes % kPage != 0 ? 1 : 0)) * kPage;
}

bool exceeds(uint64_t taken, uint64_t more, uint64_t limit) {
  return taken > limit || more > limit - taken;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<> before;
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace

SimulatedPool truthful_pool(Pool pool, uint64_t size_bytes, uint64_t largest_block_bytes) {
  SimulatedPool made;
  made.pool = pool;
  made.size_bytes = size_bytes;
  made.largest_block_bytes = largest_block_bytes;
  made.said.largest_block_bytes = largest_block_bytes;
  made.said.driver_total_bytes = made.said.driver_free_bytes = size_bytes;
  made.said.system_total_bytes = made.said.system_free_bytes = size_bytes;
  return made;
}

SimulatedDevice::SimulatedDevice(SimulatedDeviceOptions options)
    : options_(std::move(options)),
      memory_(options_.storage),
      fail_allocation_at_byte_(options_.fail_allocation_at_byte),
      fail_copy_at_byte_(options_.fail_copy_at_byte),
      thread_([this] { copy_loop(); }) {}

SimulatedDevice::~SimulatedDevice() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  thread_.join();
  for (const auto& [data, size] : pinned_) ::operator delete(const_cast<std::byte*>(data), kPinnedAlignment);
}

DeviceFacts facts_of(const SimulatedDeviceOptions& options) {
  DeviceFacts facts;
  facts.name = options.name;
  facts.driver = options.driver;
  facts.system = options.system;
  facts.integrated = options.integrated;
  facts.host_total_bytes = options.host_total_bytes;
  facts.host_available_bytes = options.host_available_bytes;
  for (const SimulatedPool& pool : options.pools) {
    facts.pools.push_back(pool.said);
    facts.pools.back().pool = pool.pool;
  }
  return facts;
}

DeviceFacts SimulatedDevice::facts() const {
  DeviceFacts facts = facts_of(options_);
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < facts.pools.size(); ++i) {
    if (options_.pools[i].free_is_stale) continue;
    PoolReport& report = facts.pools[i];
    const uint64_t taken = counters_.pool(report.pool).bytes;
    for (std::optional<uint64_t>* free : {&report.driver_free_bytes, &report.system_free_bytes}) {
      if (*free) *free = **free - std::min(**free, taken);
    }
  }
  return facts;
}

const SimulatedPool* SimulatedDevice::find_pool(Pool pool) const {
  const auto found = std::find_if(options_.pools.begin(), options_.pools.end(),
                                  [&](const SimulatedPool& each) { return each.pool == pool; });
  return found == options_.pools.end() ? nullptr : &*found;
}

// Why a block cannot be taken from the pool; empty: it can.
std::string SimulatedDevice::refusal(const SimulatedPool& pool, uint64_t bytes) const {
  if (pool.largest_block_bytes != 0 && bytes > pool.largest_block_bytes) {
    return fmt::format("one block has at most {} bytes", pool.largest_block_bytes);
  }
  const uint64_t taken = counters_.pool(pool.pool).bytes;
  if (exceeds(taken, bytes, pool.size_bytes)) {
    return fmt::format("{} of {} bytes of {} memory are taken", taken, pool.size_bytes, pool_name(pool.pool));
  }
  const uint64_t all = counters_.blocks.bytes;
  if (options_.total_limit_bytes != 0 && exceeds(all, bytes, options_.total_limit_bytes)) {
    return fmt::format("{} of {} bytes of the driver's aperture are taken", all, options_.total_limit_bytes);
  }
  if (fail_allocation_at_byte_ && exceeds(all, bytes, *fail_allocation_at_byte_)) {
    return fmt::format("made to fail above {} bytes", *fail_allocation_at_byte_);
  }
  return {};
}

Block SimulatedDevice::allocate(Pool pool, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) {
    throw Error(ErrorCode::kUsage, "a block of 0 bytes", options_.name, "ask for at least one byte");
  }
  counters_.largest_asked_bytes = std::max(counters_.largest_asked_bytes, bytes);
  const SimulatedPool* from = find_pool(pool);
  if (!from || (pool == Pool::kManaged && options_.managed == ManagedMemory::kUnsupported)) {
    ++counters_.n_refused;
    throw Error(ErrorCode::kUnsupported,
                fmt::format("no {} memory (error 801, not supported)", pool_name(pool)), options_.name,
                "use another pool");
  }
  if (pool == Pool::kDedicated && options_.lands_elsewhere_after_bytes &&
      exceeds(counters_.pool(pool).bytes, bytes, *options_.lands_elsewhere_after_bytes)) {
    if (const SimulatedPool* shared = find_pool(Pool::kShared)) from = shared;
  }
  if (const std::string why = refusal(*from, bytes); !why.empty()) {
    ++counters_.n_refused;
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("{} bytes of {} memory refused: out of memory (error 2; {})", bytes,
                            pool_name(pool), why),
                options_.driver.empty() ? options_.name : options_.name + ", " + options_.driver,
                "free memory of the device, or ask for less");
  }
  const Block block{memory_.add(bytes), bytes, pool};
  placed_[block.address] = Placed{from->pool, bytes};
  take(counters_.pools[static_cast<size_t>(from->pool)], bytes);
  take(counters_.blocks, bytes);
  take(counters_.reserved, reserved_for(bytes));
  return block;
}

void SimulatedDevice::release(const Block& block) noexcept {
  std::unique_lock lock(mutex_);
  const auto found = placed_.find(block.address);
  if (found == placed_.end()) {
    ++counters_.n_bad_releases;
    return;
  }
  const Placed placed = found->second;
  // Drivers wait for work on what they release; copies still queued for it fault when their turn comes.
  changed_.wait(lock, [&] {
    return !running_ || running_->address < block.address ||
           running_->address - block.address >= placed.bytes;
  });
  memory_.remove(block.address);
  placed_.erase(block.address);
  give(counters_.pools[static_cast<size_t>(placed.pool)], placed.bytes);
  give(counters_.blocks, placed.bytes);
  give(counters_.reserved, reserved_for(placed.bytes));
}

std::span<std::byte> SimulatedDevice::allocate_pinned(size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) {
    throw Error(ErrorCode::kUsage, "pinned memory of 0 bytes", options_.name, "ask for at least one byte");
  }
  const bool refused =
      options_.pinned_limit_bytes != 0 && exceeds(counters_.pinned.bytes, bytes, options_.pinned_limit_bytes);
  auto* data =
      refused ? nullptr : static_cast<std::byte*>(::operator new(bytes, kPinnedAlignment, std::nothrow));
  if (!data) {
    ++counters_.n_refused;
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("{} bytes of page-locked memory refused (error 2)", bytes), options_.name,
                "close other programs, or use a smaller staging ring");
  }
  pinned_[data] = bytes;
  take(counters_.pinned, bytes);
  return {data, bytes};
}

void SimulatedDevice::release_pinned(std::span<std::byte> memory) noexcept {
  std::unique_lock lock(mutex_);
  const auto found = pinned_.find(memory.data());
  if (found == pinned_.end()) {
    ++counters_.n_bad_releases;
    return;
  }
  const std::span<const std::byte> whole(found->first, found->second);
  const auto reads_it = [&](const Copy& copy) { return overlap(copy.source, whole); };
  if ((running_ && reads_it(*running_)) || std::any_of(queue_.begin(), queue_.end(), reads_it)) {
    fault("page-locked memory was released while a copy from it was queued (error 700)");
    changed_.wait(lock, [&] { return !running_; });
  }
  pinned_.erase(whole.data());
  give(counters_.pinned, whole.size());
  lock.unlock();
  ::operator delete(memory.data(), kPinnedAlignment);
}

bool SimulatedDevice::is_pinned(std::span<const std::byte> source) const {
  const auto after = pinned_.upper_bound(source.data());
  if (after == pinned_.begin()) return false;
  const auto& [data, size] = *std::prev(after);
  return !std::less<>()(data + size, source.data() + source.size());
}

void SimulatedDevice::copy_to_device(uint64_t address, std::span<const std::byte> pinned) {
  memory_.check(address, pinned.size());
  if (pinned.empty()) return;
  const std::lock_guard lock(mutex_);
  if (options_.only_pinned_sources && !is_pinned(pinned)) {
    throw Error(ErrorCode::kDevice,
                fmt::format("a copy of {} bytes to {:#x} from memory that is not page-locked", pinned.size(),
                            address),
                options_.name, "copy from memory of allocate_pinned");
  }
  if (!fault_.empty()) return;
  const auto block = placed_around(address);
  const bool garbled =
      options_.garbled_pool && block != placed_.end() && block->second.pool == *options_.garbled_pool;
  queue_.push_back({address, pinned, garbled});
  ++n_recorded_;
  work_.notify_all();
}

Event SimulatedDevice::record() {
  const std::lock_guard lock(mutex_);
  return n_recorded_;
}

void SimulatedDevice::require_event(Event event) const {
  if (event <= n_recorded_) return;
  throw Error(ErrorCode::kDevice, fmt::format("event {} was never recorded (error 400)", event),
              options_.name, "this is a fault of the program: please report it");
}

void SimulatedDevice::throw_fault() const {
  if (fault_.empty()) return;
  throw Error(ErrorCode::kDevice, fault_, options_.name, "try again; update the driver if it stays");
}

void SimulatedDevice::fault(const std::string& text) {
  if (fault_.empty()) fault_ = text;
  queue_.clear();
  changed_.notify_all();
}

bool SimulatedDevice::is_done(Event event) {
  const std::lock_guard lock(mutex_);
  throw_fault();
  require_event(event);
  wanted_ = std::max(wanted_, event);
  work_.notify_all();
  return n_done_ >= event;
}

void SimulatedDevice::wait(Event event) {
  std::unique_lock lock(mutex_);
  throw_fault();
  require_event(event);
  wanted_ = std::max(wanted_, event);
  work_.notify_all();
  changed_.wait(lock, [&] { return n_done_ >= event || !fault_.empty(); });
  throw_fault();
}

void SimulatedDevice::copy_to_host(std::span<std::byte> out, uint64_t address) {
  memory_.check(address, out.size());
  wait(record());
  memory_.read(address, out);
}

bool SimulatedDevice::may_copy() const {
  return !queue_.empty() && (queue_.size() > options_.lag_copies || n_done_ < wanted_);
}

void SimulatedDevice::copy_loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return stop_ || may_copy(); });
    if (stop_) return;
    copy_next(lock);
    running_.reset();
    changed_.notify_all();
  }
}

void SimulatedDevice::copy_next(std::unique_lock<std::mutex>& lock) {
  const Copy copy = queue_.front();
  queue_.pop_front();
  running_ = copy;
  const uint64_t size = copy.source.size();
  if (options_.copy_bytes_per_second != 0) {
    const std::chrono::duration<double> pause(static_cast<double>(size) /
                                              static_cast<double>(options_.copy_bytes_per_second));
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::duration_cast<std::chrono::steady_clock::duration>(pause);
    work_.wait_until(lock, end, [&] { return stop_ || !fault_.empty(); });
    if (stop_ || !fault_.empty()) return;
  }
  bytes_to_fault_ += size;
  if (fail_copy_at_byte_ && bytes_to_fault_ > *fail_copy_at_byte_) {
    fault(fmt::format("a copy of {} bytes to {:#x} failed: unspecified launch failure (error 719)", size,
                      copy.address));
    return;
  }
  lock.unlock();
  std::string failed;
  uint64_t rewritten = 0;
  try {
    rewritten = store(copy);
    if (options_.on_copy) options_.on_copy(copy.address, copy.source);
  } catch (const Error& error) {
    failed = error.problem();
  }
  lock.lock();
  if (!failed.empty()) {
    fault(failed);
    return;
  }
  ++n_done_;
  ++counters_.n_copies;
  counters_.copied_bytes += size;
  counters_.rewritten_bytes += rewritten;
}

uint64_t SimulatedDevice::store(const Copy& copy) {
  if (!copy.garbled) return memory_.write(copy.address, copy.source);
  std::vector<std::byte> bytes(copy.source.begin(), copy.source.end());
  bytes[0] ^= std::byte{0x10};
  return memory_.write(copy.address, bytes);
}

std::map<uint64_t, SimulatedDevice::Placed>::const_iterator SimulatedDevice::placed_around(
    uint64_t address) const {
  const auto after = placed_.upper_bound(address);
  return after == placed_.begin() ? placed_.end() : std::prev(after);
}

void SimulatedDevice::require_host_access(uint64_t address, uint64_t bytes) {
  memory_.check(address, bytes);
  {
    const std::lock_guard lock(mutex_);
    const auto block = placed_around(address);
    if (block == placed_.end() || block->second.pool != Pool::kManaged) {
      throw Error(ErrorCode::kUnsupported, "the processor cannot reach memory that is not managed",
                  options_.name, "copy it");
    }
    if (options_.managed == ManagedMemory::kHostFaults) {
      throw Error(ErrorCode::kDevice, fmt::format("access by the processor to {:#x} faults", address),
                  options_.name, "use another pool");
    }
  }
  wait(record());
}

void SimulatedDevice::read_as_host(std::span<std::byte> out, uint64_t address) {
  require_host_access(address, out.size());
  memory_.read(address, out);
}

void SimulatedDevice::write_as_host(uint64_t address, std::span<const std::byte> bytes) {
  require_host_access(address, bytes.size());
  memory_.write(address, bytes);
}

SimulatedCounters SimulatedDevice::counters() const {
  const std::lock_guard lock(mutex_);
  SimulatedCounters now = counters_;
  now.n_queued = queue_.size() + (running_ ? 1 : 0);
  return now;
}

Pool SimulatedDevice::landed(const Block& block) const {
  const std::lock_guard lock(mutex_);
  const auto found = placed_.find(block.address);
  if (found == placed_.end()) {
    throw Error(ErrorCode::kDevice, fmt::format("no block begins at {:#x}", block.address), options_.name,
                "pass a block that is allocated");
  }
  return found->second.pool;
}

uint64_t SimulatedDevice::unwritten_bytes(const Block& block) const {
  return memory_.unwritten_bytes(block.address);
}

uint64_t SimulatedDevice::checksum(const Block& block) const {
  return memory_.checksum(block.address);
}

void SimulatedDevice::fail_allocation_at_byte(std::optional<uint64_t> byte) {
  const std::lock_guard lock(mutex_);
  fail_allocation_at_byte_ = byte;
}

void SimulatedDevice::clear_fault(std::optional<uint64_t> fail_copy_at_byte) {
  const std::lock_guard lock(mutex_);
  fault_.clear();
  fail_copy_at_byte_ = fail_copy_at_byte;
  bytes_to_fault_ = 0;
  n_recorded_ = n_done_ + (running_ ? 1 : 0);
  wanted_ = std::min(wanted_, n_recorded_);
}

}  // namespace halyard
