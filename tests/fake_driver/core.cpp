#include "fake_driver/core.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "platform/environment.h"

namespace fake_driver {
namespace {

constexpr int kInvalidValue = 1, kOutOfMemory = 2, kNotStarted = 3, kNoDevice = 100, kInvalidDevice = 101,
              kInvalidContext = 201, kNoBinary = 209, kInvalidKernelFile = 218, kInvalidHandle = 400,
              kNotFound = 500, kNotReady = 600;
constexpr uint64_t kDeviceBit = uint64_t{1} << 62;  // such an address faults when the host uses it
constexpr std::align_val_t kAlignment{4096};
constexpr int kMostDevices = 8;

struct Allocation {
  std::byte* data;  // what is at that address
  size_t bytes;
  int device;
  bool managed;
};
struct HostAllocation {
  std::byte* base;
  size_t bytes;
  bool mapped;
};
struct Event {
  bool timed = false, recorded = false, done = false;
  uint64_t time = 0;
  int device = 0;
  int n_waiting = 0;
};
struct Stream {
  int device = 0;
  std::deque<std::function<int()>> queue;
};
struct Module {
  int device = 0;
  const char* image = nullptr;
};
struct Function {
  std::string name;
  int device = 0;
  const char* image = nullptr;
  unsigned lds_bytes = 48 * 1024;
};

struct Everything {
  std::recursive_mutex mutex;
  bool configured = false, started = false;
  State state;
  std::map<uint64_t, Allocation> allocations;
  std::map<std::byte*, HostAllocation> host;
  std::map<void*, std::unique_ptr<Stream>> streams;
  std::map<void*, std::unique_ptr<Event>> events;
  std::map<void*, std::unique_ptr<Module>> modules;
  std::deque<Function> functions;  // stay
  std::array<int, kMostDevices> faults{}, contexts{};
  uint64_t n_copies = 0, n_launches = 0, clock = 0;
  std::condition_variable_any changed;  // of the two below
  bool is_held = false;
  int n_inside = 0;
};

Everything& all() {
  static Everything everything;
  return everything;
}

thread_local int current_device = kVendor == Vendor::kHip ? 0 : -1;
thread_local int last_error = 0;

using Lock = std::lock_guard<std::recursive_mutex>;

int bad_call(const char* what, int result) {
  State& s = all().state;
  ++s.bad_calls;
  std::snprintf(s.last_bad_call, sizeof s.last_bad_call, "%s", what);
  return result;
}

void set_number(State& s, const std::string& name, int64_t value) {
  const std::map<std::string, int64_t*> numbers = {
      {"version", &s.version},           {"devices", &s.devices},
      {"start_result", &s.start_result}, {"announce", &s.announce},
      {"warp_size", &s.warp_size},       {"integrated", &s.integrated},
      {"total_bytes", &s.total_bytes},   {"managed_result", &s.managed_result}};
  const auto found = numbers.find(name);
  if (found != numbers.end()) *found->second = value;
  if (found == numbers.end()) bad_call("FAKE_GPU_DRIVER", 0);
}

void configure(State& s) {
  std::string text = halyard::environment("FAKE_GPU_DRIVER").value_or("");
  while (!text.empty()) {
    const std::string pair = text.substr(0, text.find(','));
    text.erase(0, std::min(pair.size() + 1, text.size()));
    const size_t equals = pair.find('=');
    if (equals != std::string::npos)
      set_number(s, pair.substr(0, equals), std::stoll(pair.substr(equals + 1)));
  }
}

int fault() {
  return current_device >= 0 ? all().faults[static_cast<size_t>(current_device)] : 0;
}

// What every call but the first few needs.
int require_current() {
  if (!all().started) return bad_call("a call before the driver was started", kNotStarted);
  if (current_device < 0) return bad_call("a call without a context", kInvalidContext);
  return fault();
}

Stream* find_stream(void* stream) {
  const auto found = all().streams.find(stream);
  if (found == all().streams.end()) {
    bad_call(stream ? "an unknown stream" : "the null stream", 0);
    return nullptr;
  }
  if (found->second->device != current_device) {
    bad_call("a stream of another device", 0);
    return nullptr;
  }
  return found->second.get();
}

// The bytes at a device address, if they are inside one allocation of the current device.
std::byte* find_memory(uint64_t address, size_t bytes) {
  const auto after = all().allocations.upper_bound(address);
  if (after != all().allocations.begin()) {
    const auto& [begin, allocation] = *std::prev(after);
    const uint64_t at = address - begin;
    if (at <= allocation.bytes && bytes <= allocation.bytes - at && allocation.device == current_device)
      return allocation.data + at;
  }
  // Pinned memory that is mapped has the device bit, and is there for all devices.
  for (auto& [data, host] : all().host) {
    const uint64_t begin = reinterpret_cast<uintptr_t>(data) | kDeviceBit;
    if (host.mapped && address >= begin && address - begin <= host.bytes &&
        bytes <= host.bytes - (address - begin))
      return data + (address - begin);
  }
  return nullptr;
}

bool is_host(const void* memory, size_t bytes) {
  const auto* at = static_cast<const std::byte*>(memory);
  return std::any_of(all().host.begin(), all().host.end(), [&](const auto& each) {
    return at >= each.first && at + bytes <= each.first + each.second.bytes;
  });
}

bool is_managed(uint64_t address) {
  const auto after = all().allocations.upper_bound(address);
  return after != all().allocations.begin() && std::prev(after)->second.managed;
}

// Does the next thing of the queue; a fault stays.
int step(Stream& stream) {
  int& faulted = all().faults[static_cast<size_t>(stream.device)];
  if (faulted != 0) {
    stream.queue.clear();
    return faulted;
  }
  const auto work = std::move(stream.queue.front());
  stream.queue.pop_front();
  const int before = std::exchange(current_device, stream.device);
  const int result = work();
  current_device = before;
  if (result != 0) {
    faulted = result;
    stream.queue.clear();
  }
  ++all().clock;
  return result;
}

int drain(Stream& stream) {
  while (!stream.queue.empty()) step(stream);
  return all().faults[static_cast<size_t>(stream.device)];
}

int enqueue(void* stream, std::function<int()> work) {
  if (const int result = require_current()) {
    if (result == fault()) ++all().state.queued_after_fault;
    return result;
  }
  Stream* found = find_stream(stream);
  if (!found) return kInvalidHandle;
  found->queue.push_back(std::move(work));
  return 0;
}

bool is_too_much(uint64_t bytes) {
  const State& s = all().state;
  const uint64_t taken = s.device_bytes + s.host_bytes;
  return bytes > static_cast<uint64_t>(s.total_bytes) || taken + bytes > s.fail_allocation_at_byte ||
         s.device_bytes + bytes > static_cast<uint64_t>(s.total_bytes);
}

std::byte* poisoned(size_t bytes) {
  auto* data = static_cast<std::byte*>(::operator new(bytes, kAlignment));
  std::memset(data, 0xA5, bytes);
  return data;
}

}  // namespace

State& state() {
  Everything& everything = all();
  const Lock lock(everything.mutex);
  if (!everything.configured) {
    everything.configured = true;
    configure(everything.state);
  }
  return everything.state;
}

int remember(int result) {
  if (result != 0) last_error = result;
  return result;
}

int take_last_error() {
  return std::exchange(last_error, 0);
}

int start(unsigned flags) {
  State& s = state();
  const Lock lock(all().mutex);
  if (flags != 0) return kInvalidValue;
  if (s.announce != 0) std::fprintf(stderr, "the fake driver was started\n");
  if (s.start_result != 0) return static_cast<int>(s.start_result);
  if (s.devices == 0) return kNoDevice;
  all().started = true;
  return 0;
}

int version() {
  const State& s = state();
  if (s.version != 0) return static_cast<int>(s.version);
  return kVendor == Vendor::kHip ? 70253211 : 13000;
}

int get_version(int* number) {
  *number = version();
  return static_cast<int>(state().version_result);
}

int count_devices(int* count) {
  *count = static_cast<int>(state().devices);
  return *count == 0 && kVendor == Vendor::kHip ? kNoDevice : 0;
}

int check_device(int device) {
  return device >= 0 && device < state().devices ? 0 : kInvalidDevice;
}

std::string device_name(int device) {
  return std::string(kVendor == Vendor::kHip ? "Fake Radeon " : "Fake GeForce ") + std::to_string(device);
}

const char* architecture() {
  return state().warp_size == 32 ? "gfx1151" : "gfx90a:sramecc+:xnack-";
}

int attribute(int* value, Attribute which, int device) {
  if (const int result = check_device(device)) return result;
  switch (which) {
    case Attribute::kIntegrated:
      *value = static_cast<int>(state().integrated);
      return 0;
    case Attribute::kWarpSize:
      *value = static_cast<int>(state().warp_size);
      return 0;
    case Attribute::kMultiprocessors:
      *value = 20;
      return 0;
    case Attribute::kMaxThreads:
      *value = 1024;
      return 0;
    case Attribute::kLds:
      *value = kVendor == Vendor::kHip ? 65536 : 49152;
      return 0;
    case Attribute::kLdsOptIn:
      *value = 232448;
      return 0;
    case Attribute::kMajor:
      *value = kVendor == Vendor::kHip ? 11 : 9;
      return 0;
    case Attribute::kMinor:
      *value = kVendor == Vendor::kHip ? 5 : 0;
      return 0;
    case Attribute::kPciBus:
      *value = 0xC5 + device;
      return 0;
    case Attribute::kPciDevice:
    case Attribute::kPciDomain:
    case Attribute::kManaged:
      *value = 0;
      return 0;
    case Attribute::kUnknown:
      break;
  }
  return bad_call("an unknown attribute", kInvalidValue);
}

int total_memory(size_t* bytes, int device) {
  *bytes = static_cast<size_t>(state().total_bytes);
  return check_device(device);
}

int memory_info(size_t* free_bytes, size_t* total_bytes) {
  const State& s = state();
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (s.memory_info_result != 0) return static_cast<int>(s.memory_info_result);
  *total_bytes = static_cast<size_t>(s.total_bytes);
  *free_bytes = s.free_says_zero != 0 ? 0 : *total_bytes - s.device_bytes;
  return 0;
}

int set_current(int device) {
  if (device < 0 || check_device(device) != 0) return kInvalidDevice;
  const Lock lock(all().mutex);
  if (kVendor == Vendor::kCuda && all().contexts[static_cast<size_t>(device)] == 0)
    return bad_call("a context that was released", kInvalidContext);
  current_device = device;
  return 0;
}

int retain_context(int device) {
  if (const int result = check_device(device)) return result;
  const Lock lock(all().mutex);
  ++all().contexts[static_cast<size_t>(device)];
  ++all().state.contexts;
  return 0;
}

int release_context(int device) {
  const Lock lock(all().mutex);
  if (check_device(device) != 0 || all().contexts[static_cast<size_t>(device)] == 0)
    return bad_call("a context that was never retained", kInvalidContext);
  --all().state.contexts;
  // As in life, the last release of a context is what brings a device back after a fault.
  if (--all().contexts[static_cast<size_t>(device)] == 0) all().faults[static_cast<size_t>(device)] = 0;
  return 0;
}

int allocate(uint64_t* address, size_t bytes, bool managed) {
  State& s = state();
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (managed && s.managed_result != 0) return static_cast<int>(s.managed_result);
  if (bytes == 0) return kInvalidValue;
  if (is_too_much(bytes)) return kOutOfMemory;
  std::byte* data = poisoned(bytes);
  *address = reinterpret_cast<uintptr_t>(data);
  if (!managed || s.managed_faults != 0) *address |= kDeviceBit;
  all().allocations[*address] = {data, bytes, current_device, managed};
  ++s.blocks;
  s.device_bytes += bytes;
  s.bytes_of_device[current_device] += bytes;
  return 0;
}

int release(uint64_t address) {
  const Lock lock(all().mutex);
  const auto found = all().allocations.find(address);
  if (found == all().allocations.end()) return bad_call("release of what is no block", kInvalidValue);
  for (auto& [handle, stream] : all().streams) drain(*stream);
  --all().state.blocks;
  all().state.device_bytes -= found->second.bytes;
  all().state.bytes_of_device[found->second.device] -= found->second.bytes;
  ::operator delete(found->second.data, kAlignment);
  all().allocations.erase(found);
  return require_current();
}

int allocate_host(void** memory, size_t bytes, unsigned flags) {
  State& s = state();
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (bytes == 0) return kInvalidValue;
  if (is_too_much(bytes)) return kOutOfMemory;
  constexpr size_t kShift = 64;
  std::byte* base = poisoned(bytes + kShift);
  std::byte* data = s.host_memory_is_misaligned != 0 ? base + kShift : base;
  all().host[data] = {base, bytes, (flags & 2) != 0};
  ++s.host_blocks;
  s.host_bytes += bytes;
  *memory = data;
  return 0;
}

// Like the real ones this one does not wait: what is queued finds the memory gone, which is a bad call.
int release_host(void* memory) {
  const Lock lock(all().mutex);
  const auto found = all().host.find(static_cast<std::byte*>(memory));
  if (found == all().host.end()) return bad_call("release of what is no host memory", kInvalidValue);
  --all().state.host_blocks;
  all().state.host_bytes -= found->second.bytes;
  ::operator delete(found->second.base, kAlignment);
  all().host.erase(found);
  return require_current();
}

int host_address(uint64_t* address, void* memory) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  const auto found = all().host.find(static_cast<std::byte*>(memory));
  if (found == all().host.end() || !found->second.mapped)
    return bad_call("the address of memory that is not mapped", kInvalidValue);
  *address = reinterpret_cast<uintptr_t>(memory) | kDeviceBit;
  return 0;
}

int copy_to_device(uint64_t to, const void* from, size_t bytes, void* stream) {
  const Lock lock(all().mutex);
  if (!is_host(from, bytes)) return bad_call("a copy from memory that is not pinned", kInvalidValue);
  if (!find_memory(to, bytes)) return bad_call("a copy to what is no block", kInvalidValue);
  return enqueue(stream, [=] {
    State& s = all().state;
    if (all().n_copies++ == s.fail_copy_at) return static_cast<int>(s.fault_result);
    std::byte* data = find_memory(to, bytes);
    if (!data || !is_host(from, bytes)) return bad_call("a copy of what is released", 700);
    std::memcpy(data, from, bytes);
    if (s.managed_is_wrong != 0 && is_managed(to)) data[0] ^= std::byte{0x10};
    ++s.copies;
    return 0;
  });
}

int copy_to_host(void* to, uint64_t from, size_t bytes, void* stream) {
  const Lock lock(all().mutex);
  if (!is_host(to, bytes)) return bad_call("a copy to memory that is not pinned", kInvalidValue);
  return enqueue(stream, [=] {
    const std::byte* data = find_memory(from, bytes);
    if (!data || !is_host(to, bytes)) return bad_call("a copy of what is released", 700);
    std::memcpy(to, data, bytes);
    return 0;
  });
}

int copy_on_device(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  const Lock lock(all().mutex);
  return enqueue(stream, [=] {
    std::byte *target = find_memory(to, bytes), *source = find_memory(from, bytes);
    if (!target || !source) return bad_call("a copy of what is released", 700);
    std::memcpy(target, source, bytes);
    return 0;
  });
}

int fill(uint64_t address, unsigned char value, size_t bytes, void* stream) {
  const Lock lock(all().mutex);
  return enqueue(stream, [=] {
    std::byte* data = find_memory(address, bytes);
    if (!data) return bad_call("filling what is released", 700);
    std::memset(data, value, bytes);
    return 0;
  });
}

int create_stream(void** stream, unsigned flags) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (flags != 1) return bad_call("a stream that waits for the null stream", kInvalidValue);
  auto made = std::make_unique<Stream>();
  made->device = current_device;
  *stream = made.get();
  all().streams[*stream] = std::move(made);
  ++all().state.streams;
  return 0;
}

int destroy_stream(void* stream) {
  const Lock lock(all().mutex);
  const auto found = all().streams.find(stream);
  if (found == all().streams.end()) return bad_call("an unknown stream", kInvalidHandle);
  drain(*found->second);
  all().streams.erase(found);
  --all().state.streams;
  return require_current();
}

int synchronize(void* stream) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  Stream* found = find_stream(stream);
  if (!found) return kInvalidHandle;
  ++all().state.waits;
  return drain(*found);
}

int wait_event(void* stream, void* event) {
  const Lock lock(all().mutex);
  if (all().events.find(event) == all().events.end()) return bad_call("an unknown event", kInvalidHandle);
  return enqueue(stream, [event] { return synchronize_event(event); });
}

int create_event(void** event, unsigned flags) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  auto made = std::make_unique<Event>();
  made->timed = (flags & 2) == 0;
  made->device = current_device;
  *event = made.get();
  all().events[*event] = std::move(made);
  ++all().state.events;
  return 0;
}

int destroy_event(void* event) {
  const Lock lock(all().mutex);
  if (all().events.find(event) == all().events.end()) return bad_call("an unknown event", kInvalidHandle);
  for (auto& [handle, stream] : all().streams) drain(*stream);
  all().events.erase(event);
  --all().state.events;
  return require_current();
}

int record(void* event, void* stream) {
  const Lock lock(all().mutex);
  const auto found = all().events.find(event);
  if (found == all().events.end()) return bad_call("an unknown event", kInvalidHandle);
  Event* recorded = found->second.get();
  if (recorded->n_waiting != 0)
    return bad_call("recording an event anew that somebody waits for", kInvalidHandle);
  const int result = enqueue(stream, [recorded] {
    recorded->done = true;
    recorded->time = all().clock;
    return 0;
  });
  if (result == 0) {
    recorded->recorded = true;
    recorded->done = false;
  }
  return result;
}

int query(void* event) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  const auto found = all().events.find(event);
  if (found == all().events.end() || found->second->device != current_device)
    return bad_call("an unknown event", kInvalidHandle);
  if (all().state.not_ready > 0 && !found->second->done) {
    --all().state.not_ready;
    return kNotReady;
  }
  for (auto& [handle, stream] : all().streams) {
    while (!stream->queue.empty() && !found->second->done) step(*stream);
  }
  return fault();
}

int synchronize_event(void* event) {
  std::unique_lock lock(all().mutex);
  if (const int result = require_current()) return result;
  const auto found = all().events.find(event);
  if (found == all().events.end() || found->second->device != current_device)
    return bad_call("an unknown event", kInvalidHandle);
  ++all().state.waits;
  Event* waited = found->second.get();
  ++waited->n_waiting;
  ++all().n_inside;
  all().changed.notify_all();
  all().changed.wait(lock, [] { return !all().is_held; });
  --all().n_inside;
  all().changed.notify_all();
  --waited->n_waiting;
  for (auto& [handle, stream] : all().streams) {
    while (!stream->queue.empty() && !waited->done) step(*stream);
  }
  return fault();
}

int elapsed(float* ms, void* begin, void* end) {
  const Lock lock(all().mutex);
  const auto first = all().events.find(begin), last = all().events.find(end);
  if (first == all().events.end() || last == all().events.end())
    return bad_call("an unknown event", kInvalidHandle);
  if (!first->second->timed || !last->second->timed) return bad_call("an event without time", kInvalidHandle);
  if (!first->second->done || !last->second->done) return kNotReady;
  *ms = static_cast<float>(last->second->time - first->second->time);
  return 0;
}

int load_module(void** module, const char* image) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (kVendor == Vendor::kHip && std::memcmp(image, "fake hip", 8) != 0) return kNoBinary;
  if (kVendor == Vendor::kHip && version() < 70200000) return kNoBinary;
  if (kVendor == Vendor::kCuda && std::string(image) != "fake cuda") return kInvalidKernelFile;
  auto made = std::make_unique<Module>();
  made->device = current_device;
  made->image = image;
  *module = made.get();
  all().modules[*module] = std::move(made);
  ++all().state.modules;
  return 0;
}

int unload_module(void* module) {
  const Lock lock(all().mutex);
  for (const auto& [handle, stream] : all().streams)
    if (!stream->queue.empty()) bad_call("unloading a module while something is queued", 0);
  if (all().modules.erase(module) == 0) return bad_call("an unknown module", kInvalidHandle);
  --all().state.modules;
  return require_current();
}

int get_function(void** function, void* module, const char* name) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  const auto found = all().modules.find(module);
  if (found == all().modules.end()) return bad_call("an unknown module", kInvalidHandle);
  const std::string wanted = name;
  if (wanted != "add" && wanted != "store" && wanted != "trap") return kNotFound;
  all().functions.push_back({wanted, found->second->device, found->second->image});
  *function = &all().functions.back();
  return 0;
}

int allow_lds(void* function, int bytes) {
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  auto* found = static_cast<Function*>(function);
  found->lds_bytes = static_cast<unsigned>(bytes);
  all().state.lds_allowed = std::max(all().state.lds_allowed, static_cast<uint64_t>(bytes));
  return 0;
}

namespace {

template <typename Value>
Value argument(void** arguments, size_t i) {
  Value value;
  std::memcpy(&value, arguments[i], sizeof value);
  return value;
}

std::function<int()> add(void** arguments) {
  const auto address = argument<uint64_t>(arguments, 0);
  const auto n = argument<uint32_t>(arguments, 1), value = argument<uint32_t>(arguments, 2);
  return [=] {
    std::byte* data = find_memory(address, n * sizeof(uint32_t));
    if (!data) return 700;
    for (size_t i = 0; i < n; ++i) {
      uint32_t word;
      std::memcpy(&word, data + 4 * i, 4);
      word += value;
      std::memcpy(data + 4 * i, &word, 4);
    }
    return 0;
  };
}

std::function<int()> store(void** arguments) {
  struct Values {
    uint64_t address;
    std::array<uint32_t, 5> words;
  };
  const auto values = argument<Values>(arguments, 0);
  return [=] {
    std::byte* data = find_memory(values.address, sizeof values.words);
    if (!data) return 700;
    std::memcpy(data, values.words.data(), sizeof values.words);
    return 0;
  };
}

}  // namespace

int launch(void* function, Size grid, Size block, unsigned lds_bytes, void* stream, void** arguments) {
  State& s = state();
  const Lock lock(all().mutex);
  if (const int result = require_current()) return result;
  if (last_error != 0) return bad_call("a launch after an error that was not cleared", last_error);
  if (s.launch_result != 0) return static_cast<int>(s.launch_result);
  const auto& kernel = *static_cast<Function*>(function);
  if (kernel.device != current_device) return bad_call("a kernel of another device", kInvalidHandle);
  if (kVendor == Vendor::kHip && std::memcmp(kernel.image, "fake hip", 8) != 0)
    return bad_call("a launch from an image that is gone", kNoBinary);
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x * block.y * block.z > 1024)
    return bad_call("a bad shape", kInvalidValue);
  if (kVendor == Vendor::kCuda && lds_bytes > kernel.lds_bytes)
    return bad_call("LDS that was not allowed", 1);
  const std::string name = kernel.name;
  const std::function<int()> body = name == "add" ? add(arguments)
                                    : name == "store"
                                        ? store(arguments)
                                        : [] { return static_cast<int>(all().state.fault_result); };
  return enqueue(stream, [body] {
    if (all().n_launches++ == all().state.fail_launch_at) return static_cast<int>(all().state.fault_result);
    ++all().state.launches;
    return body();
  });
}

}  // namespace fake_driver

extern "C" {

fake_driver::State* fake_driver_state() {
  return &fake_driver::state();
}

void fake_driver_hold(int is_held, int n_inside) {
  using fake_driver::all;
  std::unique_lock lock(all().mutex);
  all().is_held = is_held != 0;
  all().changed.notify_all();
  all().changed.wait(lock, [&] { return all().n_inside == n_inside; });
}

void fake_driver_reset() {
  using namespace fake_driver;
  State& s = state();
  State fresh;
  fresh.contexts = s.contexts;
  fresh.streams = s.streams;
  fresh.events = s.events;
  fresh.modules = s.modules;
  fresh.blocks = s.blocks;
  fresh.host_blocks = s.host_blocks;
  fresh.device_bytes = s.device_bytes;
  fresh.host_bytes = s.host_bytes;
  std::copy(std::begin(s.bytes_of_device), std::end(s.bytes_of_device), std::begin(fresh.bytes_of_device));
  s = fresh;
  all().faults.fill(0);
  all().n_copies = all().n_launches = 0;
  last_error = 0;
}
}
