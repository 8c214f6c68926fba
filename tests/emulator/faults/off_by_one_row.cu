// y[r] = the sum of row r of x, n_rows rows of n values. Threads take rows in turn.
#include "arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

HALYARD_DEVICE float row_sum(const FaultArguments& a, uint32_t row) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < a.n; ++i) sum += a.x[uint64_t{row} * a.n + i];
  return sum;
}

HALYARD_KERNEL(64) off_by_one_row_right(const FaultArguments a) {
  for (uint32_t row = thread_in_block(); row < a.n_rows; row += 64) a.y[row] = row_sum(a, row);
}

// Reads one row too many, and drops its sum by storing nothing for it.
HALYARD_KERNEL(64) off_by_one_row_read(const FaultArguments a) {
  for (uint32_t row = thread_in_block(); row <= a.n_rows; row += 64) {
    const float sum = row_sum(a, row);
    if (row < a.n_rows || sum == 12345.0f) a.y[row] = sum;
  }
}

// Writes one result too many.
HALYARD_KERNEL(64) off_by_one_row_write(const FaultArguments a) {
  for (uint32_t row = thread_in_block(); row <= a.n_rows; row += 64) {
    a.y[row] = row_sum(a, row < a.n_rows ? row : 0);
  }
}

}  // namespace halyard::gpu
