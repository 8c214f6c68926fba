// Op tests of the tile products, against the reference decoder and plain loops in double.
#include <array>

#include "core/blocks.h"
#include "core/half.h"
#include "core/quant.h"
#include "kernels_test.h"

namespace halyard {
namespace {

constexpr uint32_t kSeed = 20261202;

struct TileCase {
  uint32_t n_tokens, n_rows, n_blocks;
  float d;             // largest scale of a block
  uint64_t shift = 0;  // of the weights from a multiple of 256 bytes
};

std::vector<uint8_t> random_iq2_xxs(uint32_t seed, uint64_t n_blocks, float d) {
  auto bytes = random_bytes(seed, n_blocks * sizeof(BlockIQ2_XXS));
  const auto scales = random_floats(seed + 1, n_blocks, d);
  for (uint64_t b = 0; b < n_blocks; ++b) {
    const uint16_t half = float_to_half(scales[b]);
    std::memcpy(&bytes[b * sizeof(BlockIQ2_XXS)], &half, sizeof half);
  }
  return bytes;
}

// Matrices in float, as the reference decoder has them.
struct Operands {
  std::vector<float> x, w;  // [n_tokens][k], [n_rows][k]
  uint64_t k;
};

struct Products {
  std::vector<double> y, magnitude;  // [n_tokens][n_rows]; the sums, and those of the magnitudes
};

Products multiply(const Operands& operands, const TileCase& shape) {
  Products products;
  for (uint32_t t = 0; t < shape.n_tokens; ++t) {
    for (uint32_t r = 0; r < shape.n_rows; ++r) {
      double sum = 0, size = 0;
      for (uint64_t k = 0; k < operands.k; ++k) {
        const double term = double{operands.x[t * operands.k + k]} * double{operands.w[r * operands.k + k]};
        sum += term;
        size += std::abs(term);
      }
      products.y.push_back(sum);
      products.magnitude.push_back(size);
    }
  }
  return products;
}

class TileIq2Test : public KernelTest, public testing::WithParamInterface<TileCase> {
 protected:
  std::vector<float> run(const TileCase& shape, const std::vector<uint8_t>& w,
                         const std::vector<uint16_t>& x) {
    const DeviceInput<uint8_t> device_w(device(), w, shape.shift);
    const DeviceInput<uint16_t> device_x(device(), x);
    DeviceOutput<float> y(device(), uint64_t{shape.n_tokens} * shape.n_rows);
    launch("tile_iq2_xxs", gpu::TileIq2XxsArguments{.y = y.pointer(),
                                                    .w = device_w.pointer(),
                                                    .x = device_x.pointer(),
                                                    .n_tokens = shape.n_tokens,
                                                    .n_rows = shape.n_rows,
                                                    .n_blocks = shape.n_blocks,
                                                    .reserved = 0});
    return y.read();
  }
};

TEST_P(TileIq2Test, IsTheDecodersProduct) {
  const TileCase shape = GetParam();
  Operands operands{{}, {}, uint64_t{shape.n_blocks} * 256};
  const auto w = random_iq2_xxs(kSeed + shape.n_rows, uint64_t{shape.n_rows} * shape.n_blocks, shape.d);
  operands.w.resize(shape.n_rows * operands.k);
  format_info(Format::kIQ2_XXS)
      .decode(reinterpret_cast<const std::byte*>(w.data()), operands.w.data(), operands.w.size());
  std::vector<uint16_t> x;
  for (float v : random_floats(kSeed + 2, shape.n_tokens * operands.k)) {
    x.push_back(float_to_half(v));
    operands.x.push_back(half_to_float(x.back()));
  }
  const std::vector<float> got = run(shape, w, x);

  const Products exact = multiply(operands, shape);
  for (float& v : operands.w) v = half_to_float(float_to_half(v));  // what the matrix unit gets
  const Products rounded = multiply(operands, shape);
  expect_close("tile_iq2_xxs", got, rounded.y, rounded.magnitude, 2e-6);
  expect_close("tile_iq2_xxs (to the exact weights)", got, exact.y, exact.magnitude, 3e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, TileIq2Test,
    testing::Values(TileCase{1, 1, 1, 0.01f}, TileCase{2, 3, 1, 0.01f, 2}, TileCase{16, 17, 2, 0.01f},
                    TileCase{63, 65, 1, 0.5f}, TileCase{64, 64, 3, 0.01f, 2}, TileCase{65, 63, 2, 0.01f},
                    TileCase{33, 70, 1, 4e-5f},       // scales below the smallest normal half
                    TileCase{70, 136, 8, 0.01f},      // K = 2048
                    TileCase{33, 256, 16, 0.002f}));  // Flash: gate and up of the experts, K = 4096

// One weight of one row meets one value of one token, so a transposed or shifted tile cannot pass.
TEST_F(TileIq2Test, EachElementMeetsItsOwn) {
  constexpr uint32_t kTokens = 40, kRows = 48;
  const TileCase shape{kTokens, kRows, 1, 0};
  std::vector<uint8_t> w(kRows * sizeof(BlockIQ2_XXS), 0);
  std::vector<float> decoded(kRows * 256);
  for (uint32_t r = 0; r < kRows;
       ++r) {  // the first octet in all places: 8 scale; each row has a scale of its own
    const uint16_t d = float_to_half(static_cast<float>(r + 1));
    std::memcpy(&w[r * sizeof(BlockIQ2_XXS)], &d, sizeof d);
    w[r * sizeof(BlockIQ2_XXS) + 2 + 8 * (r % 8) + 7] = 0xf0;  // the largest scale for one group of 32
  }
  format_info(Format::kIQ2_XXS)
      .decode(reinterpret_cast<const std::byte*>(w.data()), decoded.data(), decoded.size());
  std::vector<uint16_t> x(kTokens * 256, 0);
  for (uint32_t t = 0; t < kTokens; ++t)
    x[t * 256 + t * 37 % 256] = float_to_half(static_cast<float>(t) - 11.5f);
  const auto y = run(shape, w, x);
  for (uint32_t t = 0; t < kTokens; ++t) {
    for (uint32_t r = 0; r < kRows; ++r) {
      const float want =
          (static_cast<float>(t) - 11.5f) * half_to_float(float_to_half(decoded[r * 256 + t * 37 % 256]));
      EXPECT_EQ(y[t * kRows + r], want) << "token " << t << ", row " << r;
    }
  }
}

}  // namespace
}  // namespace halyard
