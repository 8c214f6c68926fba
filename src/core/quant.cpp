#include "core/quant.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/blocks.h"
#include "core/half.h"
#include "core/iq2_grid.h"

namespace halyard {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are read as they lie in the file");

void decode_f32(const std::byte* blocks, float* out, uint64_t n_values) {
  std::memcpy(out, blocks, n_values * sizeof(float));
}

void decode_f16(const std::byte* blocks, float* out, uint64_t n_values) {
  for (uint64_t i = 0; i < n_values; ++i) out[i] = half_to_float(load_block<uint16_t>(blocks + 2 * i));
}

void decode_bf16(const std::byte* blocks, float* out, uint64_t n_values) {
  for (uint64_t i = 0; i < n_values; ++i) out[i] = bf16_to_float(load_block<uint16_t>(blocks + 2 * i));
}

void decode_i32(const std::byte* blocks, float* out, uint64_t n_values) {
  for (uint64_t i = 0; i < n_values; ++i) out[i] = static_cast<float>(load_block<int32_t>(blocks + 4 * i));
}

void decode_block(const BlockQ8_0& block, float* out) {
  const float d = half_to_float(block.d);
  for (unsigned i = 0; i < 32; ++i) out[i] = d * static_cast<float>(block.q[i]);
}

void decode_block(const BlockQ2_K& block, float* out) {
  const float d = half_to_float(block.d), dmin = half_to_float(block.dmin);
  for (unsigned e = 0; e < 256; ++e) {
    const unsigned half = e / 128, r = e % 128;
    const unsigned q = (block.q[32 * half + r % 32] >> (2 * (r / 32))) & 3u;
    const unsigned scale = block.scales[e / 16] & 15u, min = block.scales[e / 16] >> 4u;
    out[e] = d * static_cast<float>(scale) * static_cast<float>(q) - dmin * static_cast<float>(min);
  }
}

void decode_block(const BlockQ4_K& block, float* out) {
  const float d = half_to_float(block.d), dmin = half_to_float(block.dmin);
  for (unsigned e = 0; e < 256; ++e) {
    const unsigned j = e / 32;
    const uint8_t pair = block.q[32 * (j / 2) + e % 32];
    const unsigned q = j % 2 == 0 ? pair & 15u : pair >> 4u;
    const auto [scale, min] = q4_k_scale(block.scales, j);
    out[e] = d * static_cast<float>(scale) * static_cast<float>(q) - dmin * static_cast<float>(min);
  }
}

void decode_block(const BlockIQ2_XXS& block, float* out) {
  const float d = half_to_float(block.d);
  for (unsigned group = 0; group < 8; ++group) {
    const uint16_t* words = block.q + 4 * group;
    const uint32_t signs_and_scale = words[2] | (uint32_t{words[3]} << 16);
    const float scale = d * (static_cast<float>(signs_and_scale >> 28) + 0.5f) / 4.0f;
    for (unsigned l = 0; l < 4; ++l) {
      const uint64_t octet = kIq2Grid[(words[l / 2] >> (8 * (l % 2))) & 255u];
      const uint8_t signs = iq2_signs((signs_and_scale >> (7 * l)) & 127u);
      for (unsigned i = 0; i < 8; ++i) {
        const float magnitude = scale * static_cast<float>((octet >> (8 * i)) & 255u);
        *out++ = ((signs >> i) & 1u) != 0 ? -magnitude : magnitude;
      }
    }
  }
}

void decode_block(const BlockMXFP4& block, float* out) {
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned code = i < 16 ? block.q[i] & 15u : block.q[i - 16] >> 4u;
    out[i] = std::ldexp(kMxfp4Values[code], block.e - 127);
  }
}

template <class Block, unsigned kValues>
void decode_blocks(const std::byte* blocks, float* out, uint64_t n_values) {
  for (uint64_t b = 0; b < n_values / kValues; ++b) {
    decode_block(load_block<Block>(blocks + b * sizeof(Block)), out + b * kValues);
  }
}

template <class Block, unsigned kValues>
constexpr FormatInfo block_format(Format id, std::string_view name) {
  return {id, name, kValues, sizeof(Block), decode_blocks<Block, kValues>};
}

constexpr std::array kFormats = {
    FormatInfo{Format::kF32, "F32", 1, 4, decode_f32},
    FormatInfo{Format::kF16, "F16", 1, 2, decode_f16},
    FormatInfo{Format::kBF16, "BF16", 1, 2, decode_bf16},
    FormatInfo{Format::kI32, "I32", 1, 4, decode_i32},
    block_format<BlockQ8_0, 32>(Format::kQ8_0, "Q8_0"),
    block_format<BlockQ2_K, 256>(Format::kQ2_K, "Q2_K"),
    block_format<BlockQ4_K, 256>(Format::kQ4_K, "Q4_K"),
    block_format<BlockIQ2_XXS, 256>(Format::kIQ2_XXS, "IQ2_XXS"),
    block_format<BlockMXFP4, 32>(Format::kMXFP4, "MXFP4"),

    // Known by size only.
    FormatInfo{Format{2}, "Q4_0", 32, 18, nullptr},
    FormatInfo{Format{3}, "Q4_1", 32, 20, nullptr},
    FormatInfo{Format{6}, "Q5_0", 32, 22, nullptr},
    FormatInfo{Format{7}, "Q5_1", 32, 24, nullptr},
    FormatInfo{Format{9}, "Q8_1", 32, 36, nullptr},
    FormatInfo{Format{11}, "Q3_K", 256, 110, nullptr},
    FormatInfo{Format{13}, "Q5_K", 256, 176, nullptr},
    FormatInfo{Format{14}, "Q6_K", 256, 210, nullptr},
    FormatInfo{Format{15}, "Q8_K", 256, 292, nullptr},
    FormatInfo{Format{17}, "IQ2_XS", 256, 74, nullptr},
    FormatInfo{Format{18}, "IQ3_XXS", 256, 98, nullptr},
    FormatInfo{Format{19}, "IQ1_S", 256, 50, nullptr},
    FormatInfo{Format{20}, "IQ4_NL", 32, 18, nullptr},
    FormatInfo{Format{21}, "IQ3_S", 256, 110, nullptr},
    FormatInfo{Format{22}, "IQ2_S", 256, 82, nullptr},
    FormatInfo{Format{23}, "IQ4_XS", 256, 136, nullptr},
    FormatInfo{Format{24}, "I8", 1, 1, nullptr},
    FormatInfo{Format{25}, "I16", 1, 2, nullptr},
    FormatInfo{Format{27}, "I64", 1, 8, nullptr},
    FormatInfo{Format{28}, "F64", 1, 8, nullptr},
    FormatInfo{Format{29}, "IQ1_M", 256, 56, nullptr},
    FormatInfo{Format{34}, "TQ1_0", 256, 54, nullptr},
    FormatInfo{Format{35}, "TQ2_0", 256, 66, nullptr},
};

}  // namespace

std::span<const FormatInfo> all_formats() {
  return kFormats;
}

const FormatInfo* find_format(uint32_t ggml_type) {
  for (const FormatInfo& info : kFormats) {
    if (static_cast<uint32_t>(info.id) == ggml_type) return &info;
  }
  return nullptr;
}

const FormatInfo& format_info(Format format) {
  const FormatInfo* info = find_format(static_cast<uint32_t>(format));
  if (info == nullptr) throw std::logic_error("an enumerator of Format without a row");
  return *info;
}

}  // namespace halyard
