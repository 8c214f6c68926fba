// Each word of gpu.h by itself, for kernels_vocabulary_test.cpp. One block; what a kernel reads and writes is
// said there.
#include "backend/gpu/kernels/gpu.h"
#include "kernels_vocabulary.h"

namespace halyard::gpu {

constexpr uint32_t kThreads = VocabularyArguments::kThreads;

HALYARD_KERNEL(kThreads) vocabulary_shuffles(const VocabularyArguments a) {
  const uint32_t t = thread_in_block();
  const uint32_t value = static_cast<const uint32_t*>(a.x)[t];
  uint32_t* y = static_cast<uint32_t*>(a.y);
  y[t] = shuffle(value, (lane() * 7 + 3) % kWaveLanes);
  y[kThreads + t] = shuffle_xor<1>(value);
  y[2 * kThreads + t] = shuffle_xor<2>(value);
  y[3 * kThreads + t] = shuffle_xor<4>(value);
  y[4 * kThreads + t] = shuffle_xor<8>(value);
  y[5 * kThreads + t] = shuffle_xor<16>(value);
}

HALYARD_KERNEL(kThreads) vocabulary_reductions(const VocabularyArguments a) {
  HALYARD_LDS float partial[kThreads / kWaveLanes];
  const uint32_t t = thread_in_block();
  const float value = static_cast<const float*>(a.x)[t];
  float* y = static_cast<float*>(a.y);
  y[t] = wave_reduce<Sum, 1>(value);
  y[kThreads + t] = wave_reduce<Sum, 4>(value);
  y[2 * kThreads + t] = wave_reduce<Max, 16>(value);
  y[3 * kThreads + t] = wave_reduce<Sum>(value);
  y[4 * kThreads + t] = block_reduce<Sum>(value, partial);
  block_barrier();
  y[5 * kThreads + t] = block_reduce<Max>(value, partial);
}

HALYARD_KERNEL(kThreads) vocabulary_math(const VocabularyArguments a) {
  const float* x = static_cast<const float*>(a.x);
  float* y = static_cast<float*>(a.y);
  for (uint32_t i = thread_in_block(); i < a.n; i += kThreads) {
    y[i] = exp2_fast(x[i]);
    y[a.n + i] = reciprocal(x[i]);
    y[2 * a.n + i] = reciprocal_sqrt(__builtin_fabsf(x[i]));
    y[3 * a.n + i] = sqrt_fast(__builtin_fabsf(x[i]));
  }
}

HALYARD_KERNEL(kThreads) vocabulary_halves(const VocabularyArguments a) {
  const float* x = static_cast<const float*>(a.x);
  for (uint32_t i = thread_in_block(); i < a.n; i += kThreads) {
    const Half half = static_cast<Half>(x[i]);
    static_cast<uint32_t*>(a.y)[i] = bits_as<uint16_t>(half);
    static_cast<float*>(a.y)[a.n + i] = static_cast<float>(half);
  }
}

HALYARD_KERNEL(kThreads) vocabulary_dot4(const VocabularyArguments a) {
  const uint32_t* x = static_cast<const uint32_t*>(a.x);
  for (uint32_t i = thread_in_block(); i < a.n; i += kThreads) {
    static_cast<int32_t*>(a.y)[i] = dot4(x[3 * i], x[3 * i + 1], bits_as<int32_t>(x[3 * i + 2]));
  }
}

HALYARD_KERNEL(kThreads) vocabulary_loads(const VocabularyArguments a) {
  const uint8_t* x = static_cast<const uint8_t*>(a.x) + 2 * thread_in_block();
  Word4* y = static_cast<Word4*>(a.y);
  store16(&y[2 * thread_in_block()], load16_from_even(x + 2));
  const Word2 eight = load8_from_even(x + 2);
  store16(&y[2 * thread_in_block() + 1], Word4{eight[0], eight[1], 0, 0});
}

// Each of the waves makes the same tile.
HALYARD_KERNEL(kThreads) vocabulary_tile(const VocabularyArguments a) {
  constexpr uint32_t kStride = 24;
  HALYARD_LDS struct alignas(16) {
    Half a[16 * kStride], b[16 * kStride];
  } memory;
  const Half* x = static_cast<const Half*>(a.x);
  for (uint32_t i = thread_in_block(); i < 256; i += kThreads) {
    memory.a[i / 16 * kStride + i % 16] = x[i];
    memory.b[i / 16 * kStride + i % 16] = x[256 + i];
  }
  block_barrier();
  Accumulator c;
  for (uint32_t e = 0; e < 8; ++e) c[e] = static_cast<float>(tile_row(e) * 100 + tile_column(e));
  c = multiply_add(load_fragment(memory.a, kStride), load_fragment(memory.b, kStride), c);
  for (uint32_t e = 0; e < 8; ++e) {
    static_cast<float*>(a.y)[wave_in_block() * 256 + tile_row(e) * 16 + tile_column(e)] = c[e];
  }
}

}  // namespace halyard::gpu
