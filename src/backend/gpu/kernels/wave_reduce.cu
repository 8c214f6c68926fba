#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

// A wave a row. Waves behind the last row do that row again and do not store.
template <class Op>
HALYARD_DEVICE void reduce_rows(const WaveReduceArguments& a) {
  const uint32_t row = block_x() * WaveReduceArguments::kRowsPerBlock + wave_in_block();
  const float* x = a.x + uint64_t{smaller(row, a.n_rows - 1)} * a.n;
  float value = Op::kNeutral;
  for (uint32_t at = lane(); at < a.n; at += kWaveLanes) value = Op::combine(value, x[at]);
  value = wave_reduce<Op>(value);
  if (lane() == 0 && row < a.n_rows) a.y[row] = value;
}

HALYARD_KERNEL(WaveReduceArguments::kThreads) wave_sum(const WaveReduceArguments a) {
  reduce_rows<Sum>(a);
}

HALYARD_KERNEL(WaveReduceArguments::kThreads) wave_max(const WaveReduceArguments a) {
  reduce_rows<Max>(a);
}

}  // namespace halyard::gpu
