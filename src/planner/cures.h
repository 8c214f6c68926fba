// The words of a refusal: what is needed, what is there, and what to do on that system.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/plan.h"

namespace halyard {

std::string size_text(uint64_t bytes);   // "80.76 GiB", "12.50 MiB" below one GiB, "300 bytes" below one KiB
std::string exact_text(uint64_t bytes);  // "80.76 GiB (86720111488 bytes)"

struct Refusal {
  const PlanRequest& request;
  std::span<const PoolRoom> pools;
  uint64_t weights_bytes = 0, cache_bytes = 0, scratch_bytes = 0;  // at that context and slice
  uint64_t context_tokens = 0;
  uint32_t slice_tokens = 0;
  // With the slice that was asked for, and some context where none was: what a cure should make room for.
  uint64_t wanted_bytes = 0;
  uint64_t there_bytes = 0;  // usable, within the limit
  // The largest context that fits, and the slice that it needs; 0: none does.
  uint64_t fitting_context = 0;
  uint32_t fitting_slice = 0;
  const Tensor* larger_than_any_block = nullptr;
  uint64_t largest_unplaced_bytes = 0;  // of one piece, where only the pieces find no place

  uint64_t needed_bytes() const { return weights_bytes + cache_bytes + scratch_bytes; }
};

std::string problem_text(const Refusal& refusal);
std::string fix_text(const Refusal& refusal);

// What to do where a device refuses an allocation that should have fitted.
std::string late_failure_fix(const DeviceFacts& facts);

}  // namespace halyard
