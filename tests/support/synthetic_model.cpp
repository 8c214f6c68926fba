#include "support/synthetic_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/blocks.h"
#include "core/half.h"
#include "model/weights.h"

namespace halyard::test {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Format matrix_format(const std::string& name, const SyntheticFormats& formats) {
  if (contains(name, "down_exps")) return formats.experts_down;
  if (contains(name, "_exps")) return formats.experts_in;
  for (const char* small : {"hc_", "compressor", "indexer", "gate_inp", "token_embd"}) {
    if (contains(name, small)) return formats.small;
  }
  return formats.dense;
}

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Norms lie around 1; scales, biases and sinks around 0, as large as makes a difference.
std::vector<std::byte> random_vector(const std::string& name, uint64_t n, Random& random) {
  std::vector<float> values = random.normals(n, contains(name, "norm") ? 0.1f : 0.5f);
  if (contains(name, "norm")) {
    for (float& v : values) v += 1.0f;
  }
  return bytes_of(values);
}

std::vector<std::byte> random_ids(uint64_t n, uint32_t n_experts, uint32_t n_used, Random& random) {
  std::vector<int32_t> ids(n);
  for (size_t i = 0; i < n; i += n_used) {
    const uint32_t first = random.below(n_experts);
    for (uint32_t j = 0; j < n_used; ++j) ids[i + j] = static_cast<int32_t>((first + j) % n_experts);
  }
  std::vector<std::byte> bytes(n * sizeof(int32_t));
  std::memcpy(bytes.data(), ids.data(), bytes.size());
  return bytes;
}

void put_half(std::byte* block, size_t offset, float value) {
  const uint16_t half = float_to_half(value);
  std::memcpy(block + offset, &half, 2);
}

// Scales of one block whose other bytes are random; about the given deviation.
void put_scales(Format format, std::byte* block, float deviation, Random& random) {
  const float jitter = random.uniform(0.7f, 1.3f);
  switch (format) {
    case Format::kQ8_0:
      put_half(block, offsetof(BlockQ8_0, d), deviation / 73.9f * jitter);
      return;
    case Format::kQ2_K:  // d s q - dmin m with s, m up to 15: the mean of d s q is taken off by dmin m on
                         // average
      put_half(block, offsetof(BlockQ2_K, d), deviation / 14.0f * jitter);
      put_half(block, offsetof(BlockQ2_K, dmin), deviation / 14.0f * 1.5f * jitter);
      return;
    case Format::kQ4_K:
      put_half(block, offsetof(BlockQ4_K, d), deviation / 280.0f * jitter);
      put_half(block, offsetof(BlockQ4_K, dmin), deviation / 280.0f * 7.5f * jitter);
      return;
    case Format::kIQ2_XXS:
      put_half(block, offsetof(BlockIQ2_XXS, d), deviation / 53.0f * jitter);
      return;
    case Format::kMXFP4: {
      const float exponent = std::round(std::log2(deviation / 2.97f * jitter));
      block[offsetof(BlockMXFP4, e)] = static_cast<std::byte>(127 + static_cast<int>(exponent));
      return;
    }
    default:
      return;
  }
}

}  // namespace

uint64_t Random::bits() {  // splitmix64
  uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t Random::below(uint32_t n) {
  return static_cast<uint32_t>((bits() >> 32) * n >> 32);
}

float Random::uniform(float low, float high) {
  return low + (high - low) * static_cast<float>(bits() >> 40) * 0x1p-24f;
}

float Random::normal() {  // a sum of eight bytes, of deviation sqrt(8 (256^2 - 1) / 12)
  uint64_t word = bits();
  int sum = 0;
  for (int i = 0; i < 8; ++i, word >>= 8) sum += static_cast<int>(word & 255u);
  return (static_cast<float>(sum) - 1020.0f) / 209.0f;
}

std::vector<float> Random::normals(size_t n, float scale) {
  std::vector<float> values(n);
  for (float& v : values) v = normal() * scale;
  return values;
}

std::vector<std::byte> random_blocks(Format format, uint64_t n_values, float deviation, Random& random) {
  const FormatInfo& info = format_info(format);
  if (format == Format::kF32) return bytes_of(random.normals(n_values, deviation));
  std::vector<std::byte> bytes(n_values / info.block_values * info.block_bytes);
  if (format == Format::kF16 || format == Format::kBF16) {
    for (uint64_t i = 0; i < n_values; ++i) {
      const float v = random.normal() * deviation;
      const uint16_t half = format == Format::kF16 ? float_to_half(v) : float_to_bf16(v);
      std::memcpy(&bytes[2 * i], &half, 2);
    }
    return bytes;
  }
  for (size_t i = 0; i < bytes.size(); i += 8) {
    const uint64_t word = random.bits();
    std::memcpy(&bytes[i], &word, std::min<size_t>(8, bytes.size() - i));
  }
  for (size_t i = 0; i < bytes.size(); i += info.block_bytes)
    put_scales(format, &bytes[i], deviation, random);
  return bytes;
}

std::unique_ptr<SyntheticModel> make_synthetic_model(const SyntheticOptions& options) {
  auto made = std::make_unique<SyntheticModel>();
  Model& model = made->model;
  model.shape = options.shape;
  model.shape.n_layers = static_cast<uint32_t>(options.ratios.size());
  for (uint32_t i = 0; i < options.ratios.size(); ++i) {
    Layer layer;
    layer.index = i;
    layer.ratio = options.ratios[i];
    layer.attention = layer.ratio == 0   ? Attention::kWindow
                      : layer.ratio == 4 ? Attention::kCompressedSparse
                                         : Attention::kHeavilyCompressed;
    layer.hash_routed = i < options.n_hash_layers;
    layer.clamp_experts = 1.5f;  // low enough to act
    layer.clamp_shared = 1.0f;
    model.layers.push_back(layer);
  }
  Random random(options.seed);
  for (const TensorSlot& slot : tensor_slots(model)) {
    Tensor& tensor = *slot.tensor;
    tensor.name = slot.name;
    tensor.dims = slot.dims;
    const uint64_t n = tensor.row_values() * tensor.n_rows();
    if (slot.kind == TensorKind::kIds) {
      tensor.format = Format::kI32;
      made->storage.push_back(random_ids(n, model.shape.n_experts, model.shape.n_experts_used, random));
    } else if (slot.kind == TensorKind::kVector) {
      tensor.format = Format::kF32;
      made->storage.push_back(random_vector(slot.name, n, random));
    } else {
      tensor.format = matrix_format(slot.name, options.formats);
      // Rows of `ape` and of the embedding are no weights of a sum.
      const bool plain = contains(slot.name, "ape") || contains(slot.name, "token_embd");
      const float deviation = plain ? 0.5f : 1.0f / std::sqrt(static_cast<float>(tensor.row_values()));
      made->storage.push_back(random_blocks(tensor.format, n, deviation, random));
    }
    tensor.data = made->storage.back().data();
    tensor.bytes = made->storage.back().size();
  }
  return made;
}

ModelShape tiny_shape() {
  ModelShape s;
  s.hidden = 256;
  s.vocab = 512;
  s.context_tokens = 4096;
  s.n_heads = 8;
  s.head_dim = 128;
  s.rope_dim = 32;
  s.q_rank = 256;
  s.out_groups = 2;
  s.out_rank = 128;
  s.window = 64;
  s.indexer_heads = 4;
  s.indexer_dim = 64;
  s.indexer_top_k = 32;
  s.n_experts = 8;
  s.n_experts_used = 3;
  s.expert_hidden = 256;
  s.expert_weights_scale = 1.5f;
  s.sinkhorn_iterations = 20;
  s.rope.yarn_factor = 8;
  s.rope.yarn_original_context = 512;
  return s;
}

ModelShape flash_like_shape() {
  ModelShape s = tiny_shape();
  s.hidden = 4096;
  s.n_heads = 8;
  s.head_dim = 512;
  s.rope_dim = 64;
  s.q_rank = 1024;
  s.out_groups = 2;
  s.out_rank = 1024;
  s.window = 128;
  s.indexer_heads = 8;
  s.indexer_dim = 128;
  s.indexer_top_k = 16;
  s.n_experts = 4;
  s.n_experts_used = 2;
  s.expert_hidden = 2048;
  s.rope.yarn_factor = 16;
  s.rope.yarn_original_context = 65536;
  return s;
}

}  // namespace halyard::test
