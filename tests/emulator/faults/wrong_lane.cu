// y[t] = the sum of x over the wave of thread t; 64 values.
#include "arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

HALYARD_KERNEL(64) wrong_lane_right(const FaultArguments a) {
  a.y[thread_in_block()] = wave_reduce<Sum>(a.x[thread_in_block()]);
}

// The fourth step exchanges with the lane of the third.
HALYARD_KERNEL(64) wrong_lane_wrong(const FaultArguments a) {
  float value = a.x[thread_in_block()];
  value += shuffle_xor<1>(value);
  value += shuffle_xor<2>(value);
  value += shuffle_xor<4>(value);
  value += shuffle_xor<4>(value);
  value += shuffle_xor<16>(value);
  a.y[thread_in_block()] = value;
}

// The last step runs in the lower half only, so its source lanes are off.
HALYARD_KERNEL(64) wrong_lane_off(const FaultArguments a) {
  float value = wave_reduce<Sum, 16>(a.x[thread_in_block()]);
  if (lane() < 16) value += shuffle(value, lane() + 16);
  a.y[thread_in_block()] = shuffle(value, lane() % 16);
}

}  // namespace halyard::gpu
