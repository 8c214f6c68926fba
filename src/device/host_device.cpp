#include "device/host_device.h"

#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <new>

#include "halyard/error.h"

namespace halyard {
namespace {

constexpr std::align_val_t kAlignment{4096};
constexpr const char* kName = "host";
// What pointers of one block can be apart; more than that no allocator is asked for.
constexpr uint64_t kMostBytes = std::numeric_limits<ptrdiff_t>::max();

uint64_t address_of(const void* memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

}  // namespace

HostDevice::~HostDevice() {
  for (const auto& [address, bytes] : blocks_) ::operator delete(host_pointer(address), kAlignment);
}

std::byte* HostDevice::take(uint64_t bytes) {
  if (bytes == 0) throw Error(ErrorCode::kUsage, "a block of 0 bytes", kName, "ask for at least one byte");
  const bool refused =
      bytes > kMostBytes || (facts_.host_total_bytes != 0 && bytes > facts_.host_total_bytes);
  void* memory = refused ? nullptr : ::operator new(static_cast<size_t>(bytes), kAlignment, std::nothrow);
  if (!memory) {
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("{} bytes of host memory refused ({} bytes in all, {} available at start)", bytes,
                            facts_.host_total_bytes, facts_.host_available_bytes),
                kName, "close other programs, take a smaller file or --ctx, or let the file be mapped");
  }
  const std::lock_guard lock(mutex_);
  blocks_[address_of(memory)] = bytes;
  return static_cast<std::byte*>(memory);
}

void HostDevice::give(const void* memory) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (blocks_.erase(address_of(memory)) == 0) return;
  }
  ::operator delete(const_cast<void*>(memory), kAlignment);
}

Block HostDevice::allocate(Pool pool, uint64_t bytes) {
  if (pool != Pool::kHostPinned) {
    throw Error(ErrorCode::kUnsupported, fmt::format("the host has no {} memory", pool_name(pool)), kName,
                fmt::format("use {} memory", pool_name(Pool::kHostPinned)));
  }
  return Block{address_of(take(bytes)), bytes, pool};
}

void HostDevice::release(const Block& block) noexcept {
  give(host_pointer(block.address));
}

std::span<std::byte> HostDevice::allocate_pinned(size_t bytes) {
  return {take(bytes), bytes};
}

void HostDevice::release_pinned(std::span<std::byte> memory) noexcept {
  give(memory.data());
}

void HostDevice::check(uint64_t address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(address);
  if (after != blocks_.begin()) {
    const auto& [begin, size] = *std::prev(after);
    if (address - begin <= size && bytes <= size - (address - begin)) return;
  }
  throw Error(ErrorCode::kDevice,
              fmt::format("access to {} bytes at {:#x} is not inside one block", bytes, address), kName,
              "this is a fault of the program: please report it");
}

void HostDevice::copy_to_device(uint64_t address, std::span<const std::byte> source) {
  check(address, source.size());
  if (!source.empty()) std::memcpy(host_pointer(address), source.data(), source.size());
}

void HostDevice::copy_to_host(std::span<std::byte> out, uint64_t address) {
  check(address, out.size());
  if (!out.empty()) std::memcpy(out.data(), host_pointer(address), out.size());
}

}  // namespace halyard
