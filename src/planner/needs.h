// What a session takes beside the weights: KV cache, scratch and optional caches, and where it goes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "planner/arenas.h"
#include "planner/plan.h"

namespace halyard {

// Allocations of one purpose.
struct Need {
  Purpose purpose = Purpose::kScratch;
  std::vector<uint64_t> pieces;  // bytes of each allocation; none is cut
  uint64_t divisible_bytes = 0;  // may lie anywhere, in allocations of any size
  uint64_t bytes() const;
};

// In the order in which they are placed: KV cache, then scratch.
std::vector<Need> session_needs(const PlanRequest& request, uint64_t context_tokens, uint32_t slice_tokens);

struct Placement {
  std::vector<PlanItem> items;
  uint64_t unplaced_bytes = 0;
  uint64_t largest_unplaced_bytes = 0;  // the largest piece that found no room
  bool all() const { return unplaced_bytes == 0; }
};

// Takes from `rooms` in their order.
Placement place(std::span<const Need> needs, std::span<Room> rooms);

}  // namespace halyard
