#include "backend/math/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace halyard {

Rope::Rope(const ModelShape& shape, bool compressed) {
  const double dim = shape.rope_dim;
  const RopeShape& rope = shape.rope;
  const double base = compressed ? rope.compress_base : rope.base;
  // c(n): the pair whose wave turns n times within the original context.
  const auto pair_of_turns = [&](double n) {
    return dim * std::log(rope.yarn_original_context / (2 * std::numbers::pi * n)) / (2 * std::log(base));
  };
  const double low = std::max(0.0, std::floor(pair_of_turns(rope.yarn_beta_fast)));
  const double high = std::min(dim - 1, std::ceil(pair_of_turns(rope.yarn_beta_slow)));
  for (uint32_t i = 0; i < shape.rope_dim / 2; ++i) {
    double f = std::pow(base, -2.0 * i / dim);
    if (compressed) {
      const double ramp = std::clamp((i - low) / std::max(0.001, high - low), 0.0, 1.0);
      f = f * (1 - ramp) + f / rope.yarn_factor * ramp;
    }
    frequencies_.push_back(f);
  }
}

RopeAngles Rope::angles(uint64_t position) const {
  RopeAngles a;
  a.cosine.reserve(frequencies_.size());
  a.sine.reserve(frequencies_.size());
  for (double f : frequencies_) {
    const double theta = static_cast<double>(position) * f;
    a.cosine.push_back(static_cast<float>(std::cos(theta)));
    a.sine.push_back(static_cast<float>(std::sin(theta)));
  }
  return a;
}

void rotate(std::span<float> head, const RopeAngles& angles, bool inverse) {
  float* tail = head.data() + head.size() - 2 * angles.cosine.size();
  for (size_t i = 0; i < angles.cosine.size(); ++i) {
    const float c = angles.cosine[i], s = inverse ? -angles.sine[i] : angles.sine[i];
    const float a = tail[2 * i], b = tail[2 * i + 1];
    tail[2 * i] = a * c - b * s;
    tail[2 * i + 1] = a * s + b * c;
  }
}

}  // namespace halyard
