// What every backend and the forward pass agree on: the dimensions of a model, its layers and their tensors.
// Plain data; filled in by model/config and model/weights. Words and symbols are those of spec/deepseek4.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/quant.h"

namespace halyard {

inline constexpr uint32_t kHyperStreams = 4;  // residual streams of the hyper-connections (X[h], h = 0..3)

// How a layer sees the past beyond its raw window (spec B.8, B.9).
enum class Attention {
  kWindow,             // ratio 0: raw rows only
  kCompressedSparse,   // CSA, ratio 4: compressed rows chosen by the indexer
  kHeavilyCompressed,  // HCA, larger ratios: all compressed rows
};

struct RopeShape {
  double base = 10000;            // ratio-0 layers
  double compress_base = 160000;  // all others, with YaRN:
  double yarn_factor = 1;
  double yarn_original_context = 65536;
  double yarn_beta_fast = 32, yarn_beta_slow = 1;
};

// Counts of values unless the name says otherwise. The letters of the spec stand behind.
struct ModelShape {
  uint32_t n_layers = 0;  // L
  uint32_t hidden = 0;    // D
  uint32_t vocab = 0;
  uint64_t context_tokens = 0;  // trained context
  uint32_t n_heads = 0;
  uint32_t head_dim = 0;  // HD
  uint32_t rope_dim = 0;  // R: the last R values of a head are rotated
  uint32_t q_rank = 0;
  uint32_t out_groups = 0, out_rank = 0;
  uint32_t window = 0;                                             // W raw rows, the token's own among them
  uint32_t indexer_heads = 0, indexer_dim = 0, indexer_top_k = 0;  // IH, ID, TK
  uint32_t n_experts = 0, n_experts_used = 0, expert_hidden = 0;   // E
  float expert_weights_scale = 1;
  float rms_epsilon = 1e-6f;
  float hc_epsilon = 1e-6f;
  uint32_t sinkhorn_iterations = 0;
  RopeShape rope;

  uint64_t heads_dim() const { return uint64_t{n_heads} * head_dim; }
  uint64_t streams_dim() const { return uint64_t{kHyperStreams} * hidden; }
};

// One tensor of the file. Row r of a matrix [in, out] is the in weights of output r: y[r] = sum_i W[r][i]
// x[i].
struct Tensor {
  std::string name;
  Format format = Format::kF32;
  std::vector<uint64_t> dims;  // GGUF order, dims[0] fastest
  uint32_t part = 0;           // file of a split model, from 0
  uint64_t file_offset = 0;    // in that file
  uint64_t bytes = 0;
  const std::byte* data =
      nullptr;  // host memory or mapping, owned by the loaded model; null: not placed on the host

  bool present() const { return !dims.empty(); }
  uint64_t row_values() const { return dims[0]; }
  uint64_t n_rows() const;  // product of the other dims
  uint64_t row_bytes() const;
};

struct HyperConnection {  // spec B.3: fn [4D, 24], scale [3], base [24]; of the head: [4D, 4], [1], [4]
  Tensor fn, scale, base;
};

struct Compressor {  // spec B.8; width is dim for HCA and 2 dim (halves A and B) for CSA
  Tensor kv, gate;   // [D, width]
  Tensor ape;        // [width, ratio]
  Tensor norm;       // [dim]
};

struct Layer {
  uint32_t index = 0;
  Attention attention = Attention::kWindow;
  uint32_t ratio = 0;                         // tokens in a compressed row; 0 for kWindow
  bool hash_routed = false;                   // experts by token id (tid2eid) instead of by score
  float clamp_experts = 0, clamp_shared = 0;  // SwiGLU clamps (spec B.12)

  HyperConnection hc_attn, hc_ffn;
  Tensor attn_norm, q_a, q_a_norm, q_b, kv, kv_norm, sinks, output_a, output_b;
  Compressor compressor;             // absent for kWindow
  Compressor indexer_compressor;     // kCompressedSparse only
  Tensor indexer_q_b, indexer_proj;  // kCompressedSparse only
  Tensor ffn_norm, router, router_bias, token_experts;
  Tensor gate_experts, up_experts, down_experts;  // [in, out, E], the expert slowest
  Tensor gate_shared, up_shared, down_shared;
};

struct Model {
  ModelShape shape;
  Tensor token_embedding, output, output_norm;
  HyperConnection output_hc;
  std::vector<Layer> layers;
};

}  // namespace halyard
