#include "backend/math/cache_rounding.h"

#include <algorithm>
#include <cmath>

namespace halyard {
namespace {

// A small float by its mantissa bits, its lowest normal exponent and its largest value.
struct SmallFloat {
  int mantissa_bits, min_exponent;
  float max;
};
constexpr SmallFloat kE4M3{3, -6, 448.0f};
constexpr SmallFloat kE2M1{1, 0, 6.0f};

// Nearest value of the format, ties to the even code; |v| <= max.
float round_to(const SmallFloat& format, float v) {
  int exponent = 0;
  std::frexp(v, &exponent);  // |v| in [2^(exponent - 1), 2^exponent)
  const int step = std::max(exponent - 1, format.min_exponent) - format.mantissa_bits;
  return std::ldexp(std::nearbyint(std::ldexp(v, -step)), step);
}

// Exponent of the smallest power of two s with amax / s <= max: ceil(log2(amax / max)).
int scale_exponent(float amax, float max) {
  int exponent = 0;
  const double mantissa = std::frexp(double{amax} / max, &exponent);
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

void round_blocks(std::span<float> values, size_t block, const SmallFloat& format, float least_amax) {
  for (size_t begin = 0; begin < values.size(); begin += block) {
    const std::span<float> part = values.subspan(begin, std::min(block, values.size() - begin));
    float amax = least_amax;
    for (float v : part) amax = std::max(amax, std::fabs(v));
    const int scale = scale_exponent(amax, format.max);
    for (float& v : part) {
      v = std::ldexp(round_to(format, std::clamp(std::ldexp(v, -scale), -format.max, format.max)), scale);
    }
  }
}

}  // namespace

void round_fp8_blocks(std::span<float> values) {
  round_blocks(values, 64, kE4M3, 1e-4f);
}
void round_fp4_blocks(std::span<float> values) {
  round_blocks(values, 32, kE2M1, 6 * 0x1p-126f);
}

void hadamard(std::span<float> x) {
  const size_t n = x.size();
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t begin = 0; begin < n; begin += 2 * half) {
      for (size_t i = begin; i < begin + half; ++i) {
        const float a = x[i], b = x[i + half];
        x[i] = a + b;
        x[i + half] = a - b;
      }
    }
  }
  const float scale = 1.0f / std::sqrt(static_cast<float>(n));
  for (float& v : x) v *= scale;
}

}  // namespace halyard
