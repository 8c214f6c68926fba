// Op tests of the kernels that work on rows of floats and on 8-bit blocks, against plain loops in double and
// the reference math.
#include "kernels_test.h"

#include <algorithm>
#include <array>
#include <limits>

#include "backend/math/elementwise.h"
#include "core/blocks.h"
#include "core/half.h"

namespace halyard {
namespace {

constexpr uint32_t kSeed = 20261201;

std::vector<double> magnitudes(std::span<const double> values, double floor = 0) {
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) result[i] = std::abs(values[i]) + floor;
  return result;
}

// ---- rms_norm

struct RmsCase {
  uint32_t n_rows, n;
  bool weighted, in_place;
};

class RmsNormTest : public KernelTest, public testing::WithParamInterface<RmsCase> {};

TEST_P(RmsNormTest, IsTheReferences) {
  const auto [n_rows, n, weighted, in_place] = GetParam();
  constexpr float kEpsilon = 1e-6f;
  const auto x = random_floats(kSeed + n, uint64_t{n_rows} * n, 3.0f);
  const auto weight = random_floats(kSeed + 1, n, 2.0f);
  std::vector<double> want;
  for (uint32_t r = 0; r < n_rows; ++r) {
    const std::span row = std::span(x).subspan(uint64_t{r} * n, n);
    double sum = 0;
    for (float v : row) sum += double{v} * v;
    const double scale = 1 / std::sqrt(sum / n + double{kEpsilon});
    EXPECT_NEAR(rms_scale(row, kEpsilon), scale, 1e-6 * scale);  // what the other backends do
    for (uint32_t i = 0; i < n; ++i) want.push_back(row[i] * scale * (weighted ? double{weight[i]} : 1.0));
  }
  const DeviceInput<float> device_weight(device(), weight);
  DeviceOutput<float> y(device(), x.size());
  const DeviceInput<float> device_x(device(), x);
  if (in_place) device().upload(reinterpret_cast<uintptr_t>(y.pointer()), std::as_bytes(std::span(x)));
  launch(gpu::RmsNormArguments::kKernel,
         gpu::RmsNormArguments{.y = y.pointer(),
                               .x = in_place ? y.pointer() : device_x.pointer(),
                               .weight = weighted ? device_weight.pointer() : nullptr,
                               .n_rows = n_rows,
                               .n = n,
                               .epsilon = kEpsilon,
                               .reserved = 0});
  expect_close("rms_norm", y.read(), want, magnitudes(want), 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RmsNormTest,
                         testing::Values(RmsCase{1, 1, true, false}, RmsCase{3, 31, true, false},
                                         RmsCase{2, 257, false, true}, RmsCase{2, 1023, true, false},
                                         RmsCase{5, 64, false, false}, RmsCase{3, 1020, true, true},
                                         RmsCase{2, 4096, true, false},    // Flash: hidden
                                         RmsCase{2, 4100, true, true},     // one vector more than is kept
                                         RmsCase{65, 512, false, false},   // Flash: heads
                                         RmsCase{2, 16384, false, false},  // Flash: the four streams
                                         RmsCase{1, 16384, true, true}));

TEST_F(RmsNormTest, SmallValuesAreHeldByEpsilon) {
  const std::vector<float> x(512, 1e-20f);
  DeviceOutput<float> y(device(), x.size());
  const DeviceInput<float> device_x(device(), x);
  launch("rms_norm", gpu::RmsNormArguments{.y = y.pointer(),
                                           .x = device_x.pointer(),
                                           .weight = nullptr,
                                           .n_rows = 1,
                                           .n = 512,
                                           .epsilon = 1e-6f,
                                           .reserved = 0});
  const std::vector<double> want(512, double{1e-20f} / std::sqrt(double{1e-6f}));
  expect_close("rms_norm", y.read(), want, magnitudes(want), 2e-6);
}

// ---- quantize_q8

struct Quantized {
  std::vector<int8_t> q;
  std::vector<float> scale;
};

class QuantizeTest : public KernelTest {
 protected:
  Quantized quantize(const std::vector<float>& x) {
    const uint64_t n_blocks = x.size() / 32;
    const DeviceInput<float> device_x(device(), x);
    DeviceOutput<int8_t> q(device(), x.size());
    DeviceOutput<float> scale(device(), n_blocks);
    launch("quantize_q8",
           gpu::QuantizeQ8Arguments{q.pointer(), scale.pointer(), device_x.pointer(), n_blocks});
    return {q.read(), scale.read()};
  }
};

TEST_F(QuantizeTest, ValuesAreNearestOfTheirBlock) {
  for (const uint64_t n_blocks : {1, 3, 31, 32, 33, 128, 515}) {
    auto x = random_floats(kSeed + static_cast<uint32_t>(n_blocks), n_blocks * 32);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] *= std::ldexp(1.0f, static_cast<int>(i / 32 % 40) - 20);  // a range
    const auto [q, scale] = quantize(x);
    for (size_t b = 0; b < n_blocks; ++b) {
      double largest = 0;
      for (size_t i = 0; i < 32; ++i) largest = std::max(largest, std::abs(double{x[b * 32 + i]}));
      ASSERT_GT(largest, 0);
      ASSERT_NEAR(scale[b], largest / 127, 1e-6 * largest / 127) << "block " << b << " of " << n_blocks;
      for (size_t i = 0; i < 32; ++i) {
        const double error = std::abs(q[b * 32 + i] * double{scale[b]} - x[b * 32 + i]);
        ASSERT_LE(error, largest / 127 * 0.5001) << "value " << i << " of block " << b << " of " << n_blocks;
        ASSERT_GE(q[b * 32 + i], -127);
        note_error("quantize_q8", error / largest);
      }
    }
  }
}

TEST_F(QuantizeTest, EveryCodeComesBack) {
  std::vector<float> x;
  for (int code = -127; code <= 127; ++code) {  // blocks of 31 values beside the largest one
    if (x.size() % 32 == 0) x.push_back(127 * 0.37f);
    x.push_back(static_cast<float>(code) * 0.37f);
  }
  while (x.size() % 32 != 0) x.push_back(0);
  const auto [q, scale] = quantize(x);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(q[i], std::lround(x[i] / 0.37f)) << "value " << i;
}

TEST_F(QuantizeTest, BlocksOfAlmostNothingAreZero) {
  std::vector<float> x(96, 0.0f);
  for (size_t i = 0; i < 32; ++i) x[32 + i] = 0x1p-110f;
  x[95] = -0x1p-90f;
  const auto [q, scale] = quantize(x);
  for (size_t i = 0; i < 95; ++i) EXPECT_EQ(q[i], 0) << "value " << i;
  EXPECT_EQ(q[95], -127);
  EXPECT_EQ(scale[0], 0);
  EXPECT_EQ(scale[1], 0);
  EXPECT_GT(scale[2], 0);
}

// ---- matvec_q8_0

struct MatvecCase {
  uint32_t n_rows, n_blocks, n_vectors;
  uint64_t shift = 0;  // of the weights from a multiple of 256 bytes
};

class MatvecTest : public KernelTest, public testing::WithParamInterface<MatvecCase> {};

std::vector<uint8_t> random_q8_0(uint32_t seed, uint64_t n_blocks) {
  auto bytes = random_bytes(seed, n_blocks * sizeof(BlockQ8_0));
  const auto scales = random_floats(seed + 1, n_blocks, 0.01f);
  for (uint64_t b = 0; b < n_blocks; ++b) {
    const uint16_t d = float_to_half(scales[b]);
    std::memcpy(&bytes[b * sizeof(BlockQ8_0)], &d, sizeof d);
  }
  return bytes;
}

TEST_P(MatvecTest, IsTheDecodersProduct) {
  const auto [n_rows, n_blocks, n_vectors, shift] = GetParam();
  const auto w = random_q8_0(kSeed + n_rows, uint64_t{n_rows} * n_blocks);
  const auto x_bytes = random_bytes(kSeed + 2, uint64_t{n_vectors} * n_blocks * 32);
  std::vector<int8_t> x_q(x_bytes.size());
  std::memcpy(x_q.data(), x_bytes.data(), x_bytes.size());
  const auto x_scale = random_floats(kSeed + 3, uint64_t{n_vectors} * n_blocks, 0.05f);

  std::vector<double> want, scale;
  for (uint32_t v = 0; v < n_vectors; ++v) {
    for (uint32_t r = 0; r < n_rows; ++r) {
      double sum = 0, size = 0;
      for (uint32_t b = 0; b < n_blocks; ++b) {
        const auto block = load_block<BlockQ8_0>(
            reinterpret_cast<const std::byte*>(&w[(uint64_t{r} * n_blocks + b) * sizeof(BlockQ8_0)]));
        const uint64_t at = uint64_t{v} * n_blocks + b;
        for (uint32_t i = 0; i < 32; ++i) {
          const double term =
              double{half_to_float(block.d)} * block.q[i] * double{x_scale[at]} * x_q[at * 32 + i];
          sum += term;
          size += std::abs(term);
        }
      }
      want.push_back(sum);
      scale.push_back(size);
    }
  }
  const DeviceInput<uint8_t> device_w(device(), w, shift);
  const DeviceInput<int8_t> device_q(device(), x_q);
  const DeviceInput<float> device_scale(device(), x_scale);
  DeviceOutput<float> y(device(), want.size());
  launch("matvec_q8_0", gpu::MatvecQ8_0Arguments{.y = y.pointer(),
                                                 .w = device_w.pointer(),
                                                 .x_q = device_q.pointer(),
                                                 .x_scale = device_scale.pointer(),
                                                 .n_rows = n_rows,
                                                 .n_blocks = n_blocks,
                                                 .n_vectors = n_vectors,
                                                 .reserved = 0});
  expect_close("matvec_q8_0", y.read(), want, scale, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatvecTest,
                         testing::Values(MatvecCase{1, 1, 1}, MatvecCase{3, 1, 2, 2}, MatvecCase{7, 3, 1},
                                         MatvecCase{8, 15, 1, 2}, MatvecCase{9, 16, 3},
                                         MatvecCase{17, 17, 1, 2}, MatvecCase{5, 63, 1},
                                         MatvecCase{33, 65, 2, 2},
                                         MatvecCase{64, 32, 1},     // Flash: q_b, K = 1024
                                         MatvecCase{72, 64, 1},     // Flash: shared down, K = 2048
                                         MatvecCase{130, 128, 4},   // Flash: q_a, kv, head, K = 4096
                                         MatvecCase{40, 256, 1}));  // Flash: out_b, K = 8192

// ---- wave_sum, wave_max

struct RowsCase {
  uint32_t n_rows, n;
};

class WaveReduceTest : public KernelTest, public testing::WithParamInterface<RowsCase> {};

TEST_P(WaveReduceTest, SumAndLargestOfEachRow) {
  const auto [n_rows, n] = GetParam();
  const auto x = random_floats(kSeed + n, uint64_t{n_rows} * n, 5.0f);
  std::vector<double> sums, sizes, tops;
  for (uint32_t r = 0; r < n_rows; ++r) {
    double sum = 0, size = 0, top = -std::numeric_limits<double>::infinity();
    for (uint32_t i = 0; i < n; ++i) {
      const double v = x[uint64_t{r} * n + i];
      sum += v;
      size += std::abs(v);
      top = std::max(top, v);
    }
    sums.push_back(sum);
    sizes.push_back(size);
    tops.push_back(top);
  }
  const DeviceInput<float> device_x(device(), x);
  DeviceOutput<float> sum(device(), n_rows), top(device(), n_rows);
  launch("wave_sum", gpu::WaveReduceArguments{sum.pointer(), device_x.pointer(), n_rows, n});
  launch("wave_max", gpu::WaveReduceArguments{top.pointer(), device_x.pointer(), n_rows, n});
  expect_close("wave_sum", sum.read(), sums, sizes, 1e-6);
  expect_close("wave_max", top.read(), tops, magnitudes(tops), 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, WaveReduceTest,
                         testing::Values(RowsCase{1, 1}, RowsCase{9, 31}, RowsCase{8, 32}, RowsCase{7, 33},
                                         RowsCase{65, 128}, RowsCase{3, 1000}, RowsCase{2, 4096}));

// One lane after the other holds the only value: each must reach the sum.
TEST_F(WaveReduceTest, EveryLaneCounts) {
  std::vector<float> x(32 * 32, 0.0f);
  for (uint32_t l = 0; l < 32; ++l) x[l * 32 + l] = static_cast<float>(l + 1);
  const DeviceInput<float> device_x(device(), x);
  DeviceOutput<float> sum(device(), 32);
  launch("wave_sum", gpu::WaveReduceArguments{sum.pointer(), device_x.pointer(), 32, 32});
  const auto sums = sum.read();
  for (uint32_t l = 0; l < 32; ++l) EXPECT_EQ(sums[l], static_cast<float>(l + 1)) << "lane " << l;
}

// ---- softmax

struct SoftmaxCase {
  uint32_t n_rows, n, n_sinks;  // no sinks: 0
  bool masked, in_place;
};

class SoftmaxTest : public KernelTest, public testing::WithParamInterface<SoftmaxCase> {};

TEST_P(SoftmaxTest, IsTheFormula) {
  const auto [n_rows, n, n_sinks, masked, in_place] = GetParam();
  constexpr float kScale = 0.125f;
  auto x = random_floats(kSeed + n, uint64_t{n_rows} * n, 60.0f);
  if (masked) {
    for (size_t i = 0; i < x.size(); ++i) {
      if (i % n % 3 != 0) x[i] = -std::numeric_limits<float>::infinity();
    }
  }
  const auto sinks = random_floats(kSeed + 4, std::max(n_sinks, 1u), 4.0f);
  std::vector<double> want;
  for (uint32_t r = 0; r < n_rows; ++r) {
    const std::span row = std::span(x).subspan(uint64_t{r} * n, n);
    double top = n_sinks > 0 ? double{sinks[r % n_sinks]} : -std::numeric_limits<double>::infinity();
    for (float v : row) top = std::max(top, double{v} * kScale);
    double sum = n_sinks > 0 ? std::exp(double{sinks[r % n_sinks]} - top) : 0;
    for (float v : row) sum += std::exp(double{v} * kScale - top);
    for (float v : row) want.push_back(std::exp(double{v} * kScale - top) / sum);
  }
  const DeviceInput<float> device_x(device(), x), device_sinks(device(), sinks);
  DeviceOutput<float> y(device(), x.size());
  if (in_place) device().upload(reinterpret_cast<uintptr_t>(y.pointer()), std::as_bytes(std::span(x)));
  launch("softmax", gpu::SoftmaxArguments{.y = y.pointer(),
                                          .x = in_place ? y.pointer() : device_x.pointer(),
                                          .sink = n_sinks > 0 ? device_sinks.pointer() : nullptr,
                                          .n_rows = n_rows,
                                          .n = n,
                                          .n_sinks = n_sinks,
                                          .scale = kScale});
  expect_close("softmax", y.read(), want, magnitudes(want, 1e-30), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SoftmaxTest,
    testing::Values(SoftmaxCase{1, 1, 0, false, false}, SoftmaxCase{3, 31, 0, true, false},
                    SoftmaxCase{5, 129, 2, false, true}, SoftmaxCase{2, 256, 0, false, false},
                    SoftmaxCase{3, 257, 3, true, true},
                    SoftmaxCase{64, 640, 64, false, false},  // Flash: 64 heads, window and rows
                    SoftmaxCase{2, 4097, 64, true, false}));

TEST_F(SoftmaxTest, ARowOfMasksGoesToTheSink) {
  const std::vector<float> x(40, -std::numeric_limits<float>::infinity()), sink(1, -7.0f);
  const DeviceInput<float> device_x(device(), x), device_sink(device(), sink);
  DeviceOutput<float> y(device(), 40);
  launch("softmax", gpu::SoftmaxArguments{.y = y.pointer(),
                                          .x = device_x.pointer(),
                                          .sink = device_sink.pointer(),
                                          .n_rows = 1,
                                          .n = 40,
                                          .n_sinks = 1,
                                          .scale = 1.0f});
  for (float v : y.read()) EXPECT_EQ(v, 0.0f);
}

}  // namespace
}  // namespace halyard
