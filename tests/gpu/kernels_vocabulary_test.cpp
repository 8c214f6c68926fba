// The words of gpu.h, one by one, on the device: what their comments promise.
#include "kernels_vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "backend/gpu/device_code.h"
#include "backend/gpu/kernels/device_code_rows.h"
#include "core/half.h"
#include "kernels_test.h"

extern "C" {
extern const uint64_t halyard_vocabulary_code_count;
extern const halyard::DeviceCodeRow halyard_vocabulary_code_rows[];
}

namespace halyard {
namespace {

constexpr uint32_t kSeed = 20261203;
constexpr uint32_t kThreads = gpu::VocabularyArguments::kThreads;

class VocabularyTest : public KernelTest {
 protected:
  // y of `kernel`: n_out words, from the words of x. `n` is the kernel's.
  template <class Out, class In>
  std::vector<Out> run(const char* kernel, std::span<const In> x, uint32_t n, uint64_t n_out) {
    const DeviceInput<In> device_x(device(), x);
    DeviceOutput<Out> y(device(), n_out);
    module().kernel(kernel).launch({{1, 1, 1}, {kThreads, 1, 1}, 0},
                                   gpu::VocabularyArguments{y.pointer(), device_x.pointer(), n, 0});
    device().synchronize();
    return y.read();
  }

 private:
  GpuModule& module() {
    static GpuModule loaded = load();
    return loaded;
  }
  GpuModule load() {
    const std::string_view wanted = find_device_code(device().info().architecture)->architecture;
    for (const DeviceCodeRow& row : std::span(halyard_vocabulary_code_rows, halyard_vocabulary_code_count)) {
      if (wanted == row.architecture) return {device(), {row.begin, row.n_bytes}, "vocabulary"};
    }
    throw std::logic_error("no vocabulary for an architecture that has kernels");
  }
};

std::vector<uint32_t> random_words(uint32_t seed, size_t n) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words(n);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random());
  return words;
}

TEST_F(VocabularyTest, ShufflesTakeFromTheirLane) {
  const auto x = random_words(kSeed, kThreads);
  const auto y = run<uint32_t, uint32_t>("vocabulary_shuffles", x, 0, 6 * kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t wave = t / 32 * 32, lane = t % 32;
    EXPECT_EQ(y[t], x[wave + (lane * 7 + 3) % 32]) << "thread " << t;
    for (uint32_t bit = 0; bit < 5; ++bit) {
      EXPECT_EQ(y[(bit + 1) * kThreads + t], x[wave + (lane ^ (1u << bit))])
          << "thread " << t << ", bit " << bit;
    }
  }
}

TEST_F(VocabularyTest, ReductionsAreOverTheirTeam) {
  std::vector<float> x(kThreads);  // small integers: sums are exact
  for (uint32_t t = 0; t < kThreads; ++t) x[t] = static_cast<float>((t * 29 + 5) % 64) - 40;
  const auto y = run<float, float>("vocabulary_reductions", x, 0, 6 * kThreads);
  const auto sum = [&](uint32_t first, uint32_t n) {
    float total = 0;
    for (uint32_t i = 0; i < n; ++i) total += x[first + i];
    return total;
  };
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(y[t], x[t]);
    EXPECT_EQ(y[kThreads + t], sum(t / 4 * 4, 4)) << "thread " << t;
    EXPECT_EQ(y[2 * kThreads + t], *std::max_element(&x[t / 16 * 16], &x[t / 16 * 16] + 16))
        << "thread " << t;
    EXPECT_EQ(y[3 * kThreads + t], sum(t / 32 * 32, 32)) << "thread " << t;
    EXPECT_EQ(y[4 * kThreads + t], sum(0, kThreads)) << "thread " << t;
    EXPECT_EQ(y[5 * kThreads + t], *std::max_element(x.begin(), x.end())) << "thread " << t;
  }
}

TEST_F(VocabularyTest, MathIsWithinItsError) {
  auto x = random_floats(kSeed + 1, 1000, 100.0f);
  for (size_t i = 500; i < x.size(); ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 60) - 40);
  x[0] = 0x1p-20f;
  x[1] = -126.0f;
  x[2] = 127.5f;
  const auto n = static_cast<uint32_t>(x.size());
  const auto y = run<float, float>("vocabulary_math", x, n, 4 * uint64_t{n});
  for (uint32_t f = 0; f < 4; ++f) {
    constexpr std::array<const char*, 4> kNames = {"exp2_fast", "reciprocal", "reciprocal_sqrt", "sqrt_fast"};
    std::vector<double> want, size;
    for (float v : x) {
      const double wide = v;
      want.push_back(
          std::array{std::exp2(wide), 1 / wide, 1 / std::sqrt(std::abs(wide)), std::sqrt(std::abs(wide))}[f]);
      size.push_back(std::abs(want.back()));
    }
    const size_t n_checked = f == 0 ? 500 : n;  // powers of the others are no normal numbers
    expect_close(kNames[f], std::span(y).subspan(f * n, n_checked), std::span(want).first(n_checked),
                 std::span(size).first(n_checked), 0x1p-22);
  }
}

TEST_F(VocabularyTest, HalvesAreRoundedToNearestEven) {
  auto x = random_floats(kSeed + 2, 256, 70000.0f);  // some beyond the largest half
  for (size_t i = 64; i < x.size(); ++i) x[i] = std::ldexp(x[i], -static_cast<int>(i % 44));
  const std::array<float, 8> chosen = {1.0f + 0x1p-11f, 1.0f + 0x3p-11f, 65519.0f, 65520.0f,
                                       0x1p-25f,        0x1.8p-24f,      -0.0f,    0x1.ffcp-15f};
  std::copy(chosen.begin(), chosen.end(), x.begin());
  const auto n = static_cast<uint32_t>(x.size());
  const auto y = run<uint32_t, float>("vocabulary_halves", x, n, 2 * uint64_t{n});
  for (uint32_t i = 0; i < n; ++i) {
    const uint16_t half = float_to_half(x[i]);
    EXPECT_EQ(y[i], half) << x[i];
    EXPECT_EQ(std::bit_cast<float>(y[n + i]), half_to_float(half)) << x[i];
  }
}

TEST_F(VocabularyTest, Dot4IsOfSignedBytes) {
  auto x = random_words(kSeed + 3, 3 * 200);
  const std::array<uint32_t, 9> chosen = {0x80808080, 0x80808080, 0,          0x7f7f7f7f, 0x80808080,
                                          1,          0xff01ff01, 0x0201fe03, 0x7fffffff};
  std::copy(chosen.begin(), chosen.end(), x.begin());
  const auto y = run<int32_t, uint32_t>("vocabulary_dot4", x, 200, 200);
  for (uint32_t i = 0; i < 200; ++i) {
    uint32_t sum = x[3 * i + 2];  // wraps
    for (unsigned b = 0; b < 4; ++b) {
      const int left = static_cast<int8_t>(x[3 * i] >> (8 * b)),
                right = static_cast<int8_t>(x[3 * i + 1] >> (8 * b));
      sum += static_cast<uint32_t>(left * right);
    }
    EXPECT_EQ(y[i], std::bit_cast<int32_t>(sum)) << "row " << i;
  }
}

// Thread t reads from byte 2 t + 2; the last one up to the last byte of the input.
TEST_F(VocabularyTest, LoadsFromEvenAddresses) {
  const auto x = random_bytes(kSeed + 4, 2 * (kThreads - 1) + 2 + 16);
  const auto y = run<uint32_t, uint8_t>("vocabulary_loads", x, 0, 8 * kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    std::array<uint32_t, 8> want{};
    std::memcpy(want.data(), &x[2 * t + 2], 16);
    std::memcpy(want.data() + 4, &x[2 * t + 2], 8);
    for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(y[8 * t + i], want[i]) << "thread " << t << ", word " << i;
  }
}

TEST_F(VocabularyTest, TilesAreProductsWithATransposedMatrix) {
  std::vector<uint16_t> x;
  std::vector<int> values;
  for (uint32_t i = 0; i < 512; ++i) {
    values.push_back(static_cast<int>(i * 37 % 61) - 30);  // all sums are exact
    x.push_back(float_to_half(static_cast<float>(values.back())));
  }
  const auto y = run<float, uint16_t>("vocabulary_tile", x, 0, 2 * 256);
  for (uint32_t wave = 0; wave < 2; ++wave) {
    for (uint32_t r = 0; r < 16; ++r) {
      for (uint32_t c = 0; c < 16; ++c) {
        int want = static_cast<int>(r * 100 + c);
        for (uint32_t k = 0; k < 16; ++k) want += values[r * 16 + k] * values[256 + c * 16 + k];
        EXPECT_EQ(y[wave * 256 + r * 16 + c], static_cast<float>(want)) << "row " << r << ", column " << c;
      }
    }
  }
}

}  // namespace
}  // namespace halyard
