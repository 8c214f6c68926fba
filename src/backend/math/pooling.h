// Pooling of a compressor's window into one row (spec B.8).
#pragma once
#include <cstdint>
#include <span>

namespace halyard {

// One slot of a window: a token's projections of one row's width; the gate has its ape added.
struct PoolSlot {
  const float* kv;
  const float* gate;
};

// row[d] = sum_j softmax_j(gate_j[d]) kv_j[d]: a softmax for each dimension over the slots. At least one
// slot.
void pool_window(std::span<const PoolSlot> slots, std::span<float> row);

}  // namespace halyard
