// The vocabulary in a model's metadata (spec A.2).
#pragma once
#include "gguf/gguf.h"
#include "text/tokenizer.h"

namespace halyard {

// Throws kBadFile for missing tokens or merges, or a number of tokens other than `n_vocab`; kUnsupported for
// another kind of tokenizer.
Tokenizer read_tokenizer(const gguf::Header& header, uint32_t n_vocab);

}  // namespace halyard
