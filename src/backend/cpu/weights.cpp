#include "backend/cpu/weights.h"

#include <string>

#include "backend/cpu/products.h"
#include "halyard/error.h"

namespace halyard::cpu {
namespace {

std::string format_name(Format format) {
  const FormatInfo* info = find_format(static_cast<uint32_t>(format));
  return info != nullptr ? std::string(info->name)
                         : "format " + std::to_string(static_cast<uint32_t>(format));
}

Error no_kernels(const Tensor& tensor) {
  return {ErrorCode::kUnsupported, "the CPU backend has no kernels for " + format_name(tensor.format),
          tensor.name, "use a model file with this tensor in a supported format (docs/formats.md)"};
}

void check(const Tensor& tensor, const Kernels& kernels) {
  if (!tensor.present()) return;
  if (find_kernels(kernels, tensor.format) == nullptr) throw no_kernels(tensor);
  if (tensor.row_values() % kValueMultiple != 0) {
    throw Error(ErrorCode::kUnsupported,
                "rows of " + std::to_string(tensor.row_values()) +
                    " values: the CPU backend needs a multiple of " + std::to_string(kValueMultiple),
                tensor.name, "use another model file");
  }
}

}  // namespace

const FormatInfo& find_decoder(const Tensor& tensor) {
  const FormatInfo* info = find_format(static_cast<uint32_t>(tensor.format));
  if (info == nullptr || info->decode == nullptr) throw no_kernels(tensor);
  return *info;
}

std::vector<float> decode_small(const Tensor& tensor) {
  if (!tensor.present()) return {};
  std::vector<float> values(tensor.row_values() * tensor.n_rows());
  find_decoder(tensor).decode(tensor.data, values.data(), values.size());
  return values;
}

SmallWeights decode_small(const Layer& layer) {
  const auto hyper_connection = [](const HyperConnection& hc) {
    return SmallHyperConnection{decode_small(hc.scale), decode_small(hc.base)};
  };
  const auto compressor = [](const Compressor& c) {
    return SmallCompressor{decode_small(c.ape), decode_small(c.norm)};
  };
  return {.hc_attn = hyper_connection(layer.hc_attn),
          .hc_ffn = hyper_connection(layer.hc_ffn),
          .attn_norm = decode_small(layer.attn_norm),
          .q_a_norm = decode_small(layer.q_a_norm),
          .kv_norm = decode_small(layer.kv_norm),
          .sinks = decode_small(layer.sinks),
          .ffn_norm = decode_small(layer.ffn_norm),
          .router_bias = decode_small(layer.router_bias),
          .compressor = compressor(layer.compressor),
          .indexer_compressor = compressor(layer.indexer_compressor)};
}

void check_matrices(const Model& model, const Kernels& kernels) {
  check(model.output, kernels);
  check(model.output_hc.fn, kernels);
  for (const Layer& l : model.layers) {
    for (const Tensor* t : {&l.hc_attn.fn,
                            &l.hc_ffn.fn,
                            &l.q_a,
                            &l.q_b,
                            &l.kv,
                            &l.output_a,
                            &l.output_b,
                            &l.compressor.kv,
                            &l.compressor.gate,
                            &l.indexer_compressor.kv,
                            &l.indexer_compressor.gate,
                            &l.indexer_q_b,
                            &l.indexer_proj,
                            &l.router,
                            &l.gate_experts,
                            &l.up_experts,
                            &l.down_experts,
                            &l.gate_shared,
                            &l.up_shared,
                            &l.down_shared}) {
      check(*t, kernels);
    }
  }
}

}  // namespace halyard::cpu
