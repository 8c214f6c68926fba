// Tensors into arenas: which pool, which allocation, which offset.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "planner/plan.h"

namespace halyard {

// What is left of a pool while a plan is made.
struct Room {
  Pool pool = Pool::kDedicated;
  uint64_t left_bytes = 0;
  uint64_t largest_block_bytes = 0;  // never 0

  bool takes(uint64_t bytes) const { return bytes <= left_bytes && bytes <= largest_block_bytes; }
};

uint64_t align_up(uint64_t bytes);  // to kTensorAlignment

// The model's tensors that are present, in the order of the files.
std::vector<const Tensor*> present_tensors(const Model& model);

struct WeightsLayout {
  std::vector<Arena> arenas;
  std::vector<TensorPlace> places;                // in the order of `tensors`
  std::vector<const Tensor*> unplaced;            // no room has space for them
  const Tensor* larger_than_any_block = nullptr;  // the first of those that no allocation could hold
};

// Takes from `rooms` in their order, large tensors first, so that small ones fill what those leave. Each
// arena is as large as what it holds, and not larger than kMaxArenaBytes or the pool's largest block: a
// tensor between the two has an arena of its own.
WeightsLayout lay_out_weights(std::span<const Tensor* const> tensors, std::span<Room> rooms);

}  // namespace halyard
