#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/kernels/gpu.h"
#include "backend/gpu/kernels/iq2_table.h"

namespace halyard::gpu {

using TileArguments = TileIq2XxsArguments;

// Results by the block, K a step at a time: two groups of IQ2_XXS. Rows of a tile in LDS are 8 halves longer
// than a step, so that the 16 bytes that eight lanes read or write together fall into different banks.
constexpr uint32_t kTileStep = 64, kTileStride = kTileStep + 8;
constexpr uint32_t kTileChunks = TileArguments::kTileTokens * kTileStep / 8 / TileArguments::kThreads;
static_assert(TileArguments::kTileRows * kTileStep / 32 == TileArguments::kThreads);  // a group each

struct alignas(16) TileMemory {
  Half x[TileArguments::kTileTokens * kTileStride];
  Half w[TileArguments::kTileRows * kTileStride];
  Half8 octets[256];
};

// What a thread has loaded for the coming step.
struct TileLoads {
  Half8 x[kTileChunks];
  Word2 group;  // four grid indices; four sign indices of 7 bits and a scale of 4
  Half d;
};

// Tokens and rows behind the last are read as the last: their results are not stored.
struct TileSource {
  const uint16_t* x[kTileChunks];
  const uint8_t* w;
};

HALYARD_DEVICE TileSource tile_source(const TileArguments& a) {
  const uint32_t thread = thread_in_block();
  TileSource source;
  for (uint32_t i = 0; i < kTileChunks; ++i) {
    const uint32_t chunk = thread + i * TileArguments::kThreads;
    const uint32_t token = smaller(block_y() * TileArguments::kTileTokens + chunk / 8, a.n_tokens - 1);
    source.x[i] = a.x + uint64_t{token} * a.n_blocks * 256 + chunk % 8 * 8;
  }
  const uint32_t row = smaller(block_x() * TileArguments::kTileRows + thread / 2, a.n_rows - 1);
  source.w = a.w + uint64_t{row} * a.n_blocks * TileArguments::kBlockBytes;
  return source;
}

HALYARD_DEVICE TileLoads load_step(const TileSource& source, uint32_t step) {
  TileLoads loads;
  for (uint32_t i = 0; i < kTileChunks; ++i)
    loads.x[i] = load16<Half8>(source.x[i] + uint64_t{step} * kTileStep);
  const uint8_t* block = source.w + uint64_t{step / 4} * TileArguments::kBlockBytes;
  loads.d = load_half(block);
  loads.group = load8_from_even(block + 2 + 8 * (step % 4 * 2 + thread_in_block() % 2));
  return loads;
}

// The eight values of an octet. A magnitude times (2 scale + 1) / 8 is exact in f16, so each weight is
// rounded once.
HALYARD_DEVICE Half8 iq2_values(Half8 magnitudes, uint32_t signs, Half eighths, Half d) {
  const Half8 exact = magnitudes * eighths * d;
  Word4 bits = bits_as<Word4>(exact);
  for (uint32_t pair = 0; pair < 4; ++pair) {
    const uint32_t two = signs >> (2 * pair);
    bits[pair] ^= (two & 1u) << 15 | (two & 2u) << 30;
  }
  return bits_as<Half8>(bits);
}

HALYARD_DEVICE void unpack_group(const TileLoads& loads, const Half8* octets, Half* out) {
  const uint32_t signs_and_scale = loads.group[1];
  const Half eighths = static_cast<Half>(static_cast<float>(signs_and_scale >> 28) * 0.25f + 0.125f);
  Half8 magnitudes[4];  // all four are on their way before the first is used
  for (uint32_t l = 0; l < 4; ++l) magnitudes[l] = octets[loads.group[0] >> (8 * l) & 255u];
  for (uint32_t l = 0; l < 4; ++l) {
    const uint32_t seven = signs_and_scale >> (7 * l) & 127u;
    const uint32_t signs = seven | (static_cast<uint32_t>(__builtin_popcount(seven)) & 1u) << 7;
    store16(out + 8 * l, iq2_values(magnitudes[l], signs, eighths, loads.d));
  }
}

HALYARD_DEVICE void store_step(const TileLoads& loads, TileMemory& memory) {
  const uint32_t thread = thread_in_block();
  for (uint32_t i = 0; i < kTileChunks; ++i) {
    const uint32_t chunk = thread + i * TileArguments::kThreads;
    store16(&memory.x[chunk / 8 * kTileStride + chunk % 8 * 8], loads.x[i]);
  }
  unpack_group(loads, memory.octets, &memory.w[thread / 2 * kTileStride + thread % 2 * 32]);
}

// The results of a wave. A whole tile needs no check of each element.
template <bool kChecked>
HALYARD_DEVICE void store_results(const TileArguments& a, uint32_t first_token, uint32_t first_row,
                                  const Accumulator (&c)[2][2]) {
#pragma unroll
  for (uint32_t i = 0; i < 2; ++i) {
#pragma unroll
    for (uint32_t e = 0; e < 8; ++e) {
      const uint32_t token = first_token + 16 * i + tile_row(e);
      float* y = a.y + uint64_t{token} * a.n_rows;
#pragma unroll
      for (uint32_t j = 0; j < 2; ++j) {
        const uint32_t row = first_row + 16 * j + tile_column(e);
        if (!kChecked || (token < a.n_tokens && row < a.n_rows)) y[row] = c[i][j][e];
      }
    }
  }
}

// Four waves, each 32 tokens by 32 rows: 2 x 2 tiles of the matrix unit. The next step's loads are under way
// while this one is multiplied.
HALYARD_KERNEL(TileArguments::kThreads) tile_iq2_xxs(const TileArguments a) {
  HALYARD_LDS TileMemory memory;
  for (uint32_t i = thread_in_block(); i < 256; i += TileArguments::kThreads)
    memory.octets[i] = kIq2Octets.at[i];
  const TileSource source = tile_source(a);
  const uint32_t n_steps = a.n_blocks * (256 / kTileStep);
  const uint32_t wave_token = wave_in_block() / 2 * 32, wave_row = wave_in_block() % 2 * 32;
  Accumulator c[2][2] = {};
  TileLoads loads = load_step(source, 0);
  block_barrier();  // the octets are there
  for (uint32_t step = 0; step < n_steps; ++step) {
    store_step(loads, memory);
    block_barrier();
    if (step + 1 < n_steps) loads = load_step(source, step + 1);
#pragma unroll
    for (uint32_t k = 0; k < kTileStep; k += 16) {
      Fragment x[2], w[2];
      for (uint32_t i = 0; i < 2; ++i) {
        x[i] = load_fragment(&memory.x[(wave_token + 16 * i) * kTileStride + k], kTileStride);
        w[i] = load_fragment(&memory.w[(wave_row + 16 * i) * kTileStride + k], kTileStride);
      }
      for (uint32_t i = 0; i < 2; ++i) {
        for (uint32_t j = 0; j < 2; ++j) c[i][j] = multiply_add(x[i], w[j], c[i][j]);
      }
    }
    block_barrier();  // all have read; the next step may overwrite
  }
  const uint32_t first_token = block_y() * TileArguments::kTileTokens,
                 first_row = block_x() * TileArguments::kTileRows;
  if (first_token + TileArguments::kTileTokens <= a.n_tokens &&
      first_row + TileArguments::kTileRows <= a.n_rows) {
    store_results<false>(a, first_token + wave_token, first_row + wave_row, c);
  } else {
    store_results<true>(a, first_token + wave_token, first_row + wave_row, c);
  }
}

}  // namespace halyard::gpu
