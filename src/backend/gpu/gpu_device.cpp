#include "backend/gpu/gpu_device.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "device/self_test.h"
#include "platform/guarded_memory.h"
#include "platform/memory.h"

namespace halyard {
namespace {

constexpr size_t kPinnedAlignment = 4096;
constexpr size_t kStagingBytes = size_t{1} << 20;
constexpr size_t kMostRecorded = 64;  // events before those that are done are looked for
constexpr const char* kReport = "this is a fault of the program: please report it";

std::optional<uint64_t> known(uint64_t bytes) {
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

void* host_address(uint64_t address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}

}  // namespace

GpuDevice::GpuDevice(std::shared_ptr<const GpuDriver> driver, int ordinal, GpuDeviceOptions options)
    : driver_(std::move(driver)), f_(driver_->functions()) {
  const int count = driver_->device_count();
  if (ordinal < 0 || ordinal >= count)
    throw Error(ErrorCode::kNotFound,
                fmt::format("there is no GPU {}: {} has {}", ordinal, driver_->version(), count),
                driver_->library(), "see halyard devices, and --device");
  info_ = driver_->device_info(ordinal);
  if (const std::string problem = gpu_problem(info_); !problem.empty())
    throw Error(ErrorCode::kUnsupported, problem, label(), "run with --backend cpu");
  try {
    open_queue();
    if (options.try_managed && f_.allocate_managed) {
      managed_ = managed_memory_problem(*this).empty() ? Managed::kWorks : Managed::kAbsent;
    } else {
      managed_ = Managed::kAbsent;
    }
  } catch (...) {
    close();
    throw;
  }
}

GpuDevice::~GpuDevice() {
  close();
}

void GpuDevice::open_queue() {
  driver_->check(f_.get_device(&device_, info_.ordinal), "get device", label());
  if (f_.cuda_retain_context) {
    driver_->check(f_.cuda_retain_context(&context_, device_), "open the device", label());
  }
  make_current();
  driver_->check(f_.create_stream(&stream_, kGpuStreamNonBlocking), "create stream", label());
}

// Errors count for nothing here: a lost device gives all of them.
void GpuDevice::close() noexcept {
  try {
    make_current();
  } catch (const Error&) {
    // What can be released is.
  }
  if (stream_) f_.synchronize_stream(stream_);
  for (const auto& [ticket, event] : recorded_) f_.destroy_event(event.handle);
  for (GpuEventHandle event : spare_events_) f_.destroy_event(event);
  for (const auto& [data, pinned] : pinned_) f_.release_host(pinned.base);
  for (const auto& [address, memory] : memory_) {
    if (memory.host) f_.release_host(memory.host);
    if (!memory.host) f_.release(address);
  }
  if (stream_) f_.destroy_stream(stream_);
  if (context_) f_.cuda_release_context(device_);
  driver_->clear_last_error();
}

std::string GpuDevice::label() const {
  return fmt::format("GPU {}, {}", info_.ordinal, info_.name);
}

void GpuDevice::make_current() const {
  if (f_.hip_set_device) {
    driver_->check(f_.hip_set_device(info_.ordinal), "set device", label());
  } else {
    driver_->check(f_.cuda_set_context(context_), "set context", label());
  }
}

void GpuDevice::require_alive() const {
  const std::lock_guard lock(mutex_);
  if (lost_) throw *lost_;
}

void GpuDevice::lose(GpuResult result, std::string_view operation, std::string_view detail) {
  const Error failure = driver_->error(result, operation, label(), detail);
  driver_->clear_last_error();
  const std::lock_guard lock(mutex_);
  // Memory that runs out in the middle of the queue is no refusal that somebody could answer.
  if (!lost_) lost_ = Error(ErrorCode::kDevice, failure.problem(), failure.where(), failure.fix());
}

void GpuDevice::check(GpuResult result, std::string_view operation, std::string_view detail) {
  if (result == kGpuSuccess) return;
  if (is_fatal_gpu_result(result)) {
    lose(result, operation, detail);
    require_alive();
  }
  driver_->check(result, operation, label(), detail);
}

void GpuDevice::queued(GpuResult result, std::string_view operation, uint64_t address, uint64_t bytes) {
  if (result != kGpuSuccess) lose(result, operation, fmt::format("{} bytes at {:#x}", bytes, address));
}

// ---- memory

DeviceFacts GpuDevice::facts() const {
  DeviceFacts facts;
  facts.name = info_.name;
  facts.driver = driver_->version();
  facts.system = HALYARD_FOR_WINDOWS != 0 ? System::kWindows : System::kLinux;  // CMake says it
  facts.integrated = info_.integrated;
  const MemoryFacts host = memory_facts();
  facts.host_total_bytes = host.total_bytes;
  facts.host_available_bytes = host.available_bytes;

  const GpuMemoryFacts system = gpu_memory_facts(info_.pci_id);
  PoolReport dedicated;
  dedicated.pool = Pool::kDedicated;
  dedicated.driver_total_bytes = known(info_.total_bytes);
  size_t free_bytes = 0, total_bytes = 0;
  make_current();
  // Of nothing being free, drivers have spoken on machines where everything was.
  if (f_.get_memory_info(&free_bytes, &total_bytes) == kGpuSuccess) {
    dedicated.driver_free_bytes = known(free_bytes);
  } else {
    driver_->clear_last_error();
  }
  dedicated.system_total_bytes = system.dedicated_total_bytes;
  dedicated.system_free_bytes = system.dedicated_free_bytes;
  PoolReport lent;
  lent.pool = host_pool();
  lent.system_total_bytes = info_.integrated ? system.gtt_total_bytes : known(host.total_bytes);
  lent.system_free_bytes = info_.integrated ? system.gtt_free_bytes : known(host.available_bytes);
  facts.pools = {dedicated, lent};
  if (managed_ == Managed::kWorks) {
    facts.pools.emplace_back();
    facts.pools.back().pool = Pool::kManaged;
  }
  return facts;
}

GpuResult GpuDevice::allocate_in(Pool pool, uint64_t bytes, uint64_t& address, Memory& memory) {
  memory = {bytes, pool, nullptr};
  if (pool == Pool::kDedicated) return f_.allocate(&address, bytes);
  if (pool == Pool::kManaged) return f_.allocate_managed(&address, bytes, kGpuManagedGlobal);
  const GpuResult result = f_.allocate_host(&memory.host, bytes, kGpuHostPortable | kGpuHostMapped);
  if (result != kGpuSuccess) return result;
  const GpuResult mapped = f_.get_host_address(&address, memory.host, 0);
  if (mapped != kGpuSuccess) f_.release_host(memory.host);
  return mapped;
}

Block GpuDevice::allocate(Pool pool, uint64_t bytes) {
  if (bytes == 0) throw Error(ErrorCode::kUsage, "a block of 0 bytes", label(), "ask for at least one byte");
  const bool has = pool == Pool::kDedicated || pool == host_pool() ||
                   (pool == Pool::kManaged && managed_ != Managed::kAbsent);
  if (!has)
    throw Error(ErrorCode::kUnsupported, fmt::format("no {} memory", pool_name(pool)), label(),
                "use another pool");
  require_alive();
  make_current();
  uint64_t address = 0;
  Memory memory{};
  const GpuResult result = allocate_in(pool, bytes, address, memory);
  const std::string what = fmt::format("{} bytes of {} memory", bytes, pool_name(pool));
  if (result == kGpuNotSupported) {
    const Error failure = driver_->error(result, "allocate " + what, label());
    driver_->clear_last_error();
    throw Error(ErrorCode::kUnsupported, failure.problem(), failure.where(), "use another pool");
  }
  check(result, "allocate " + what);
  const std::lock_guard lock(mutex_);
  memory_[address] = memory;
  return Block{address, bytes, pool};
}

void GpuDevice::release(const Block& block) noexcept {
  Memory memory{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = memory_.find(block.address);
    if (found == memory_.end()) return;
    memory = found->second;
    memory_.erase(found);
  }
  try {
    make_current();
  } catch (const Error&) {
    // Of a lost device: the driver frees what it can.
  }
  // The drivers wait for work on what they release, but say so of their own memory only.
  f_.synchronize_stream(stream_);
  const GpuResult result = memory.host ? f_.release_host(memory.host) : f_.release(block.address);
  if (result != kGpuSuccess) driver_->clear_last_error();
}

std::span<std::byte> GpuDevice::allocate_pinned(size_t bytes) {
  if (bytes == 0)
    throw Error(ErrorCode::kUsage, "pinned memory of 0 bytes", label(), "ask for at least one byte");
  make_current();
  const auto take = [&](size_t size) {
    void* base = nullptr;
    check(f_.allocate_host(&base, size, kGpuHostPortable),
          fmt::format("allocate {} bytes of page-locked memory", size));
    return base;
  };
  void* base = take(bytes);
  auto* data = static_cast<std::byte*>(base);
  if (reinterpret_cast<uintptr_t>(data) % kPinnedAlignment != 0) {
    f_.release_host(base);
    base = take(bytes + kPinnedAlignment);
    const uintptr_t rounded =
        (reinterpret_cast<uintptr_t>(base) + kPinnedAlignment - 1) & ~(kPinnedAlignment - 1);
    data = reinterpret_cast<std::byte*>(rounded);
  }
  const std::lock_guard lock(mutex_);
  pinned_[data] = {bytes, base};
  return {data, bytes};
}

void GpuDevice::release_pinned(std::span<std::byte> memory) noexcept {
  void* base = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = pinned_.find(memory.data());
    if (found == pinned_.end()) return;
    base = found->second.base;
    pinned_.erase(found);
  }
  try {
    make_current();
  } catch (const Error&) {
    // As in release().
  }
  if (f_.release_host(base) != kGpuSuccess) driver_->clear_last_error();
}

bool GpuDevice::is_pinned(std::span<const std::byte> source) const {
  const auto after = pinned_.upper_bound(source.data());
  if (after == pinned_.begin()) return false;
  const auto& [data, pinned] = *std::prev(after);
  return !std::less<>()(data + pinned.bytes, source.data() + source.size());
}

void GpuDevice::require_inside(uint64_t address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto after = memory_.upper_bound(address);
  if (after != memory_.begin()) {
    const auto& [begin, memory] = *std::prev(after);
    if (address - begin <= memory.bytes && bytes <= memory.bytes - (address - begin)) return;
  }
  throw Error(ErrorCode::kDevice,
              fmt::format("access to {} bytes at {:#x} is not inside one block", bytes, address), label(),
              kReport);
}

void GpuDevice::require_managed(uint64_t address, uint64_t bytes) const {
  require_inside(address, bytes);
  const std::lock_guard lock(mutex_);
  if (std::prev(memory_.upper_bound(address))->second.pool != Pool::kManaged)
    throw Error(ErrorCode::kUnsupported, "the processor cannot reach memory that is not managed", label(),
                "copy it");
}

// ---- copies

void GpuDevice::copy_to_device(uint64_t address, std::span<const std::byte> pinned) {
  require_inside(address, pinned.size());
  if (pinned.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (!is_pinned(pinned))
      throw Error(ErrorCode::kDevice,
                  fmt::format("a copy of {} bytes to {:#x} from memory that is not page-locked",
                              pinned.size(), address),
                  label(), "copy from memory of allocate_pinned");
    if (lost_) return;
  }
  make_current();
  queued(f_.copy_to_device(address, pinned.data(), pinned.size(), stream_), "copy to device", address,
         pinned.size());
}

void GpuDevice::fill(uint64_t address, uint8_t value, uint64_t bytes) {
  require_inside(address, bytes);
  require_alive();
  if (bytes == 0) return;
  make_current();
  queued(f_.fill(address, value, bytes, stream_), "fill", address, bytes);
}

void GpuDevice::copy_on_device(uint64_t to, uint64_t from, uint64_t bytes) {
  require_inside(to, bytes);
  require_inside(from, bytes);
  require_alive();
  if (bytes == 0) return;
  make_current();
  queued(f_.copy_on_device(to, from, bytes, stream_), "copy on device", to, bytes);
}

void GpuDevice::synchronize() {
  require_alive();
  make_current();
  const GpuResult result = f_.synchronize_stream(stream_);
  if (result == kGpuSuccess) return;
  lose(result, "wait for the queue", {});
  require_alive();
}

void GpuDevice::upload(uint64_t address, std::span<const std::byte> bytes) {
  require_inside(address, bytes.size());
  if (bytes.empty()) return;
  const PinnedBuffer staging(*this, std::min(bytes.size(), kStagingBytes));
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kStagingBytes));
    std::copy(piece.begin(), piece.end(), staging.memory().begin());
    copy_to_device(address, staging.memory().first(piece.size()));
    synchronize();
    bytes = bytes.subspan(piece.size());
    address += piece.size();
  }
}

void GpuDevice::copy_to_host(std::span<std::byte> out, uint64_t address) {
  require_inside(address, out.size());
  synchronize();
  if (out.empty()) return;
  const PinnedBuffer staging(*this, std::min(out.size(), kStagingBytes));
  while (!out.empty()) {
    const auto piece = out.first(std::min(out.size(), kStagingBytes));
    queued(f_.copy_to_host(staging.memory().data(), address, piece.size(), stream_), "copy to host", address,
           piece.size());
    synchronize();
    std::copy_n(staging.memory().begin(), piece.size(), piece.begin());
    out = out.subspan(piece.size());
    address += piece.size();
  }
}

void GpuDevice::read_as_host(std::span<std::byte> out, uint64_t address) {
  require_managed(address, out.size());
  synchronize();
  if (!read_guarded(out, host_address(address)))
    throw Error(ErrorCode::kDevice, fmt::format("access by the processor to {:#x} faults", address), label(),
                "use another pool");
}

void GpuDevice::write_as_host(uint64_t address, std::span<const std::byte> bytes) {
  require_managed(address, bytes.size());
  synchronize();
  if (!write_guarded(host_address(address), bytes))
    throw Error(ErrorCode::kDevice, fmt::format("access by the processor to {:#x} faults", address), label(),
                "use another pool");
}

// ---- events

// Makes the driver's events of what is done free again, but for those that a thread waits for just now.
void GpuDevice::retire(uint64_t done) {
  n_done_ = std::max(n_done_, done);
  for (auto event = recorded_.begin(); event != recorded_.end() && event->first <= n_done_;) {
    if (event->second.n_waiting != 0) {
      ++event;
      continue;
    }
    spare_events_.push_back(event->second.handle);
    event = recorded_.erase(event);
  }
}

Event GpuDevice::record() {
  bool is_lost = false, many = false;
  GpuEventHandle handle = nullptr;
  Event oldest = 0;
  {
    const std::lock_guard lock(mutex_);
    is_lost = lost_.has_value();
    many = recorded_.size() >= kMostRecorded;
    if (many) oldest = recorded_.begin()->first;
  }
  if (is_lost) {
    const std::lock_guard lock(mutex_);
    return ++n_recorded_;  // waiting for it throws
  }
  make_current();
  if (many) ask(oldest, f_.query_event);
  {
    const std::lock_guard lock(mutex_);
    if (!spare_events_.empty()) {
      handle = spare_events_.back();
      spare_events_.pop_back();
    }
  }
  // Waiting must not spin: whoever waits for copies has a core to leave to those who read.
  GpuResult result =
      handle ? kGpuSuccess : f_.create_event(&handle, kGpuEventDisableTiming | kGpuEventBlockingSync);
  if (result == kGpuSuccess) result = f_.record_event(handle, stream_);
  if (result != kGpuSuccess) lose(result, "record event", {});
  const std::lock_guard lock(mutex_);
  ++n_recorded_;
  if (handle) recorded_[n_recorded_] = {handle, 0};
  return n_recorded_;
}

// Asks the driver whether the event is done, by a function that waits or one that does not.
bool GpuDevice::ask(Event event, GpuResult (*question)(GpuEventHandle)) {
  require_alive();
  make_current();
  std::unique_lock lock(mutex_);
  if (lost_) throw *lost_;
  if (event > n_recorded_)
    throw Error(ErrorCode::kDevice, fmt::format("event {} was never recorded", event), label(), kReport);
  if (event <= n_done_) return true;
  const auto recorded = recorded_.find(event);  // stays where it is while somebody waits for it
  ++recorded->second.n_waiting;
  lock.unlock();
  const GpuResult result = question(recorded->second.handle);
  if (result == kGpuNotReady) driver_->clear_last_error();
  if (result != kGpuSuccess && result != kGpuNotReady) lose(result, "wait for an event", {});
  lock.lock();
  --recorded->second.n_waiting;
  if (result == kGpuNotReady) return false;
  if (lost_) throw *lost_;
  retire(event);
  return true;
}

bool GpuDevice::is_done(Event event) {
  return ask(event, f_.query_event);
}

void GpuDevice::wait(Event event) {
  ask(event, f_.synchronize_event);
}

// ---- timing

GpuTimer::GpuTimer(GpuDevice& device) : device_(device) {
  device.make_current();
  try {
    for (GpuEventHandle& event : events_)
      device.check(device.driver().functions().create_event(&event, 0), "create event");
  } catch (...) {
    release();
    throw;
  }
}

GpuTimer::~GpuTimer() {
  release();
}

void GpuTimer::release() noexcept {
  for (GpuEventHandle event : events_)
    if (event) device_.driver().functions().destroy_event(event);
}

void GpuTimer::record(GpuEventHandle event) {
  device_.require_alive();
  device_.make_current();
  device_.check(device_.driver().functions().record_event(event, device_.stream()), "record event");
}

double GpuTimer::elapsed_ms() {
  device_.synchronize();
  float ms = 0;
  device_.check(device_.driver().functions().get_elapsed_ms(&ms, events_[0], events_[1]), "measure time");
  return static_cast<double>(ms);
}

}  // namespace halyard
