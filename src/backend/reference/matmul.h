// Products with weights in any format, one row decoded at a time; sums in double. Slow and plain.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "backend/model.h"
#include "core/threads.h"

namespace halyard::reference {

// A matrix of float rows: row i starts at data + i * stride.
template <typename T>
struct Rows {
  T* data;
  size_t stride;
  T* operator[](size_t i) const { return data + i * stride; }
};

// Sum of a[i] b[i] in a fixed order.
double dot(const float* a, const float* b, size_t n);

// y[t][r] = sum_i W[first_row + r][i] x[t][i] for r < n_rows, t < n. A result depends on its own row and
// input alone, so neither the number of threads nor the split of a sequence changes a bit.
void matmul(ThreadPool& pool, const Tensor& weights, uint64_t first_row, uint64_t n_rows, Rows<const float> x,
            size_t n, Rows<float> y);
// All rows; x and y packed.
std::vector<float> matmul(ThreadPool& pool, const Tensor& weights, std::span<const float> x);

std::vector<float> decode_row(const Tensor& weights, uint64_t row);
std::vector<float> decode_all(const Tensor& weights);

}  // namespace halyard::reference
