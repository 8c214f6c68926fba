#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

HALYARD_DEVICE uint32_t signed_byte(float value) {
  return static_cast<uint32_t>(static_cast<int32_t>(__builtin_rintf(value))) & 0xffu;
}

// A team of eight lanes makes a block of 32 values: a lane reads 16 bytes and writes 4.
HALYARD_KERNEL(QuantizeQ8Arguments::kThreads) quantize_q8(const QuantizeQ8Arguments a) {
  constexpr uint32_t kTeam = 8;
  constexpr float kSmallest = 0x1p-100f;  // below it 127 / max would not be a number
  static_assert(QuantizeQ8Arguments::kThreads / kTeam == QuantizeQ8Arguments::kBlocksPerBlock);
  const uint32_t member = thread_in_block() % kTeam;
  const uint64_t block =
      uint64_t{block_x()} * QuantizeQ8Arguments::kBlocksPerBlock + thread_in_block() / kTeam;
  const bool in_range = block < a.n_blocks;

  Float4 x = {0.0f, 0.0f, 0.0f, 0.0f};
  if (in_range) x = load16<Float4>(a.x + block * 32 + member * 4);
  float largest = 0.0f;
  for (int i = 0; i < 4; ++i) largest = __builtin_fmaxf(largest, __builtin_fabsf(x[i]));
  largest = wave_reduce<Max, kTeam>(largest);
  const bool is_zero = largest < kSmallest;
  const float factor = is_zero ? 0.0f : 127.0f * reciprocal(largest);

  uint32_t packed = 0;
  for (int i = 0; i < 4; ++i) packed |= signed_byte(x[i] * factor) << (8 * i);
  if (!in_range) return;
  *reinterpret_cast<uint32_t*>(a.q + block * 32 + member * 4) = packed;
  if (member == 0) a.scale[block] = is_zero ? 0.0f : largest * (1.0f / 127.0f);
}

}  // namespace halyard::gpu
