#include "backend/cpu/products.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace halyard::cpu {
namespace {

constexpr size_t kMaxTileRows = 32;

// Rows of a tile, a multiple of the kernels' four.
uint64_t tile_rows(const Product& product) {
  if (product.inputs.size() == 1) return kMaxTileRows;  // nothing is stored
  return std::clamp<uint64_t>(kTileValues / product.weights->row_values() / 4 * 4, 4, kMaxTileRows);
}

}  // namespace

const FormatKernels* find_kernels(const Kernels& kernels, Format format) {
  const std::span formats{kernels.formats, kernels.n_formats};
  const auto row = std::find_if(formats.begin(), formats.end(),
                                [&](const FormatKernels& k) { return k.format == format; });
  return row == formats.end() ? nullptr : &*row;
}

Multiplier::Multiplier(const Kernels& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), tiles_(pool.size()) {}

void Multiplier::run(std::span<const Product> products) {
  std::vector<uint64_t> ends;  // tiles up to and with each product
  uint64_t n_tiles = 0;
  for (const Product& p : products) {
    if (!p.inputs.empty()) n_tiles += (p.n_rows + tile_rows(p) - 1) / tile_rows(p);
    ends.push_back(n_tiles);
  }
  // Tiles cost differently (experts have different numbers of tokens): threads take them one by one.
  std::atomic<uint64_t> next{0};
  pool_.parallel_for(pool_.size(), 1, [&](size_t, size_t, unsigned thread) {
    for (uint64_t i = next++; i < n_tiles; i = next++) {
      const auto p = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin());
      const uint64_t rows = tile_rows(products[p]);
      const uint64_t first = (i - (p == 0 ? 0 : ends[p - 1])) * rows;
      run_tile(products[p], first, std::min(rows, products[p].n_rows - first), tiles_[thread]);
    }
  });
}

void Multiplier::run_tile(const Product& product, uint64_t first, uint64_t n_rows, Floats& tile) const {
  const Tensor& weights = *product.weights;
  const FormatKernels& format = *find_kernels(kernels_, weights.format);
  const size_t n_values = weights.row_values(), row_bytes = weights.row_bytes();
  const std::byte* at = weights.data + (product.first_row + first) * row_bytes;
  float* y = product.outputs + first;
  if (product.inputs.size() == 1) {
    format.dot(at, row_bytes, n_rows, product.inputs[0], n_values, y);
    return;
  }
  if (tile.size() < n_rows * n_values) tile.resize(n_rows * n_values);
  std::array<const float*, kMaxTileRows> rows{};
  for (size_t r = 0; r < n_rows; ++r) {
    format.decode(at + r * row_bytes, &tile[r * n_values], n_values);
    rows[r] = &tile[r * n_values];
  }
  kernels_.multiply(rows.data(), n_rows, product.inputs.data(), product.inputs.size(), n_values, y,
                    product.stride);
}

}  // namespace halyard::cpu
