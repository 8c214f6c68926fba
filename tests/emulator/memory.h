// The device's memory. A device address is the host's address of the same byte, so that pinned and managed
// memory have one address on both sides. Every allocation has guard bytes around it that belong to nobody, is
// filled with 0xff (a NaN of every float format) and has a map of the bytes that were written.
//
// Thread-safe between launches only: who allocates or releases must hold off launches (device.h has the
// mutex).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace halyard::emulator {

enum class MemoryKind { kDevice, kHost, kManaged, kRegistered, kCode, kArguments };
const char* name_of(MemoryKind kind);

struct Allocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  uint8_t* written =
      nullptr;          // one byte each, 1: written. Null: the host writes it unseen, all counts as written
  uint64_t number = 0;  // in order of allocation, for reports
  std::unique_ptr<uint8_t[]> block, map;  // what is owned; registered memory is the caller's

  bool holds(uint64_t first, uint64_t n) const {
    return first >= address && n <= bytes && first - address <= bytes - n;
  }
  uint8_t* data() const { return reinterpret_cast<uint8_t*>(address); }
};

class Memory {
 public:
  static constexpr uint64_t kGuardBytes = 64 * 1024;  // a row too far falls into it
  static constexpr uint64_t kAlignment = 256;

  explicit Memory(uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}

  // Null when there is no room. `bytes` may be 0. Valid until released.
  Allocation* allocate(uint64_t bytes, MemoryKind kind);
  // Memory of the caller; null when it overlaps an allocation.
  Allocation* adopt(void* data, uint64_t bytes);
  // False when no allocation begins there.
  bool release(uint64_t address);

  // The allocation that holds this byte, or null.
  Allocation* find(uint64_t address);
  // "4 bytes behind allocation 7 (device memory, 4096 bytes at 0x7f0000000000)", for an address that nothing
  // holds.
  std::string neighbourhood(uint64_t address) const;

  uint64_t capacity_bytes() const { return capacity_bytes_; }
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  std::map<uint64_t, std::unique_ptr<Allocation>> allocations_;  // by address
  std::map<uint64_t, std::string> released_;                     // what was there last, by address
  uint64_t capacity_bytes_, used_bytes_ = 0, n_made_ = 0;
};

// "allocation 7 (device memory, 4096 bytes at 0x7f0000000000)"
std::string describe(const Allocation& allocation);

}  // namespace halyard::emulator
