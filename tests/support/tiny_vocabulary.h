// The tokenizer of a GGUF file of the reference model. Only for tests.
#pragma once
#include <string>

#include "text/tokenizer.h"

namespace halyard::test {

// Throws Error when the file is not there or its metadata lack the vocabulary.
Tokenizer read_tiny_tokenizer(const std::string& path);

}  // namespace halyard::test
