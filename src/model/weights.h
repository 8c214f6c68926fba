// Every tensor of the model: name, shape, and where it goes (spec A.3). One list serves binding, placing and
// counting.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "backend/model.h"
#include "gguf/gguf.h"

namespace halyard {

enum class TensorKind {
  kVector,  // norms, scales, biases: F32, F16 or BF16
  kMatrix,  // any format of core/quant with a decoder, but I32
  kIds,     // I32
};

struct TensorSlot {
  std::string name;            // in the file
  std::vector<uint64_t> dims;  // GGUF order
  TensorKind kind;
  Tensor* tensor;  // in the model
};

// The list, from a model whose shape and layers are set.
std::vector<TensorSlot> tensor_slots(Model& model);

// Fills in every tensor from the directory. Throws kBadFile for a missing tensor, overlapping ones or another
// shape, kUnsupported for a format that has no decoder or for tensors that this model does not know (blocks
// after the last layer are left alone: they belong to multi-token prediction); the error names the first and
// says how many there are.
void bind_weights(const gguf::Header& header, Model& model);
// All that bind_weights would refuse, but for overlaps: one sentence each.
std::vector<std::string> weight_problems(const gguf::Header& header, Model& model);

// Points every tensor into `parts`, the files of the model in memory as a whole (mapped, or built in). They
// must outlive the model.
void place_in_memory(Model& model, std::span<const std::span<const std::byte>> parts);

struct WeightBytes {
  uint64_t total = 0;
  // Read for one decoded token: all matrices and vectors, of the experts the share that a token uses, of the
  // embedding and the expert table one row.
  uint64_t per_token = 0;
};
WeightBytes count_bytes(Model& model);

}  // namespace halyard
