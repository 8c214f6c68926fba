#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

// Half a block of the weights with its share of the activations: what one lane has in flight.
struct Q8HalfBlock {
  Word4 w, x;
  float scale;
};

struct Q8Rows {
  const uint8_t* w;
  const int8_t* x;
  const float* x_scale;
  uint32_t n_blocks;
};

// Lanes 2i and 2i + 1 share a block: 16 bytes of weights each, so a wave reads 544 bytes in a row. Beyond the
// row it reads the last block again, with scale 0: no lane leaves, and the loads of several steps go out
// together.
HALYARD_DEVICE Q8HalfBlock load_half_block(const Q8Rows& rows, uint32_t first) {
  constexpr uint32_t kBytes = MatvecQ8_0Arguments::kBlockBytes;
  const uint32_t wanted = first + lane() / 2, half = lane() % 2;
  const uint32_t block = smaller(wanted, rows.n_blocks - 1);
  const uint8_t* w = rows.w + uint64_t{block} * kBytes;
  Q8HalfBlock loaded;
  loaded.w = load16_from_even(w + 2 + 16 * half);
  loaded.x = load16<Word4>(rows.x + uint64_t{block} * 32 + 16 * half);
  const float scale = static_cast<float>(load_half(w)) * rows.x_scale[block];
  loaded.scale = wanted < rows.n_blocks ? scale : 0.0f;
  return loaded;
}

HALYARD_DEVICE float product(const Q8HalfBlock& block) {
  int32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum = dot4(block.w[i], block.x[i], sum);
  return static_cast<float>(sum) * block.scale;
}

// A wave a row. Waves behind the last row do that row again and do not store.
HALYARD_KERNEL(MatvecQ8_0Arguments::kThreads) matvec_q8_0(const MatvecQ8_0Arguments a) {
  constexpr uint32_t kStep = kWaveLanes / 2, kInFlight = 4;
  const uint32_t row = block_x() * MatvecQ8_0Arguments::kRowsPerBlock + wave_in_block();
  const uint32_t read_row = smaller(row, a.n_rows - 1);
  const uint64_t vector = block_y();
  const Q8Rows rows = {a.w + uint64_t{read_row} * a.n_blocks * MatvecQ8_0Arguments::kBlockBytes,
                       a.x_q + vector * a.n_blocks * 32, a.x_scale + vector * a.n_blocks, a.n_blocks};
  float sum = 0.0f;
  for (uint32_t first = 0; first < a.n_blocks; first += kStep * kInFlight) {
    Q8HalfBlock blocks[kInFlight];
#pragma unroll
    for (uint32_t i = 0; i < kInFlight; ++i) blocks[i] = load_half_block(rows, first + i * kStep);
#pragma unroll
    for (uint32_t i = 0; i < kInFlight; ++i) sum += product(blocks[i]);
  }
  sum = wave_reduce<Sum>(sum);
  if (lane() == 0 && row < a.n_rows) a.y[vector * a.n_rows + row] = sum;
}

}  // namespace halyard::gpu
