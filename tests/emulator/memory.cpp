#include "emulator/memory.h"

#include <cstring>
#include <fmt/core.h>
#include <new>

namespace halyard::emulator {

const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return "device memory";
    case MemoryKind::kHost:
      return "pinned host memory";
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kRegistered:
      return "registered host memory";
    case MemoryKind::kCode:
      return "code object";
    case MemoryKind::kArguments:
      return "kernel arguments";
  }
  return "memory";
}

std::string describe(const Allocation& a) {
  return fmt::format("allocation {} ({}, {} bytes at {:#x})", a.number, name_of(a.kind), a.bytes, a.address);
}

Allocation* Memory::allocate(uint64_t bytes, MemoryKind kind) {
  if (bytes > capacity_bytes_ - used_bytes_) return nullptr;
  auto made = std::make_unique<Allocation>();
  const uint64_t block_bytes = bytes + 2 * kGuardBytes + kAlignment;
  made->block.reset(new (std::nothrow) uint8_t[block_bytes]);
  const bool seen =
      kind == MemoryKind::kDevice || kind == MemoryKind::kCode || kind == MemoryKind::kArguments;
  if (seen) made->map.reset(new (std::nothrow) uint8_t[bytes + kAlignment]());
  if (!made->block || (seen && !made->map)) return nullptr;
  const uint64_t first = reinterpret_cast<uint64_t>(made->block.get()) + kGuardBytes;
  made->address = (first + kAlignment - 1) / kAlignment * kAlignment;
  made->bytes = bytes;
  made->kind = kind;
  made->written = made->map.get();
  made->number = ++n_made_;
  std::memset(made->data(), 0xff, bytes);
  used_bytes_ += bytes;
  const uint64_t address = made->address;
  return (allocations_[address] = std::move(made)).get();
}

Allocation* Memory::adopt(void* data, uint64_t bytes) {
  const uint64_t address = reinterpret_cast<uint64_t>(data);
  const auto behind = allocations_.lower_bound(address);
  if (behind != allocations_.end() && behind->first < address + bytes) return nullptr;
  if (find(address) != nullptr) return nullptr;
  auto made = std::make_unique<Allocation>();
  made->address = address;
  made->bytes = bytes;
  made->kind = MemoryKind::kRegistered;
  made->number = ++n_made_;
  return (allocations_[address] = std::move(made)).get();
}

bool Memory::release(uint64_t address) {
  const auto at = allocations_.find(address);
  if (at == allocations_.end()) return false;
  if (at->second->kind != MemoryKind::kRegistered) used_bytes_ -= at->second->bytes;
  released_[address] = describe(*at->second);
  allocations_.erase(at);
  return true;
}

Allocation* Memory::find(uint64_t address) {
  auto at = allocations_.upper_bound(address);
  if (at == allocations_.begin()) return nullptr;
  --at;
  return at->second->holds(address, 1) ? at->second.get() : nullptr;
}

std::string Memory::neighbourhood(uint64_t address) const {
  const auto behind = allocations_.upper_bound(address);
  std::string text = "no allocation is near";
  uint64_t best = UINT64_MAX;
  if (behind != allocations_.end()) {
    best = behind->first - address;
    text = fmt::format("{} bytes before {}", best, describe(*behind->second));
  }
  if (behind != allocations_.begin()) {
    const Allocation& before = *std::prev(behind)->second;
    const uint64_t gap = address - (before.address + before.bytes);
    if (gap < best) text = fmt::format("{} bytes behind the end of {}", gap, describe(before));
  }
  const auto old = released_.upper_bound(address);
  if (old != released_.begin() && std::prev(old)->first == address) {
    text += "; " + std::prev(old)->second + " was there and is released";
  }
  return text;
}

}  // namespace halyard::emulator
