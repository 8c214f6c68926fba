// From a file's metadata to the dimensions of the model (spec A.2).
#pragma once
#include <string>
#include <vector>

#include "backend/model.h"
#include "gguf/gguf.h"

namespace halyard {

// Reads and checks the shape and the kind of each layer; tensors are bound by model/weights. Lenient as the
// spec says: any integer or float type, more ratios than layers, scalar clamps, vocab_size from the tokens.
// Throws kUnsupported for another architecture or a shape that this engine cannot run, kBadFile for metadata
// that is missing or contradicts itself; both name the key.
Model read_config(const gguf::Header& header);
// All that read_config would refuse: one sentence each.
std::vector<std::string> config_problems(const gguf::Header& header);

}  // namespace halyard
