#include "support/tiny_vocabulary.h"

#include <fstream>
#include <iterator>
#include <span>

#include "gguf/gguf.h"

namespace halyard::test {

Tokenizer read_tiny_tokenizer(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const gguf::Header header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size(), path);
  Vocabulary vocabulary;
  vocabulary.tokens = header.string_list("tokenizer.ggml.tokens");
  vocabulary.types = header.int_list("tokenizer.ggml.token_type");
  vocabulary.merges = header.string_list("tokenizer.ggml.merges");
  vocabulary.bos = header.uint("tokenizer.ggml.bos_token_id");
  vocabulary.eos = header.uint("tokenizer.ggml.eos_token_id");
  return Tokenizer(vocabulary);
}

}  // namespace halyard::test
