#include "model/weights.h"

#include <optional>
#include <unordered_set>

#include "backend/math/hyper_connection.h"
#include "gguf/printable.h"
#include "halyard/error.h"

namespace halyard {
namespace {

class SlotList {
 public:
  explicit SlotList(std::string prefix) : prefix_(std::move(prefix)) {}

  void vector(const std::string& name, uint64_t n, Tensor& tensor) {
    slots.push_back({prefix_ + name, {n}, TensorKind::kVector, &tensor});
  }
  void matrix(const std::string& name, std::vector<uint64_t> dims, Tensor& tensor) {
    slots.push_back({prefix_ + name, std::move(dims), TensorKind::kMatrix, &tensor});
  }
  void ids(const std::string& name, std::vector<uint64_t> dims, Tensor& tensor) {
    slots.push_back({prefix_ + name, std::move(dims), TensorKind::kIds, &tensor});
  }
  void hyper_connection(const std::string& name, const ModelShape& s, uint64_t n_mix, uint64_t n_scales,
                        HyperConnection& hc) {
    matrix(name + "_fn.weight", {s.streams_dim(), n_mix}, hc.fn);
    vector(name + "_scale.weight", n_scales, hc.scale);
    vector(name + "_base.weight", n_mix, hc.base);
  }
  void compressor(const std::string& name, const ModelShape& s, uint64_t dim, const Layer& layer,
                  Compressor& c) {
    const uint64_t width = layer.attention == Attention::kCompressedSparse ? 2 * dim : dim;  // halves A and B
    matrix(name + "_kv.weight", {s.hidden, width}, c.kv);
    matrix(name + "_gate.weight", {s.hidden, width}, c.gate);
    matrix(name + "_ape.weight", {width, layer.ratio}, c.ape);
    vector(name + "_norm.weight", dim, c.norm);
  }

  std::vector<TensorSlot> slots;

 private:
  std::string prefix_;
};

void add_attention(SlotList& list, const ModelShape& s, Layer& layer) {
  list.hyper_connection("hc_attn", s, kHyperMix, 3, layer.hc_attn);
  list.vector("attn_norm.weight", s.hidden, layer.attn_norm);
  list.matrix("attn_q_a.weight", {s.hidden, s.q_rank}, layer.q_a);
  list.vector("attn_q_a_norm.weight", s.q_rank, layer.q_a_norm);
  list.matrix("attn_q_b.weight", {s.q_rank, s.heads_dim()}, layer.q_b);
  list.matrix("attn_kv.weight", {s.hidden, s.head_dim}, layer.kv);
  list.vector("attn_kv_a_norm.weight", s.head_dim, layer.kv_norm);
  list.vector("attn_sinks.weight", s.n_heads, layer.sinks);
  list.matrix("attn_output_a.weight", {s.heads_dim() / s.out_groups, uint64_t{s.out_groups} * s.out_rank},
              layer.output_a);
  list.matrix("attn_output_b.weight", {uint64_t{s.out_groups} * s.out_rank, s.hidden}, layer.output_b);
  if (layer.ratio != 0) list.compressor("attn_compressor", s, s.head_dim, layer, layer.compressor);
  if (layer.attention == Attention::kCompressedSparse) {
    list.compressor("indexer_compressor", s, s.indexer_dim, layer, layer.indexer_compressor);
    list.matrix("indexer.attn_q_b.weight", {s.q_rank, uint64_t{s.indexer_heads} * s.indexer_dim},
                layer.indexer_q_b);
    list.matrix("indexer.proj.weight", {s.hidden, s.indexer_heads}, layer.indexer_proj);
  }
}

void add_feed_forward(SlotList& list, const ModelShape& s, Layer& layer) {
  list.hyper_connection("hc_ffn", s, kHyperMix, 3, layer.hc_ffn);
  list.vector("ffn_norm.weight", s.hidden, layer.ffn_norm);
  list.matrix("ffn_gate_inp.weight", {s.hidden, s.n_experts}, layer.router);
  if (layer.hash_routed) {
    list.ids("ffn_gate_tid2eid.weight", {s.n_experts_used, s.vocab}, layer.token_experts);
  } else {
    list.vector("exp_probs_b.bias", s.n_experts, layer.router_bias);
  }
  list.matrix("ffn_gate_exps.weight", {s.hidden, s.expert_hidden, s.n_experts}, layer.gate_experts);
  list.matrix("ffn_up_exps.weight", {s.hidden, s.expert_hidden, s.n_experts}, layer.up_experts);
  list.matrix("ffn_down_exps.weight", {s.expert_hidden, s.hidden, s.n_experts}, layer.down_experts);
  list.matrix("ffn_gate_shexp.weight", {s.hidden, s.expert_hidden}, layer.gate_shared);
  list.matrix("ffn_up_shexp.weight", {s.hidden, s.expert_hidden}, layer.up_shared);
  list.matrix("ffn_down_shexp.weight", {s.expert_hidden, s.hidden}, layer.down_shared);
}

bool format_fits(TensorKind kind, const FormatInfo& format) {
  if (kind == TensorKind::kIds) return format.id == Format::kI32;
  if (kind == TensorKind::kVector) {
    return format.id == Format::kF32 || format.id == Format::kF16 || format.id == Format::kBF16;
  }
  return format.decode != nullptr && format.id != Format::kI32;
}

std::string shape_text(const std::vector<uint64_t>& dims) {
  std::string text = "[";
  for (uint64_t d : dims) text += (text.size() > 1 ? ", " : "") + std::to_string(d);
  return text + "]";
}

// The part after "blk.N." of a block that comes after the model's layers, such as the MTP block.
bool is_later_block(const std::string& name, uint32_t n_layers) {
  if (name.rfind("mtp.", 0) == 0) return true;
  if (name.rfind("blk.", 0) != 0) return false;
  uint64_t index = 0;
  size_t i = 4;
  for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && index < n_layers; ++i) {
    index = index * 10 + static_cast<uint64_t>(name[i] - '0');
  }
  return i > 4 && index >= n_layers;
}

// What is wrong with a tensor that the file has; nothing when it fits.
std::optional<Error> fault_of(const gguf::TensorInfo& info, const TensorSlot& slot,
                              const std::string& where) {
  std::vector<uint64_t> dims = info.dims;
  while (dims.size() > slot.dims.size() && dims.back() == 1) dims.pop_back();
  if (dims != slot.dims) {
    return Error(ErrorCode::kBadFile,
                 slot.name + " has the shape " + shape_text(info.dims) + ", not " + shape_text(slot.dims),
                 where, "metadata and tensors do not belong together; fetch the file again");
  }
  if (!info.format || !format_fits(slot.kind, *info.format)) {
    const std::string format =
        info.format ? std::string(info.format->name) : "type " + std::to_string(info.ggml_type);
    return Error(ErrorCode::kUnsupported,
                 slot.name + " is stored as " + format + ", which Halyard cannot read here", where,
                 "use a file of a published mix, such as Q8_0 with IQ2_XXS and Q2_K experts");
  }
  return std::nullopt;
}

// A hostile file has a fault for each of a million tensors: they are handed on one by one, not collected.
void for_each_fault(const gguf::Header& header, const std::vector<TensorSlot>& slots, uint32_t n_layers,
                    const std::function<void(const Error&)>& hand_on) {
  std::unordered_set<std::string_view> known;
  for (const TensorSlot& slot : slots) {
    known.insert(slot.name);
    const gguf::TensorInfo* info = header.find_tensor(slot.name);
    if (!info) {
      hand_on(Error(ErrorCode::kBadFile, "the file has no tensor " + slot.name, header.where,
                    "fetch the whole file again; of a split model pass the first part"));
    } else if (const std::optional<Error> fault = fault_of(*info, slot, header.where)) {
      hand_on(*fault);
    }
  }
  for (const gguf::TensorInfo& info : header.tensors) {
    if (known.contains(info.name) || is_later_block(info.name, n_layers)) continue;
    hand_on(Error(ErrorCode::kUnsupported,
                  "a tensor that this model does not have: " + gguf::quoted(info.name), header.where,
                  "the file is of a variant that Halyard does not run; use a published DeepSeek V4 file"));
  }
}

}  // namespace

std::vector<TensorSlot> tensor_slots(Model& model) {
  const ModelShape& s = model.shape;
  SlotList all("");
  all.matrix("token_embd.weight", {s.hidden, s.vocab}, model.token_embedding);
  all.matrix("output.weight", {s.hidden, s.vocab}, model.output);
  all.vector("output_norm.weight", s.hidden, model.output_norm);
  all.hyper_connection("output_hc", s, kHyperStreams, 1, model.output_hc);
  for (Layer& layer : model.layers) {
    SlotList list("blk." + std::to_string(layer.index) + ".");
    add_attention(list, s, layer);
    add_feed_forward(list, s, layer);
    all.slots.insert(all.slots.end(), list.slots.begin(), list.slots.end());
  }
  return all.slots;
}

std::vector<std::string> weight_problems(const gguf::Header& header, Model& model) {
  std::vector<std::string> problems;
  for_each_fault(header, tensor_slots(model), model.shape.n_layers,
                 [&](const Error& fault) { problems.push_back(fault.problem()); });
  return problems;
}

void bind_weights(const gguf::Header& header, Model& model) {
  const std::vector<TensorSlot> slots = tensor_slots(model);
  std::optional<Error> first;
  uint64_t n_faults = 0;
  const auto count = [&](const Error& fault) {
    if (n_faults++ == 0) first = fault;
  };
  for_each_fault(header, slots, model.shape.n_layers, count);
  for (const std::string& overlap : gguf::find_overlaps(header)) {
    count(Error(ErrorCode::kBadFile, overlap, header.where, "fetch the file again"));
  }
  if (first) {
    const std::string more =
        n_faults > 1 ? " (and " + std::to_string(n_faults - 1) + " more; see inspect)" : "";
    throw Error(first->code(), first->problem() + more, first->where(), first->fix());
  }
  for (const TensorSlot& slot : slots) {
    const gguf::TensorInfo& info = *header.find_tensor(slot.name);
    *slot.tensor = {slot.name, info.format->id, slot.dims, info.part, info.offset, info.bytes, nullptr};
  }
}

void place_in_memory(Model& model, std::span<const std::span<const std::byte>> parts) {
  for (const TensorSlot& slot : tensor_slots(model)) {
    slot.tensor->data = parts[slot.tensor->part].data() + slot.tensor->file_offset;
  }
}

WeightBytes count_bytes(Model& model) {
  WeightBytes n;
  const ModelShape& s = model.shape;
  for (const TensorSlot& slot : tensor_slots(model)) {
    const Tensor& t = *slot.tensor;
    n.total += t.bytes;
    if (slot.kind == TensorKind::kIds || slot.tensor == &model.token_embedding) {
      n.per_token += t.row_bytes();
    } else if (slot.dims.size() == 3) {
      n.per_token += t.bytes / s.n_experts * s.n_experts_used;
    } else {
      n.per_token += t.bytes;
    }
  }
  return n;
}

}  // namespace halyard
