// The kernels of the CPU backend, for each instruction set of this machine, against plain loops in double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "backend/cpu/instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/math/elementwise.h"
#include "core/quant.h"
#include "support/synthetic_model.h"

namespace halyard::cpu {
namespace {

using test::Random;
using Values = std::vector<float>;

class CpuKernels : public testing::TestWithParam<InstructionSet> {
 protected:
  static const Kernels& kernels() {
    switch (GetParam()) {
      case InstructionSet::kBaseline:
        return baseline_kernels();
      case InstructionSet::kAvx2:
        return avx2_kernels();
      case InstructionSet::kAvx512:
        break;
    }
    return avx512_kernels();
  }
  static std::span<const FormatKernels> formats() { return {kernels().formats, kernels().n_formats}; }
};

INSTANTIATE_TEST_SUITE_P(All, CpuKernels, testing::ValuesIn(usable_instruction_sets()),
                         [](const auto& set) { return std::string(instruction_set_name(set.param)); });

Values decode(Format format, const std::vector<std::byte>& bytes, size_t n) {
  Values values(n);
  format_info(format).decode(bytes.data(), values.data(), n);
  return values;
}

std::vector<const float*> rows_of(const Values& values, size_t width) {
  std::vector<const float*> rows;
  for (size_t i = 0; i < values.size(); i += width) rows.push_back(&values[i]);
  return rows;
}

// Distance allowed to a sum of n products computed in float.
double sum_error(const float* a, const float* b, size_t n) {
  double size = 0;
  for (size_t i = 0; i < n; ++i) size += std::fabs(double{a[i]} * b[i]);
  return 1e-6 * size + 1e-30;
}

double dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += double{a[i]} * b[i];
  return sum;
}

TEST_P(CpuKernels, HasEveryFormatOfAMatrix) {
  for (const FormatInfo& info : all_formats()) {
    const bool listed = std::any_of(formats().begin(), formats().end(),
                                    [&](const FormatKernels& k) { return k.format == info.id; });
    EXPECT_EQ(listed, info.decode != nullptr && info.id != Format::kI32) << info.name;
  }
}

TEST_P(CpuKernels, DecodeAsTheReferenceDecoder) {
  Random random(1);
  for (const FormatKernels& format : formats()) {
    const std::vector<std::byte> bytes = test::random_blocks(format.format, 2048, 1.0f, random);
    const Values want = decode(format.format, bytes, 2048);
    Values got(2048);
    format.decode(bytes.data(), got.data(), got.size());
    for (size_t i = 0; i < got.size(); ++i) {
      // scale times code less minimum is rounded once or twice.
      ASSERT_NEAR(got[i], want[i], 1e-6) << format_info(format.format).name << " value " << i;
    }
  }
}

TEST_P(CpuKernels, EveryHalfAndEveryBf16) {
  for (const FormatKernels& format : formats()) {
    if (format.format != Format::kF16 && format.format != Format::kBF16) continue;
    std::vector<std::byte> bytes(2 * 65536);
    for (size_t i = 0; i < 65536; ++i) {
      const auto code = static_cast<uint16_t>(i);
      std::memcpy(&bytes[2 * i], &code, 2);
    }
    const Values want = decode(format.format, bytes, 65536);
    Values got(65536);
    format.decode(bytes.data(), got.data(), got.size());
    for (size_t i = 0; i < 65536; ++i) {
      if (std::isnan(want[i])) {
        ASSERT_TRUE(std::isnan(got[i])) << i;
      } else {
        ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want[i])) << i;
      }
    }
  }
}

TEST_P(CpuKernels, EveryScaleOfMxfp4) {
  const auto format = std::find_if(formats().begin(), formats().end(),
                                   [](const FormatKernels& k) { return k.format == Format::kMXFP4; });
  for (int e = 0; e < 256; ++e) {
    std::vector<std::byte> block(17);
    block[0] = static_cast<std::byte>(e);
    for (int i = 0; i < 16; ++i)
      block[static_cast<size_t>(1 + i)] = static_cast<std::byte>(i | (15 - i) << 4);
    const Values want = decode(Format::kMXFP4, block, 32);
    Values got(32);
    format->decode(block.data(), got.data(), 32);
    EXPECT_EQ(got, want) << "e " << e;
  }
}

TEST_P(CpuKernels, DotIsTheSumOfProductsAndHasTheBitsOfMultiply) {
  Random random(2);
  for (const FormatKernels& format : formats()) {
    SCOPED_TRACE(format_info(format.format).name);
    for (size_t n : {size_t{256}, size_t{1024}}) {
      for (size_t n_rows : {1, 3, 4, 5, 8}) {
        const std::vector<std::byte> bytes = test::random_blocks(format.format, n * n_rows, 0.1f, random);
        const Values weights = decode(format.format, bytes, n * n_rows), x = random.normals(n);
        Values got(n_rows), decoded(n * n_rows), multiplied(n_rows);
        format.dot(bytes.data(), bytes.size() / n_rows, n_rows, x.data(), n, got.data());
        for (size_t r = 0; r < n_rows; ++r) {
          ASSERT_NEAR(got[r], dot(&weights[r * n], x.data(), n), sum_error(&weights[r * n], x.data(), n));
          format.decode(&bytes[r * bytes.size() / n_rows], &decoded[r * n], n);
        }
        const float* column = x.data();
        kernels().multiply(rows_of(decoded, n).data(), n_rows, &column, 1, n, multiplied.data(), n_rows);
        ASSERT_EQ(got, multiplied);
      }
    }
  }
}

TEST_P(CpuKernels, MultiplyForEveryNumberOfRowsAndColumns) {
  Random random(3);
  for (size_t n : {16, 48, 256}) {
    for (size_t n_rows = 1; n_rows <= 9; ++n_rows) {
      for (size_t n_x = 1; n_x <= 13; ++n_x) {
        const Values rows = random.normals(n_rows * n), x = random.normals(n_x * n);
        const size_t stride = n_rows + 3;
        Values got(n_x * stride, -7.0f);
        kernels().multiply(rows_of(rows, n).data(), n_rows, rows_of(x, n).data(), n_x, n, got.data(), stride);
        for (size_t t = 0; t < n_x; ++t) {
          for (size_t r = 0; r < stride; ++r) {
            const float y = got[t * stride + r];
            if (r >= n_rows) {
              ASSERT_EQ(y, -7.0f) << "written past the rows";
            } else {
              ASSERT_NEAR(y, dot(&rows[r * n], &x[t * n], n), sum_error(&rows[r * n], &x[t * n], n));
            }
          }
        }
      }
    }
  }
}

TEST_P(CpuKernels, AddWeightedRows) {
  Random random(4);
  for (size_t dim : {16, 80, 512}) {
    for (size_t n_heads = 1; n_heads <= 9; ++n_heads) {
      const size_t n_rows = 5 + n_heads, stride = 16;
      const Values rows = random.normals(n_rows * dim), weights = random.normals(n_heads * stride);
      const Values before = random.normals(n_heads * dim);
      Values got = before;
      kernels().add_weighted_rows(rows_of(rows, dim).data(), n_rows, dim, weights.data(), stride, n_heads,
                                  got.data());
      for (size_t h = 0; h < n_heads; ++h) {
        for (size_t d = 0; d < dim; ++d) {
          double want = before[h * dim + d];
          for (size_t r = 0; r < n_rows; ++r) want += double{weights[h * stride + r]} * rows[r * dim + d];
          ASSERT_NEAR(got[h * dim + d], want, 1e-5);
        }
      }
    }
  }
}

TEST_P(CpuKernels, ExponentialsAndMaximum) {
  Random random(5);
  for (size_t count = 1; count <= 70; ++count) {
    const Values x = random.normals(count, 20.0f);
    const float scale = 0.3f, top = *std::max_element(x.begin(), x.end());
    ASSERT_EQ(kernels().maximum(x.data(), count), top);
    Values got = x;
    const float total = kernels().exponentials(got.data(), count, scale, scale * top);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      const double want = std::exp(double{scale} * x[i] - double{scale * top});
      sum += want;
      ASSERT_NEAR(got[i], want, 3e-6 * want + 1e-37) << x[i];
    }
    ASSERT_NEAR(total, sum, 1e-5 * sum);
  }
}

TEST_P(CpuKernels, ExponentialsOverTheWholeRange) {
  for (float x = -120.0f; x <= 0.0f; x += 0.0137f) {
    Values value(16, x);
    kernels().exponentials(value.data(), value.size(), 1.0f, 0.0f);
    const double want = std::exp(std::max(double{x}, -87.0));
    ASSERT_NEAR(value[3] / want, 1, 3e-7) << x;
  }
}

TEST_P(CpuKernels, Vectors) {
  constexpr size_t kN = 64;
  Random random(6);
  const Values x = random.normals(kN, 3.0f), y = random.normals(kN, 3.0f);
  EXPECT_NEAR(kernels().sum_squares(x.data(), kN), dot(x.data(), x.data(), kN), 1e-3);
  Values scaled(kN), plain(kN), gated = x, added = x;
  kernels().scale(x.data(), 0.5f, y.data(), kN, scaled.data());
  kernels().scale(x.data(), 0.5f, nullptr, kN, plain.data());
  kernels().swiglu(gated.data(), y.data(), 2.0f, kN);
  kernels().add_scaled(added.data(), 0.25f, y.data(), kN);
  for (size_t i = 0; i < kN; ++i) {
    EXPECT_EQ(scaled[i], x[i] * 0.5f * y[i]);
    EXPECT_EQ(plain[i], x[i] * 0.5f);
    EXPECT_NEAR(gated[i], swiglu(x[i], y[i], 2.0f), 1e-6);
    EXPECT_NEAR(added[i], x[i] + 0.25f * y[i], 1e-6);
  }
  Values extreme = {-1e30f, -1000.0f, -88.0f, 1e30f};
  extreme.resize(16, 0.0f);
  const Values ones(16, 1.0f);
  kernels().swiglu(extreme.data(), ones.data(), 10.0f, 16);
  for (float v : extreme) EXPECT_TRUE(std::isfinite(v));
  EXPECT_NEAR(extreme[3], 10.0 / (1 + std::exp(-10.0)), 1e-5);
}

TEST_P(CpuKernels, AddWeightedReluOfAnyCount) {
  Random random(7);
  for (size_t count = 1; count <= 64; ++count) {
    const Values before = random.normals(count), products = random.normals(count);
    Values got = before;
    kernels().add_weighted_relu(got.data(), -0.7f, products.data(), count);
    for (size_t i = 0; i < count; ++i)
      ASSERT_NEAR(got[i], before[i] - 0.7 * std::max(products[i], 0.0f), 1e-6) << count;
  }
}

}  // namespace
}  // namespace halyard::cpu
