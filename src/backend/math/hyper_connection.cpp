#include "backend/math/hyper_connection.h"

#include <algorithm>
#include <cmath>

namespace halyard {
namespace {

using Matrix = std::array<double, kHyperStreams * kHyperStreams>;

double sigmoid64(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

void softmax_rows(Matrix& s) {
  for (uint32_t r = 0; r < kHyperStreams; ++r) {
    double* row = &s[r * kHyperStreams];
    const double max = *std::max_element(row, row + kHyperStreams);
    double sum = 0;
    for (uint32_t c = 0; c < kHyperStreams; ++c) sum += row[c] = std::exp(row[c] - max);
    for (uint32_t c = 0; c < kHyperStreams; ++c) row[c] /= sum;
  }
}

void normalise(Matrix& s, bool columns, double epsilon) {
  const uint32_t along = columns ? kHyperStreams : 1, across = columns ? 1 : kHyperStreams;
  for (uint32_t line = 0; line < kHyperStreams; ++line) {
    double sum = epsilon;
    for (uint32_t i = 0; i < kHyperStreams; ++i) sum += s[line * across + i * along];
    for (uint32_t i = 0; i < kHyperStreams; ++i) s[line * across + i * along] /= sum;
  }
}

}  // namespace

HyperWeights hyper_weights(std::span<const float> mix, std::span<const float> scale,
                           std::span<const float> base, uint32_t iterations, float epsilon) {
  HyperWeights w;
  const auto logit = [&](uint32_t i, uint32_t part) { return double{mix[i]} * scale[part] + base[i]; };
  Matrix s;
  for (uint32_t i = 0; i < kHyperStreams; ++i) {
    w.pre[i] = static_cast<float>(sigmoid64(logit(i, 0)) + epsilon);
    w.post[i] = static_cast<float>(2 * sigmoid64(logit(kHyperStreams + i, 1)));
  }
  for (uint32_t i = 0; i < s.size(); ++i) s[i] = logit(2 * kHyperStreams + i, 2);
  softmax_rows(s);
  for (double& v : s) v += epsilon;
  normalise(s, true, epsilon);
  for (uint32_t i = 1; i < iterations; ++i) {
    normalise(s, false, epsilon);
    normalise(s, true, epsilon);
  }
  std::transform(s.begin(), s.end(), w.mix.begin(), [](double v) { return static_cast<float>(v); });
  return w;
}

std::array<float, kHyperStreams> hyper_head_weights(std::span<const float> mix, float scale,
                                                    std::span<const float> base, float epsilon) {
  std::array<float, kHyperStreams> pre;
  for (uint32_t i = 0; i < kHyperStreams; ++i) {
    pre[i] = static_cast<float>(sigmoid64(double{mix[i]} * scale + base[i]) + epsilon);
  }
  return pre;
}

void collapse(std::span<const float> streams, std::span<const float, kHyperStreams> pre, std::span<float> x) {
  const size_t hidden = x.size();
  for (size_t d = 0; d < hidden; ++d) {
    float sum = 0;
    for (uint32_t h = 0; h < kHyperStreams; ++h) sum += pre[h] * streams[h * hidden + d];
    x[d] = sum;
  }
}

void expand(std::span<float> streams, std::span<const float> y, std::span<const float, kHyperStreams> post,
            std::span<const float, kHyperStreams * kHyperStreams> mix) {
  const size_t hidden = y.size();
  for (size_t d = 0; d < hidden; ++d) {
    std::array<float, kHyperStreams> next;
    for (uint32_t k = 0; k < kHyperStreams; ++k) {
      next[k] = post[k] * y[d];
      for (uint32_t j = 0; j < kHyperStreams; ++j)
        next[k] += mix[j * kHyperStreams + k] * streams[j * hidden + d];
    }
    for (uint32_t k = 0; k < kHyperStreams; ++k) streams[k * hidden + d] = next[k];
  }
}

}  // namespace halyard
