// The rounding of cached rows that the official model was trained with (spec B.10), and the Hadamard
// transform before it.
#pragma once
#include <span>

namespace halyard {

// FP8 E4M3 in blocks of 64 values with a power-of-two scale, in place; the last block may be shorter. Takes
// the unrotated values of a KV row; the row is then stored as F16.
void round_fp8_blocks(std::span<float> values);
// FP4 E2M1 in blocks of 32, in place: indexer queries and rows, after the Hadamard transform.
void round_fp4_blocks(std::span<float> values);

// x H / sqrt(n) in Sylvester order, in place; n = x.size() is a power of two.
void hadamard(std::span<float> x);

}  // namespace halyard
