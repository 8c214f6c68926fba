#include "backend/reference/matmul.h"

#include <array>

namespace halyard::reference {

double dot(const float* a, const float* b, size_t n) {
  std::array<double, 4> sum{};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (size_t j = 0; j < 4; ++j) sum[j] += double{a[i + j]} * b[i + j];
  }
  for (; i < n; ++i) sum[0] += double{a[i]} * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void matmul(ThreadPool& pool, const Tensor& weights, uint64_t first_row, uint64_t n_rows, Rows<const float> x,
            size_t n, Rows<float> y) {
  const FormatInfo& format = format_info(weights.format);
  const uint64_t n_in = weights.row_values(), row_bytes = weights.row_bytes();
  pool.parallel_for(n_rows, 8, [&](size_t begin, size_t end, unsigned) {
    std::vector<float> row(n_in);
    for (size_t r = begin; r < end; ++r) {
      format.decode(weights.data + (first_row + r) * row_bytes, row.data(), n_in);
      for (size_t t = 0; t < n; ++t) y[t][r] = static_cast<float>(dot(row.data(), x[t], n_in));
    }
  });
}

std::vector<float> matmul(ThreadPool& pool, const Tensor& weights, std::span<const float> x) {
  const size_t n = x.size() / weights.row_values(), n_out = weights.n_rows();
  std::vector<float> y(n * n_out);
  matmul(pool, weights, 0, n_out, {x.data(), static_cast<size_t>(weights.row_values())}, n,
         {y.data(), n_out});
  return y;
}

std::vector<float> decode_row(const Tensor& weights, uint64_t row) {
  std::vector<float> values(weights.row_values());
  format_info(weights.format).decode(weights.data + row * weights.row_bytes(), values.data(), values.size());
  return values;
}

std::vector<float> decode_all(const Tensor& weights) {
  std::vector<float> values(weights.row_values() * weights.n_rows());
  format_info(weights.format).decode(weights.data, values.data(), values.size());
  return values;
}

}  // namespace halyard::reference
