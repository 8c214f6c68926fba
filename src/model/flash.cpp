#include "model/flash.h"

#include <algorithm>
#include <array>

#include "model/config.h"

namespace halyard {
namespace {

constexpr uint32_t kLayers = 43;
constexpr uint64_t kDataOffset = 5333824;

// The formats of the experts. Everything else is the same in all mixes.
struct Experts {
  Format gate_up, down;
};
constexpr Experts kTwoBits{Format::kIQ2_XXS, Format::kQ2_K};
constexpr Experts kFourBits{Format::kQ4_K, Format::kQ4_K};
constexpr Experts kMxfp4{Format::kMXFP4, Format::kMXFP4};

struct Row {
  FlashMix mix;
  Experts experts;
  Experts last_experts;  // of the layers from 37 on
};
constexpr uint32_t kFirstOfLastExperts = 37;

constexpr std::array kRows = {
    Row{{"flash-q2", 86720111488, kDataOffset}, kTwoBits, kTwoBits},
    Row{{"flash-q2q4", 97591747456, kDataOffset}, kTwoBits, kFourBits},
    Row{{"flash-q4", 164633502592, kDataOffset}, kFourBits, kFourBits},
    Row{{"flash-mxfp4", 155976458848, 5333536}, kMxfp4, kMxfp4},
};

constexpr auto kMixes = [] {
  std::array<FlashMix, kRows.size()> mixes{};
  for (size_t i = 0; i < kRows.size(); ++i) mixes[i] = kRows[i].mix;
  return mixes;
}();

const Experts& experts_of(const FlashMix& mix, uint32_t layer) {
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.mix.name == mix.name; });
  return layer < kFirstOfLastExperts ? row->experts : row->last_experts;
}

// "blk.37.ffn_up_exps.weight" -> 37
uint32_t layer_of(const std::string& name) {
  uint32_t layer = 0;
  for (size_t i = 4; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i)
    layer = layer * 10 + static_cast<uint32_t>(name[i] - '0');
  return layer;
}

template <class T>
WriteEntry scalar(T value) {
  return [value](gguf::Writer& writer, const std::string& key) { writer.add(key, value); };
}

template <class T>
WriteEntry array(std::vector<T> values) {
  return [values](gguf::Writer& writer, const std::string& key) {
    writer.add_array(key, std::span<const T>(values));
  };
}

WriteEntry text(std::string value) {
  return [value](gguf::Writer& writer, const std::string& key) { writer.add_string(key, value); };
}

void append_tensor(gguf::Header& header, const FlashMix& mix, const TensorSlot& slot) {
  gguf::TensorInfo info;
  info.name = slot.name;
  info.dims = slot.dims;
  info.format = &format_info(flash_format(mix, slot));
  info.ggml_type = static_cast<uint32_t>(info.format->id);
  info.n_values = 1;
  for (const uint64_t d : slot.dims) info.n_values *= d;
  info.bytes = info.n_values / info.format->block_values * info.format->block_bytes;
  info.offset = header.file_bytes;
  header.file_bytes += (info.bytes + header.alignment - 1) / header.alignment * header.alignment;
  header.tensors.push_back(std::move(info));
}

}  // namespace

std::span<const FlashMix> flash_mixes() {
  return kMixes;
}

const FlashMix* find_flash_mix(std::string_view name) {
  const auto found =
      std::find_if(kMixes.begin(), kMixes.end(), [&](const FlashMix& mix) { return mix.name == name; });
  return found == kMixes.end() ? nullptr : &*found;
}

std::map<std::string, WriteEntry> flash_entries() {
  std::vector<int32_t> ratios;
  for (uint32_t i = 0; i < kLayers; ++i) ratios.push_back(i < 2 ? 0 : i % 2 == 0 ? 4 : 128);
  const std::vector<float> clamps(kLayers, 10.0f);
  const auto u32 = [](uint32_t v) { return scalar<uint32_t>(v); };
  return {
      {"general.architecture", text("deepseek4")},
      {"deepseek4.block_count", u32(kLayers)},
      {"deepseek4.context_length", u32(1048576)},
      {"deepseek4.embedding_length", u32(4096)},
      {"deepseek4.vocab_size", u32(129280)},
      {"deepseek4.attention.head_count", u32(64)},
      {"deepseek4.attention.head_count_kv", u32(1)},
      {"deepseek4.attention.key_length", u32(512)},
      {"deepseek4.attention.value_length", u32(512)},
      {"deepseek4.attention.layer_norm_rms_epsilon", scalar<float>(1e-6f)},
      {"deepseek4.attention.q_lora_rank", u32(1024)},
      {"deepseek4.attention.output_lora_rank", u32(1024)},
      {"deepseek4.attention.output_group_count", u32(8)},
      {"deepseek4.attention.sliding_window", u32(128)},
      {"deepseek4.attention.indexer.head_count", u32(64)},
      {"deepseek4.attention.indexer.key_length", u32(128)},
      {"deepseek4.attention.indexer.top_k", u32(512)},
      {"deepseek4.attention.compress_ratios", array(ratios)},
      {"deepseek4.attention.compress_rope_freq_base", scalar<float>(160000.0f)},
      {"deepseek4.rope.dimension_count", u32(64)},
      {"deepseek4.rope.freq_base", scalar<float>(10000.0f)},
      {"deepseek4.rope.scaling.type", text("yarn")},
      {"deepseek4.rope.scaling.factor", scalar<float>(16.0f)},
      {"deepseek4.rope.scaling.original_context_length", u32(65536)},
      {"deepseek4.rope.scaling.yarn_beta_fast", scalar<float>(32.0f)},
      {"deepseek4.rope.scaling.yarn_beta_slow", scalar<float>(1.0f)},
      {"deepseek4.expert_count", u32(256)},
      {"deepseek4.expert_used_count", u32(6)},
      {"deepseek4.expert_shared_count", u32(1)},
      {"deepseek4.expert_feed_forward_length", u32(2048)},
      {"deepseek4.expert_weights_scale", scalar<float>(1.5f)},
      {"deepseek4.expert_weights_norm", scalar<bool>(true)},
      {"deepseek4.expert_gating_func", u32(4)},
      {"deepseek4.swiglu_clamp_exp", array(clamps)},
      {"deepseek4.swiglu_clamp_shexp", array(clamps)},
      {"deepseek4.hash_layer_count", u32(3)},
      {"deepseek4.hyper_connection.count", u32(4)},
      {"deepseek4.hyper_connection.sinkhorn_iterations", u32(20)},
      {"deepseek4.hyper_connection.epsilon", scalar<float>(1e-6f)},
  };
}

// Q8_0 projections, F16 for the small matrices and the embedding, experts as the mix has them.
Format flash_format(const FlashMix& mix, const TensorSlot& slot) {
  const auto has = [&](std::string_view part) { return slot.name.find(part) != std::string::npos; };
  if (slot.kind == TensorKind::kIds) return Format::kI32;
  if (slot.kind == TensorKind::kVector) return Format::kF32;
  if (has("gate_exps") || has("up_exps")) return experts_of(mix, layer_of(slot.name)).gate_up;
  if (has("down_exps")) return experts_of(mix, layer_of(slot.name)).down;
  const bool small =
      has("_fn.") || has("compressor") || has("indexer") || has("gate_inp") || has("token_embd");
  return small ? Format::kF16 : Format::kQ8_0;
}

FlashDirectory flash_directory(const FlashMix& mix) {
  gguf::Writer writer;
  for (const auto& [key, write] : flash_entries()) write(writer, key);
  FlashDirectory directory;
  directory.metadata = writer.file();
  gguf::Header& header = directory.header;
  header = gguf::parse(directory.metadata, directory.metadata.size(), mix.name);
  // The list of tensors comes from the shape, and read_config wants at least one tensor a layer.
  for (uint32_t i = 0; i < kLayers; ++i) header.tensors.emplace_back().name = "layer " + std::to_string(i);
  Model model = read_config(header);
  header.tensors.clear();
  header.data_offset = header.file_bytes = mix.data_offset;
  for (const TensorSlot& slot : tensor_slots(model)) append_tensor(header, mix, slot);
  header.make_indexes();
  return directory;
}

Model flash_model(const FlashMix& mix) {
  const FlashDirectory directory = flash_directory(mix);
  Model model = read_config(directory.header);
  bind_weights(directory.header, model);
  return model;
}

}  // namespace halyard
