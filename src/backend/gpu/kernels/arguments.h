// What each kernel takes, as host and device both see it. A kernel has one parameter, its structure, by
// value: the host passes the address of one, so the two sides cannot disagree on an offset. Addresses are of
// the device.
//
// Each structure says its kernel's name, the threads of a block, and the grid; and what the kernel computes.
// Matrices are row by row without gaps. Outputs do not overlap inputs unless it says so. Sums have a fixed
// order.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace halyard::gpu {

struct Grid {
  uint32_t x, y;
};

constexpr uint32_t blocks_for(uint64_t items, uint32_t per_block) {
  return static_cast<uint32_t>((items + per_block - 1) / per_block);
}

// y[r] = x[r] / sqrt(mean(x[r]^2) + epsilon) * weight, for rows of n values; weight may be null (all ones)
// and y may be x. One block a row. Rows are read 16 bytes at a time when n is a multiple of 4 and the
// addresses are of 16.
struct RmsNormArguments {
  static constexpr const char* kKernel = "rms_norm";
  static constexpr uint32_t kThreads = 256;
  float* y;             // [n_rows][n]
  const float* x;       // [n_rows][n]
  const float* weight;  // [n] or null
  uint32_t n_rows, n;   // both at least 1
  float epsilon;
  uint32_t reserved;
  constexpr Grid grid() const { return {n_rows, 1}; }
};
static_assert(sizeof(RmsNormArguments) == 40 && offsetof(RmsNormArguments, epsilon) == 32);

// Blocks of 32 values as bytes and a scale: x ~ q * scale, scale = max|x| / 127, q rounded to nearest. The
// blocks of all rows lie one after the other. A block with no magnitude above 2^-100 becomes zero. x is
// finite.
struct QuantizeQ8Arguments {
  static constexpr const char* kKernel = "quantize_q8";
  static constexpr uint32_t kThreads = 256, kBlockValues = 32, kBlocksPerBlock = 32;
  int8_t* q;          // [n_blocks][32], a multiple of 16
  float* scale;       // [n_blocks]
  const float* x;     // [n_blocks][32], a multiple of 16
  uint64_t n_blocks;  // at least 1
  constexpr Grid grid() const { return {blocks_for(n_blocks, kBlocksPerBlock), 1}; }
};
static_assert(sizeof(QuantizeQ8Arguments) == 32);

// y[v][r] = sum over k of w[r][k] * x[v][k]: w in Q8_0, x as quantize_q8 made it. For few vectors: w is read
// again for each. One wave a row, the products of a block summed in integers.
struct MatvecQ8_0Arguments {
  static constexpr const char* kKernel = "matvec_q8_0";
  static constexpr uint32_t kThreads = 256, kRowsPerBlock = kThreads / 32;
  static constexpr uint32_t kBlockBytes = 34, kBlockValues = 32;  // half scale, 32 signed bytes
  float* y;                                                       // [n_vectors][n_rows]
  const uint8_t* w;      // [n_rows][n_blocks] blocks of 34 bytes, an even address
  const int8_t* x_q;     // [n_vectors][n_blocks][32], a multiple of 16
  const float* x_scale;  // [n_vectors][n_blocks]
  uint32_t n_rows;       // all three at least 1
  uint32_t n_blocks;     // of a row
  uint32_t n_vectors;    // below 65,536
  uint32_t reserved;
  constexpr Grid grid() const { return {blocks_for(n_rows, kRowsPerBlock), n_vectors}; }
};
static_assert(sizeof(MatvecQ8_0Arguments) == 48 && offsetof(MatvecQ8_0Arguments, n_rows) == 32);

// y[t][r] = sum over k of x[t][k] * w[r][k]: x in f16, w in IQ2_XXS rounded to f16 on the way into LDS, sums
// in float32 by the matrix unit. A block of threads makes 64 x 64 results.
struct TileIq2XxsArguments {
  static constexpr const char* kKernel = "tile_iq2_xxs";
  static constexpr uint32_t kThreads = 128, kTileTokens = 64, kTileRows = 64;
  static constexpr uint32_t kBlockBytes = 66, kBlockValues = 256;  // half scale, 8 groups of 8 bytes
  float* y;                                                        // [n_tokens][n_rows]
  const uint8_t* w;           // [n_rows][n_blocks] blocks of 66 bytes, an even address
  const uint16_t* x;          // halves [n_tokens][256 n_blocks], a multiple of 16
  uint32_t n_tokens;          // all three at least 1; n_tokens at most 4,194,240
  uint32_t n_rows, n_blocks;  // n_blocks: of a row
  uint32_t reserved;
  constexpr Grid grid() const { return {blocks_for(n_rows, kTileRows), blocks_for(n_tokens, kTileTokens)}; }
};
static_assert(sizeof(TileIq2XxsArguments) == 40 && offsetof(TileIq2XxsArguments, n_tokens) == 24);

// y[r] = the sum, or the largest, of row r. One wave a row.
struct WaveReduceArguments {
  static constexpr const char* kSumKernel = "wave_sum";
  static constexpr const char* kMaxKernel = "wave_max";
  static constexpr uint32_t kThreads = 256, kRowsPerBlock = kThreads / 32;
  float* y;            // [n_rows]
  const float* x;      // [n_rows][n]
  uint32_t n_rows, n;  // both at least 1
  constexpr Grid grid() const { return {blocks_for(n_rows, kRowsPerBlock), 1}; }
};
static_assert(sizeof(WaveReduceArguments) == 24);

// y[r][i] = exp(scale x[r][i] - m) / (sum over j of exp(scale x[r][j] - m) + exp(sink[r % n_sinks] - m)), m
// the largest exponent: attention's softmax, whose sink takes weight and has no value. No sink when `sink` is
// null. y may be x. Scores may be -infinity (masked), not all of a row unless it has a sink. scale > 0. One
// block a row.
struct SoftmaxArguments {
  static constexpr const char* kKernel = "softmax";
  static constexpr uint32_t kThreads = 256;
  float* y;            // [n_rows][n]
  const float* x;      // [n_rows][n]
  const float* sink;   // [n_sinks] or null
  uint32_t n_rows, n;  // both at least 1
  uint32_t n_sinks;    // at least 1 when there is a sink
  float scale;
  constexpr Grid grid() const { return {n_rows, 1}; }
};
static_assert(sizeof(SoftmaxArguments) == 40 && offsetof(SoftmaxArguments, scale) == 36);

}  // namespace halyard::gpu
