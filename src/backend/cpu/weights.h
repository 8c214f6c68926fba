// The small tensors of a model as floats, decoded once; and the check that the large ones have kernels.
#pragma once
#include <vector>

#include "backend/cpu/kernels.h"
#include "backend/model.h"

namespace halyard::cpu {

struct SmallHyperConnection {
  std::vector<float> scale, base;
};

struct SmallCompressor {
  std::vector<float> ape;  // [ratio][width]
  std::vector<float> norm;
};

struct SmallWeights {
  SmallHyperConnection hc_attn, hc_ffn;
  std::vector<float> attn_norm, q_a_norm, kv_norm, sinks, ffn_norm, router_bias;
  SmallCompressor compressor, indexer_compressor;
};

// Absent tensors give empty vectors. Throws kUnsupported as find_decoder does.
SmallWeights decode_small(const Layer& layer);
std::vector<float> decode_small(const Tensor& tensor);
// The reference decoder of the tensor's format. Throws kUnsupported with the tensor's name when there is
// none.
const FormatInfo& find_decoder(const Tensor& tensor);

// Throws kUnsupported with the name of the first matrix that `kernels` cannot multiply.
void check_matrices(const Model& model, const Kernels& kernels);

}  // namespace halyard::cpu
