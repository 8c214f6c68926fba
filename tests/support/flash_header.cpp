#include "support/flash_header.h"

#include <list>

#include "model/config.h"
#include "model/weights.h"

namespace halyard::test {
namespace {

constexpr uint32_t kLayers = 43;

std::map<std::string, Override> published_entries() {
  std::vector<int32_t> ratios;
  for (uint32_t i = 0; i < kLayers; ++i) ratios.push_back(i < 2 ? 0 : i % 2 == 0 ? 4 : 128);
  const std::vector<float> clamps(kLayers, 10.0f);
  const auto u32 = [](uint32_t v) { return value<uint32_t>(v); };
  return {
      {"general.architecture",
       [](gguf::Writer& w, const std::string& key) { w.add_string(key, "deepseek4"); }},
      {"block_count", u32(kLayers)},
      {"context_length", u32(1048576)},
      {"embedding_length", u32(4096)},
      {"vocab_size", u32(129280)},
      {"attention.head_count", u32(64)},
      {"attention.head_count_kv", u32(1)},
      {"attention.key_length", u32(512)},
      {"attention.value_length", u32(512)},
      {"attention.layer_norm_rms_epsilon", value<float>(1e-6f)},
      {"attention.q_lora_rank", u32(1024)},
      {"attention.output_lora_rank", u32(1024)},
      {"attention.output_group_count", u32(8)},
      {"attention.sliding_window", u32(128)},
      {"attention.indexer.head_count", u32(64)},
      {"attention.indexer.key_length", u32(128)},
      {"attention.indexer.top_k", u32(512)},
      {"attention.compress_ratios", list(ratios)},
      {"attention.compress_rope_freq_base", value<float>(160000.0f)},
      {"rope.dimension_count", u32(64)},
      {"rope.freq_base", value<float>(10000.0f)},
      {"rope.scaling.factor", value<float>(16.0f)},
      {"rope.scaling.original_context_length", u32(65536)},
      {"rope.scaling.yarn_beta_fast", value<float>(32.0f)},
      {"rope.scaling.yarn_beta_slow", value<float>(1.0f)},
      {"expert_count", u32(256)},
      {"expert_used_count", u32(6)},
      {"expert_shared_count", u32(1)},
      {"expert_feed_forward_length", u32(2048)},
      {"expert_weights_scale", value<float>(1.5f)},
      {"expert_weights_norm", value<bool>(true)},
      {"expert_gating_func", u32(4)},
      {"swiglu_clamp_exp", list(clamps)},
      {"swiglu_clamp_shexp", list(clamps)},
      {"hash_layer_count", u32(3)},
      {"hyper_connection.count", u32(4)},
      {"hyper_connection.sinkhorn_iterations", u32(20)},
      {"hyper_connection.epsilon", value<float>(1e-6f)},
  };
}

// The published q2 mix: IQ2_XXS gate and up experts, Q2_K down; Q8_0 projections; F16 for the small matrices.
Format q2_format(const TensorSlot& slot) {
  const auto has = [&](std::string_view part) { return slot.name.find(part) != std::string::npos; };
  if (slot.kind == TensorKind::kIds) return Format::kI32;
  if (slot.kind == TensorKind::kVector) return Format::kF32;
  if (has("gate_exps") || has("up_exps")) return Format::kIQ2_XXS;
  if (has("down_exps")) return Format::kQ2_K;
  const bool small =
      has("_fn.") || has("compressor") || has("indexer") || has("gate_inp") || has("token_embd");
  return small ? Format::kF16 : Format::kQ8_0;
}

}  // namespace

gguf::Header flash_metadata(const std::map<std::string, Override>& overrides) {
  std::map<std::string, Override> entries = published_entries();
  for (const auto& [key, write] : overrides) entries[key] = write;
  gguf::Writer writer;
  for (const auto& [key, write] : entries) {
    const bool own = key.rfind("general.", 0) != 0 && key.rfind("tokenizer.", 0) != 0;
    if (write) write(writer, own ? "deepseek4." + key : key);
  }
  static std::list<std::vector<std::byte>> files;  // headers view into them
  const std::vector<std::byte>& file = files.emplace_back(writer.file());
  gguf::Header header = gguf::parse(file, file.size(), "flash.gguf");
  for (uint32_t i = 0; i < kLayers; ++i) {
    gguf::TensorInfo& info = header.tensors.emplace_back();
    info.name = "placeholder." + std::to_string(i);
  }
  header.make_indexes();
  return header;
}

gguf::Header flash_header() {
  gguf::Header header = flash_metadata();
  Model model = read_config(header);
  header.tensors.clear();
  header.data_offset = 5333824;
  uint64_t offset = header.data_offset;
  for (const TensorSlot& slot : tensor_slots(model)) {
    gguf::TensorInfo info;
    info.name = slot.name;
    info.dims = slot.dims;
    info.format = &format_info(q2_format(slot));
    info.ggml_type = static_cast<uint32_t>(info.format->id);
    info.n_values = 1;
    for (uint64_t d : slot.dims) info.n_values *= d;
    info.bytes = info.n_values / info.format->block_values * info.format->block_bytes;
    info.offset = offset;
    offset += (info.bytes + header.alignment - 1) / header.alignment * header.alignment;
    header.tensors.push_back(info);
  }
  header.file_bytes = offset;
  header.make_indexes();
  return header;
}

}  // namespace halyard::test
