// The formulas of src/backend/math, one by one, against other ways to the same result.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "backend/math/cache_rounding.h"
#include "backend/math/elementwise.h"
#include "backend/math/hyper_connection.h"
#include "backend/math/pooling.h"
#include "backend/math/rope.h"
#include "backend/math/routing.h"

namespace halyard {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> random_values(size_t n, unsigned seed, float scale = 1.0f) {
  std::mt19937 engine(seed);
  std::vector<float> values(n);
  for (float& v : values) v = (static_cast<float>(engine() >> 8) * 0x1p-23f - 1.0f) * scale;
  return values;
}

// ---- Cache rounding (B.10) ----

// All values of a small float format that are not negative, by code: exponent bits above `mantissa_bits`
// mantissa bits.
std::vector<double> code_values(int mantissa_bits, int bias, int n_codes) {
  std::vector<double> values;
  for (int code = 0; code < n_codes; ++code) {
    const int exponent = code >> mantissa_bits, mantissa = code & ((1 << mantissa_bits) - 1);
    const double fraction = std::ldexp(mantissa, -mantissa_bits);
    values.push_back(exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                   : std::ldexp(1 + fraction, exponent - bias));
  }
  return values;
}

// Nearest value, on a tie the one of the even code.
double nearest(const std::vector<double>& values, double x) {
  size_t best = 0;
  for (size_t code = 1; code < values.size(); ++code) {
    const double closer = std::fabs(values[code] - std::fabs(x)) - std::fabs(values[best] - std::fabs(x));
    if (closer < 0 || (closer == 0 && code % 2 == 0)) best = code;
  }
  return std::copysign(values[best], x);
}

// Smallest power of two s with amax / s <= max, found by trying.
double power_of_two_scale(double amax, double max) {
  double scale = 0x1p-149;
  while (amax / scale > max) scale *= 2;
  return scale;
}

using Rounding = void (*)(std::span<float>);

void expect_rounded(Rounding round, size_t block, const std::vector<double>& codes, double least_amax,
                    const std::vector<float>& values) {
  std::vector<float> got = values;
  round(got);
  for (size_t begin = 0; begin < values.size(); begin += block) {
    const size_t end = std::min(values.size(), begin + block);
    double amax = least_amax;
    for (size_t i = begin; i < end; ++i) amax = std::max(amax, std::fabs(double{values[i]}));
    const double scale = power_of_two_scale(amax, codes.back());
    for (size_t i = begin; i < end; ++i) {
      const double want = nearest(codes, values[i] / scale) * scale;
      ASSERT_EQ(got[i], static_cast<float>(want)) << "value " << values[i] << ", scale " << scale;
    }
  }
}

const std::vector<double> kE4M3 = code_values(3, 7, 127);  // the last code, 127, is NaN
const std::vector<double> kE2M1 = code_values(1, 1, 8);

TEST(CacheRounding, CodesAreThoseOfTheFormats) {
  EXPECT_EQ(kE4M3.back(), 448);
  EXPECT_EQ(kE4M3[1], 0x1p-9);
  EXPECT_EQ(kE2M1, (std::vector<double>{0, .5, 1, 1.5, 2, 3, 4, 6}));
}

TEST(CacheRounding, EveryCodeAndEveryTieOfFp8) {
  std::vector<float> values;  // 448 in each block keeps the scale at 1
  for (size_t i = 0; i < kE4M3.size(); ++i) {
    if (values.size() % 64 == 0) values.push_back(448.0f);
    values.push_back(static_cast<float>(kE4M3[i]));
    if (values.size() % 64 == 0) values.push_back(448.0f);
    values.push_back(i + 1 < kE4M3.size() ? static_cast<float>(-(kE4M3[i] + kE4M3[i + 1]) / 2) : -448.0f);
  }
  expect_rounded(round_fp8_blocks, 64, kE4M3, 1e-4, values);
  std::vector<float> exact(kE4M3.begin(), kE4M3.begin() + 63);
  exact.push_back(448.0f);
  const std::vector<float> before = exact;
  round_fp8_blocks(exact);
  EXPECT_EQ(exact, before);
}

TEST(CacheRounding, EveryCodeAndEveryTieOfFp4) {
  std::vector<float> values = {6.0f};
  for (size_t i = 0; i < kE2M1.size(); ++i) {
    values.push_back(static_cast<float>(kE2M1[i]));
    if (i + 1 < kE2M1.size()) values.push_back(static_cast<float>(-(kE2M1[i] + kE2M1[i + 1]) / 2));
  }
  expect_rounded(round_fp4_blocks, 32, kE2M1, 6 * 0x1p-126, values);
}

TEST(CacheRounding, RandomBlocksOfManySizes) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const float scale = std::ldexp(1.0f, static_cast<int>(seed) - 20);
    expect_rounded(round_fp8_blocks, 64, kE4M3, 1e-4,
                   random_values(64 + 32, seed, scale));  // the last is shorter
    expect_rounded(round_fp4_blocks, 32, kE2M1, 6 * 0x1p-126, random_values(64, seed, scale));
  }
}

TEST(CacheRounding, ScaleAtPowersOfTwo) {
  for (float amax :
       {448.0f, std::nextafter(448.0f, 500.0f), 896.0f, std::nextafter(224.0f, 0.0f), 1e-5f, 0.0f})
    expect_rounded(round_fp8_blocks, 64, kE4M3, 1e-4, {amax, amax / 3, -amax / 5});
  for (float amax : {6.0f, std::nextafter(6.0f, 7.0f), 12.0f, 0.0f})
    expect_rounded(round_fp4_blocks, 32, kE2M1, 6 * 0x1p-126, {amax, amax / 3, -amax / 5});
}

TEST(Hadamard, IsTheSylvesterMatrix) {
  for (size_t n : {1, 2, 32, 64, 128}) {
    const std::vector<float> x = random_values(n, static_cast<unsigned>(n));
    std::vector<float> got = x;
    hadamard(got);
    for (size_t row = 0; row < n; ++row) {
      double sum = 0;
      for (size_t column = 0; column < n; ++column)
        sum += std::popcount(row & column) % 2 == 0 ? x[column] : -double{x[column]};
      EXPECT_NEAR(got[row], sum / std::sqrt(static_cast<double>(n)), 1e-6) << n << " " << row;
    }
  }
}

// ---- Elementwise ----

TEST(Elementwise, Softplus) {
  for (double x = -100; x <= 100; x += 0.37) {
    const double want = x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    EXPECT_NEAR(softplus(static_cast<float>(x)), want, 1e-6 * std::max(1.0, want)) << x;
  }
  EXPECT_GT(softplus(-80.0f), 0.0f);
  EXPECT_EQ(softplus(1e30f), 1e30f);
}

TEST(Elementwise, SwigluClampsTheGateFromAboveOnlyAndTheOtherOnBothSides) {
  const auto silu = [](double x) { return x / (1 + std::exp(-x)); };
  EXPECT_NEAR(swiglu(3.0f, 2.0f, 10.0f), silu(3) * 2, 1e-6);
  EXPECT_NEAR(swiglu(30.0f, 2.0f, 10.0f), silu(10) * 2, 1e-5);
  EXPECT_NEAR(swiglu(-30.0f, 2.0f, 10.0f), silu(-30) * 2, 1e-16);
  EXPECT_NEAR(swiglu(3.0f, 20.0f, 10.0f), silu(3) * 10, 1e-5);
  EXPECT_NEAR(swiglu(3.0f, -20.0f, 10.0f), silu(3) * -10, 1e-5);
  EXPECT_TRUE(std::isnan(swiglu(kNan, 1.0f, 10.0f)));
}

TEST(Elementwise, RmsNorm) {
  const std::vector<float> x = {3, -4, 0, 12}, weight = {1, 2, 3, 0.5f};
  std::vector<float> y(4);
  rms_norm(x, weight, 0.0f, y.data());
  const double rms = std::sqrt((9.0 + 16 + 144) / 4);
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[i], x[i] / rms * weight[i], 1e-6);
  rms_norm(x, {}, 0.0f, y.data());
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[i], x[i] / rms, 1e-6);
  const std::vector<float> zero(4, 0.0f);
  EXPECT_NEAR(rms_scale(zero, 1e-6f), 1000, 1e-2);
}

// ---- RoPE (B.6) ----

ModelShape flash_rope() {
  ModelShape shape;
  shape.rope_dim = 64;
  shape.rope.yarn_factor = 16;
  shape.rope.yarn_original_context = 65536;
  return shape;
}

TEST(Rope, PlainFrequencies) {
  const Rope rope(flash_rope(), false);
  ASSERT_EQ(rope.frequencies().size(), 32u);
  for (size_t i = 0; i < 32; ++i)
    EXPECT_NEAR(rope.frequencies()[i], std::exp(-std::log(10000.0) * static_cast<double>(i) / 32), 1e-12);
}

TEST(Rope, YarnOfFlashRampsFromPair15ToPair25) {
  const Rope rope(flash_rope(), true);
  for (size_t i = 0; i < 32; ++i) {
    const double f = std::exp(-std::log(160000.0) * static_cast<double>(i) / 32);
    const double ramp = i <= 15 ? 0 : i >= 25 ? 1 : (static_cast<double>(i) - 15) / 10;
    EXPECT_NEAR(rope.frequencies()[i] / (f * (1 - ramp) + f / 16 * ramp), 1, 1e-12) << i;
  }
}

TEST(Rope, YarnOfTheTinyModelRampsFromPair1ToPair6) {
  ModelShape shape = flash_rope();
  shape.rope_dim = 32;
  shape.rope.yarn_factor = 8;
  shape.rope.yarn_original_context = 512;
  const Rope rope(shape, true);
  for (size_t i = 0; i < 16; ++i) {
    const double f = std::exp(-std::log(160000.0) * static_cast<double>(i) / 16);
    const double ramp = i <= 1 ? 0 : i >= 6 ? 1 : (static_cast<double>(i) - 1) / 5;
    EXPECT_NEAR(rope.frequencies()[i] / (f * (1 - ramp) + f / 8 * ramp), 1, 1e-12) << i;
  }
}

TEST(Rope, RotatesPairsOfTheTailAsComplexNumbers) {
  for (uint64_t position : {uint64_t{0}, uint64_t{1}, uint64_t{127}, uint64_t{999'999}}) {
    const Rope rope(flash_rope(), position % 2 == 1);
    const RopeAngles angles = rope.angles(position);
    const std::vector<float> x = random_values(128, 5);
    std::vector<float> y = x;
    rotate(y, angles);
    for (size_t i = 0; i < 64; ++i) EXPECT_EQ(y[i], x[i]);
    for (size_t i = 0; i < 32; ++i) {
      const double theta = static_cast<double>(position) * rope.frequencies()[i];
      const std::complex<double> turned =
          std::complex<double>(x[64 + 2 * i], x[65 + 2 * i]) * std::polar(1.0, theta);
      EXPECT_NEAR(y[64 + 2 * i], turned.real(), 1e-6) << position << " " << i;
      EXPECT_NEAR(y[65 + 2 * i], turned.imag(), 1e-6) << position << " " << i;
    }
    rotate(y, angles, true);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 1e-6);
  }
}

// ---- Hyper-connections (B.3, B.4) ----

TEST(HyperConnection, WeightsByTheFormula) {
  const std::vector<float> mix = random_values(kHyperMix, 1, 2.0f), base = random_values(kHyperMix, 2);
  const std::vector<float> scale = {0.5f, 1.5f, 2.0f};
  const double epsilon = 1e-6;
  const HyperWeights w = hyper_weights(mix, scale, base, 20, 1e-6f);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(w.pre[i], 1 / (1 + std::exp(-(double{mix[i]} * 0.5 + base[i]))) + epsilon, 1e-7);
    EXPECT_NEAR(w.post[i], 2 / (1 + std::exp(-(double{mix[4 + i]} * 1.5 + base[4 + i]))), 1e-7);
  }
  double s[4][4];
  for (size_t r = 0; r < 4; ++r) {
    double sum = 0;
    for (size_t c = 0; c < 4; ++c)
      sum += s[r][c] = std::exp(double{mix[8 + 4 * r + c]} * 2 + base[8 + 4 * r + c]);
    for (size_t c = 0; c < 4; ++c) s[r][c] = s[r][c] / sum + epsilon;
  }
  for (int round = 0; round < 20; ++round) {
    if (round > 0) {
      for (auto& row : s) {
        const double sum = row[0] + row[1] + row[2] + row[3] + epsilon;
        for (double& v : row) v /= sum;
      }
    }
    for (size_t c = 0; c < 4; ++c) {
      const double sum = s[0][c] + s[1][c] + s[2][c] + s[3][c] + epsilon;
      for (auto& row : s) row[c] /= sum;
    }
  }
  for (size_t i = 0; i < 16; ++i) EXPECT_NEAR(w.mix[i], s[i / 4][i % 4], 1e-7) << i;
}

TEST(HyperConnection, SinkhornEndsWithRowsAndColumnsOfSumOne) {
  const HyperWeights w = hyper_weights(random_values(kHyperMix, 3), std::vector<float>{1, 1, 1},
                                       random_values(kHyperMix, 4), 20, 1e-6f);
  for (size_t i = 0; i < 4; ++i) {
    float row = 0, column = 0;
    for (size_t j = 0; j < 4; ++j) row += w.mix[4 * i + j], column += w.mix[4 * j + i];
    EXPECT_NEAR(row, 1, 1e-4);
    EXPECT_NEAR(column, 1, 2e-6);
  }
}

TEST(HyperConnection, HeadWeights) {
  const std::vector<float> base = {0.1f, -0.2f, 0.3f, -4.0f};
  const auto pre = hyper_head_weights(std::vector<float>{1, 2, -3, 0}, 0.5f, base, 1e-6f);
  const double logits[] = {0.6, 0.8, -1.2, -4.0};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(pre[i], 1 / (1 + std::exp(-logits[i])) + 1e-6, 1e-7);
}

TEST(HyperConnection, CollapseAndExpand) {
  constexpr size_t kHidden = 5;
  const std::vector<float> x = random_values(4 * kHidden, 6), y = random_values(kHidden, 7);
  const std::vector<float> post = random_values(4, 8), mix = random_values(16, 9);
  std::vector<float> collapsed(kHidden), next = x;
  collapse(x, std::span<const float, 4>(post), collapsed);
  expand(next, y, std::span<const float, 4>(post), std::span<const float, 16>(mix));
  for (size_t d = 0; d < kHidden; ++d) {
    double sum = 0;
    for (size_t h = 0; h < 4; ++h) sum += double{post[h]} * x[h * kHidden + d];
    EXPECT_NEAR(collapsed[d], sum, 1e-6);
    for (size_t k = 0; k < 4; ++k) {
      double want = double{post[k]} * y[d];
      for (size_t j = 0; j < 4; ++j)
        want += double{mix[4 * j + k]} * x[j * kHidden + d];  // row j is the source
      EXPECT_NEAR(next[k * kHidden + d], want, 1e-6);
    }
  }
}

// ---- Pooling (B.8) ----

TEST(Pooling, SoftmaxOfEachDimensionOverTheSlots) {
  constexpr size_t kDim = 3, kSlots = 7;
  const std::vector<float> kv = random_values(kDim * kSlots, 10),
                           gate = random_values(kDim * kSlots, 11, 3.0f);
  std::vector<PoolSlot> slots;
  for (size_t j = 0; j < kSlots; ++j) slots.push_back({&kv[j * kDim], &gate[j * kDim]});
  std::vector<float> row(kDim);
  pool_window(slots, row);
  for (size_t d = 0; d < kDim; ++d) {
    double sum = 0, weighted = 0;
    for (size_t j = 0; j < kSlots; ++j) {
      sum += std::exp(double{gate[j * kDim + d]});
      weighted += std::exp(double{gate[j * kDim + d]}) * kv[j * kDim + d];
    }
    EXPECT_NEAR(row[d], weighted / sum, 1e-6);
  }
}

TEST(Pooling, LargeGatesDoNotOverflow) {
  const std::vector<float> kv = {2.0f, 5.0f}, gate = {1000.0f, -1000.0f};
  const PoolSlot slots[] = {{&kv[0], &gate[0]}, {&kv[1], &gate[1]}};
  std::vector<float> row(1);
  pool_window(slots, row);
  EXPECT_EQ(row[0], 2.0f);
}

// ---- Choosing (B.9, B.11) ----

TEST(TopK, IsTheStartOfAStableSort) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 engine(seed);
    std::vector<float> scores(1 + engine() % 40);
    for (float& s : scores) s = static_cast<float>(engine() % 6);  // many ties
    std::vector<uint32_t> want(scores.size());
    std::iota(want.begin(), want.end(), 0u);
    std::stable_sort(want.begin(), want.end(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
    const size_t k = engine() % 50;
    want.resize(std::min(k, want.size()));
    EXPECT_EQ(top_k(scores, k), want) << "seed " << seed;
  }
}

TEST(TopK, NanIsWorst) {
  const std::vector<float> scores = {kNan, 1.0f, kNan, -1e30f, kInfinity};
  EXPECT_EQ(top_k(scores, 3), (std::vector<uint32_t>{4, 1, 3}));
  EXPECT_EQ(top_k(scores, 9), (std::vector<uint32_t>{4, 1, 3, 0, 2}));
}

TEST(ExpertWeights, AreSharesOfTheChosenTimesTheScale) {
  const std::vector<float> affinity = {0.5f, 9.0f, 0.25f, 0.25f};
  const std::vector<uint32_t> chosen = {2, 0};
  float weights[2];
  expert_weights(affinity, chosen, 1.5f, weights);
  EXPECT_FLOAT_EQ(weights[0], 0.5f);
  EXPECT_FLOAT_EQ(weights[1], 1.0f);
  const std::vector<float> none(4, 0.0f);
  expert_weights(none, chosen, 1.5f, weights);
  EXPECT_EQ(weights[0], 0.0f);
  const std::vector<float> little(4, 0x1p-20f);
  expert_weights(little, chosen, 1.0f, weights);  // divided by 2^-14, not by the sum of 2^-19
  EXPECT_EQ(weights[0], 0x1p-6f);
}

}  // namespace
}  // namespace halyard
