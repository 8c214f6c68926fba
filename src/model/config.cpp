#include "model/config.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "gguf/printable.h"

namespace halyard {
namespace {

constexpr std::string_view kArchitecture = "deepseek4";
constexpr uint64_t kMaxDim = uint64_t{1} << 24;  // no product of two dimensions leaves 64 bits
constexpr uint64_t kMaxLayers = 512;             // Flash has 43
constexpr uint64_t kMaxListed = 2 * kMaxLayers;  // values of a list for each layer
constexpr uint32_t kSparseRatio = 4;             // compressed rows of CSA layers

// Reads keys of this architecture. A fault is thrown, or collected where somebody wants to hear of all of
// them: then a value that runs is read in its place.
class Reader {
 public:
  explicit Reader(const gguf::Header& header, std::vector<std::string>* problems = nullptr)
      : header_(header), problems_(problems) {}

  static std::string key(std::string_view name) {
    return std::string(kArchitecture) + "." + std::string(name);
  }
  bool has(std::string_view name) const { return header_.find(key(name)) != nullptr; }
  const gguf::Header& header() const { return header_; }

  uint32_t dim(std::string_view name, uint64_t low = 1, uint64_t high = kMaxDim) const {
    return static_cast<uint32_t>(checked<uint64_t>(name, low, high, [&] { return header_.uint(key(name)); }));
  }
  double real(std::string_view name, double low, double high) const {
    return checked<double>(name, low, high, [&] { return header_.real(key(name)); });
  }
  // What `read` gives; `otherwise` where it throws and faults are collected.
  template <typename Read, typename Value>
  Value value(Read read, Value otherwise) const {
    try {
      return read();
    } catch (const Error& error) {
      if (problems_ == nullptr) throw;
      problems_->push_back(error.problem());
      return otherwise;
    }
  }

  void require(bool holds, std::string_view name, const std::string& found,
               const std::string& runnable) const {
    if (holds) return;
    const Error error(ErrorCode::kUnsupported, "unsupported shape: " + key(name) + " is " + found,
                      header_.where + ", metadata",
                      "this engine runs " + runnable + "; use a published DeepSeek V4 file");
    if (problems_ == nullptr) throw error;
    problems_->push_back(error.problem());
  }

 private:
  template <typename Value, typename Read>
  Value checked(std::string_view name, Value low, Value high, Read read) const {
    const Value v = value(read, low);
    const bool in_range = v >= low && v <= high;
    require(in_range, name, std::to_string(v), std::to_string(low) + " to " + std::to_string(high));
    return in_range ? v : low;
  }

  const gguf::Header& header_;
  std::vector<std::string>* problems_;
};

void check_architecture(const gguf::Header& header) {
  const std::string_view found = header.string("general.architecture");
  if (found == kArchitecture) return;
  throw Error(ErrorCode::kUnsupported, "the model's architecture is " + gguf::quoted(found),
              header.where + ", general.architecture",
              "Halyard runs \"" + std::string(kArchitecture) + "\" (DeepSeek V4) only");
}

uint32_t read_vocab(const Reader& read) {
  if (read.has("vocab_size")) return read.dim("vocab_size");
  const gguf::Value* tokens = read.header().find("tokenizer.ggml.tokens");
  const auto* list = tokens ? std::get_if<gguf::Array>(&tokens->data) : nullptr;
  const bool countable = list && list->count >= 1 && list->count <= kMaxDim;
  read.require(countable, "vocab_size", "missing, and there are no tokens",
               "a file with vocab_size or tokenizer.ggml.tokens");
  return countable ? static_cast<uint32_t>(list->count) : 1;
}

RopeShape read_rope(const Reader& read) {
  constexpr double kHuge = 1e12;
  RopeShape rope;
  rope.base = read.real("rope.freq_base", 1.000001, kHuge);
  rope.compress_base = read.real("attention.compress_rope_freq_base", 1.000001, kHuge);
  rope.yarn_factor = read.real("rope.scaling.factor", 1e-6, kHuge);
  rope.yarn_original_context = read.real("rope.scaling.original_context_length", 1, kHuge);
  if (read.has("rope.scaling.yarn_beta_fast"))
    rope.yarn_beta_fast = read.real("rope.scaling.yarn_beta_fast", 1e-6, kHuge);
  if (read.has("rope.scaling.yarn_beta_slow"))
    rope.yarn_beta_slow = read.real("rope.scaling.yarn_beta_slow", 1e-6, kHuge);
  return rope;
}

ModelShape read_shape(const Reader& read) {
  ModelShape s;
  // A layer has tensors of its own: a count that the directory cannot hold is refused before anything is
  // sized by it.
  s.n_layers = read.dim("block_count", 1, std::clamp<uint64_t>(read.header().tensors.size(), 1, kMaxLayers));
  s.hidden = read.dim("embedding_length");
  s.vocab = read_vocab(read);
  if (read.has("context_length")) {
    s.context_tokens =
        read.value([&] { return read.header().uint(Reader::key("context_length")); }, uint64_t{0});
  }
  s.n_heads = read.dim("attention.head_count");
  read.dim("attention.head_count_kv", 1, 1);
  s.head_dim = read.dim("attention.key_length");
  read.dim("attention.value_length", s.head_dim, s.head_dim);
  s.rope_dim = read.dim("rope.dimension_count", 2, s.head_dim);
  read.require(s.rope_dim % 2 == 0, "rope.dimension_count", std::to_string(s.rope_dim), "an even number");
  s.q_rank = read.dim("attention.q_lora_rank");
  s.out_groups = read.dim("attention.output_group_count", 1, s.n_heads);
  read.require(s.n_heads % s.out_groups == 0, "attention.output_group_count", std::to_string(s.out_groups),
               "a divisor of the head count");
  s.out_rank = read.dim("attention.output_lora_rank");
  s.window = read.dim("attention.sliding_window");
  s.indexer_heads = read.dim("attention.indexer.head_count");
  s.indexer_dim = read.dim("attention.indexer.key_length", s.rope_dim);
  read.require(std::has_single_bit(s.indexer_dim), "attention.indexer.key_length",
               std::to_string(s.indexer_dim), "a power of two (Hadamard transform)");
  s.indexer_top_k = read.dim("attention.indexer.top_k");
  s.n_experts = read.dim("expert_count");
  s.n_experts_used = read.dim("expert_used_count", 1, s.n_experts);
  read.dim("expert_shared_count", 1, 1);
  s.expert_hidden = read.dim("expert_feed_forward_length");
  s.expert_weights_scale = static_cast<float>(read.real("expert_weights_scale", 0, 1e6));
  s.rms_epsilon = static_cast<float>(read.real("attention.layer_norm_rms_epsilon", 0, 1));
  s.hc_epsilon = static_cast<float>(read.real("hyper_connection.epsilon", 0, 1));
  read.dim("hyper_connection.count", kHyperStreams, kHyperStreams);
  s.sinkhorn_iterations = read.dim("hyper_connection.sinkhorn_iterations", 1, 1000);
  s.rope = read_rope(read);
  return s;
}

void check_routing(const Reader& read) {
  const gguf::Header& header = read.header();
  if (read.has("expert_gating_func")) read.dim("expert_gating_func", 4, 4);  // sqrt(softplus)
  if (read.has("expert_group_count")) read.dim("expert_group_count", 0, 1);
  if (read.has("expert_weights_norm")) {
    const bool norm = read.value([&] { return header.boolean(Reader::key("expert_weights_norm")); }, true);
    read.require(norm, "expert_weights_norm", "false", "true");
  }
}

// A list for each layer: one value serves all, more than the layers are for blocks that this engine does not
// run.
template <typename T>
T of_layer(const Reader& read, std::string_view name, const std::vector<T>& list, uint32_t n_layers,
           uint32_t index) {
  if (list.size() == 1) return list[0];
  if (list.size() < n_layers) {
    throw Error(ErrorCode::kBadFile,
                read.key(name) + " has " + std::to_string(list.size()) + " values for " +
                    std::to_string(n_layers) + " layers",
                read.header().where + ", metadata", "fetch the file again, or one made by a newer converter");
  }
  return list[index];
}

// Before it is read: as numbers a list takes up to eight times its bytes in the file.
void check_list(const Reader& read, std::string_view name) {
  const gguf::Value* value = read.header().find(Reader::key(name));
  const auto* array = value ? std::get_if<gguf::Array>(&value->data) : nullptr;
  read.require(!array || array->count <= kMaxListed, name,
               array ? std::to_string(array->count) + " values" : "",
               "lists of up to " + std::to_string(kMaxListed) + " values");
}

std::vector<Layer> read_layers(const Reader& read, const ModelShape& shape) {
  const gguf::Header& header = read.header();
  for (const char* name : {"attention.compress_ratios", "swiglu_clamp_exp", "swiglu_clamp_shexp"})
    check_list(read, name);
  const std::vector<int64_t> ratios = header.int_list(read.key("attention.compress_ratios"));
  const std::vector<double> clamps = header.real_list(read.key("swiglu_clamp_exp"));
  const std::vector<double> shared_clamps =
      read.has("swiglu_clamp_shexp") ? header.real_list(read.key("swiglu_clamp_shexp")) : clamps;
  const uint32_t n_hashed = read.dim("hash_layer_count", 0, shape.n_layers);

  std::vector<Layer> layers(shape.n_layers);
  for (uint32_t i = 0; i < shape.n_layers; ++i) {
    Layer& layer = layers[i];
    layer.index = i;
    const int64_t ratio = of_layer(read, "attention.compress_ratios", ratios, shape.n_layers, i);
    read.require(ratio == 0 || (ratio >= kSparseRatio && ratio <= 65536), "attention.compress_ratios",
                 std::to_string(ratio), "0, 4 and larger ratios");
    layer.ratio = static_cast<uint32_t>(ratio);
    layer.attention = ratio == 0              ? Attention::kWindow
                      : ratio == kSparseRatio ? Attention::kCompressedSparse
                                              : Attention::kHeavilyCompressed;
    layer.hash_routed = i < n_hashed;
    layer.clamp_experts = static_cast<float>(of_layer(read, "swiglu_clamp_exp", clamps, shape.n_layers, i));
    layer.clamp_shared =
        static_cast<float>(of_layer(read, "swiglu_clamp_shexp", shared_clamps, shape.n_layers, i));
    const bool clamps_hold = layer.clamp_experts > 0 && layer.clamp_shared > 0;
    read.require(clamps_hold, "swiglu_clamp_exp", "not positive in layer " + std::to_string(i),
                 "clamps above 0");
  }
  return layers;
}

}  // namespace

Model read_config(const gguf::Header& header) {
  check_architecture(header);
  const Reader read(header);
  check_routing(read);
  Model model;
  model.shape = read_shape(read);
  model.layers = read_layers(read, model.shape);
  return model;
}

std::vector<std::string> config_problems(const gguf::Header& header) {
  std::vector<std::string> problems;
  const Reader read(header, &problems);
  read.value([&] { return check_architecture(header), true; }, true);
  check_routing(read);
  const ModelShape shape = read_shape(read);
  if (problems.empty()) read.value([&] { return read_layers(Reader(header), shape).size(); }, size_t{0});
  return problems;
}

}  // namespace halyard
