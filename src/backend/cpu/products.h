// Products of weights and activations: rows are decoded once, a tile at a time, and used for all tokens.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "backend/cpu/floats.h"
#include "backend/cpu/kernels.h"
#include "backend/model.h"
#include "core/threads.h"

namespace halyard::cpu {

// outputs[t * stride + r] = sum_i W[first_row + r][i] inputs[t][i] for r < n_rows. The weights have kernels.
struct Product {
  const Tensor* weights;
  uint64_t first_row, n_rows;
  std::span<const float* const> inputs;  // one a token
  float* outputs;
  size_t stride;
};

// Values of a thread's tile of decoded rows: 256 KiB, so that it stays in the second-level cache.
inline constexpr size_t kTileValues = size_t{64} << 10;

// Null when the table has no row for the format.
const FormatKernels* find_kernels(const Kernels& kernels, Format format);

class Multiplier {
 public:
  Multiplier(const Kernels& kernels, ThreadPool& pool);

  // All products, as one loop over their tiles of rows. Outputs do not overlap and are no inputs.
  void run(std::span<const Product> products);

 private:
  void run_tile(const Product& product, uint64_t first, uint64_t n_rows, Floats& tile) const;

  const Kernels& kernels_;
  ThreadPool& pool_;
  std::vector<Floats> tiles_;  // one a thread
};

}  // namespace halyard::cpu
