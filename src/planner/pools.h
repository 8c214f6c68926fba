// Which pools of a device count, how large they are believed to be, and what a plan may take of them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.h"

namespace halyard {

// Left to system and desktop where weights live in the same memory as they: out of what the system says is
// available, or out of the whole where that is not known. Never more than a quarter of it.
inline constexpr uint64_t kAvailableReserveBytes = uint64_t{6} << 30;
inline constexpr uint64_t kHostReserveBytes = uint64_t{8} << 30;
// Left of memory that only the GPU uses: picture buffers, the driver's own, the grain of its blocks.
inline constexpr uint64_t kDedicatedReserveBytes = uint64_t{1} << 30;

// `reserve`, or where that is not given `usual`, but a quarter of `bytes` at most. Never more than `bytes`.
uint64_t reserve_of(uint64_t bytes, uint64_t usual, const std::optional<uint64_t>& reserve);

struct BelievedPools {
  std::vector<PoolRoom> rooms;  // in the order in which they are filled
  std::vector<std::string> notes;
};

// Integrated devices: carve-out and shared pool. Discrete ones: dedicated memory alone. Neither (the CPU):
// host memory. A pool that neither driver nor system nor an override gives a size is left out, with a note.
BelievedPools believed_pools(const DeviceFacts& facts, const std::map<Pool, uint64_t>& overrides,
                             const std::optional<uint64_t>& reserve);

}  // namespace halyard
