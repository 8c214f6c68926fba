#include "engine/vocabulary.h"

#include <algorithm>
#include <array>
#include <string>

#include "gguf/printable.h"

namespace halyard {
namespace {

// One splitter under its names in published files.
constexpr std::array<std::string_view, 3> kSplitters = {"joyai-llm", "deepseek-v3", "deepseek-v4"};

void check_kind(const gguf::Header& header) {
  const std::string_view model = header.string("tokenizer.ggml.model");
  const std::string_view pre =
      header.find("tokenizer.ggml.pre") ? header.string("tokenizer.ggml.pre") : kSplitters.front();
  const bool known = std::find(kSplitters.begin(), kSplitters.end(), pre) != kSplitters.end();
  if (model == "gpt2" && known) return;
  throw Error(ErrorCode::kUnsupported,
              "the tokenizer is " + gguf::quoted(model) + " with the splitter " + gguf::quoted(pre),
              header.where + ", tokenizer.ggml", "use a DeepSeek V4 file (\"gpt2\", \"joyai-llm\")");
}

std::optional<uint64_t> optional_id(const gguf::Header& header, std::string_view key) {
  if (!header.find(key)) return std::nullopt;
  return header.uint(key);
}

// Before the list is read: as views or numbers it takes up to eight times its bytes in the file.
void check_count(const gguf::Header& header, const std::string& key, uint32_t n_vocab) {
  const gguf::Value* value = header.find(key);
  const auto* array = value ? std::get_if<gguf::Array>(&value->data) : nullptr;
  if (!array || array->count == n_vocab) return;
  throw Error(ErrorCode::kBadFile,
              std::to_string(array->count) + " entries for a vocabulary of " + std::to_string(n_vocab),
              header.where + ", " + key, "fetch the file again");
}

}  // namespace

Tokenizer read_tokenizer(const gguf::Header& header, uint32_t n_vocab) {
  check_kind(header);
  check_count(header, "tokenizer.ggml.tokens", n_vocab);
  check_count(header, "tokenizer.ggml.token_type", n_vocab);
  Vocabulary vocabulary;
  vocabulary.tokens = header.string_list("tokenizer.ggml.tokens");
  vocabulary.merges = header.string_list("tokenizer.ggml.merges");
  if (header.find("tokenizer.ggml.token_type"))
    vocabulary.types = header.int_list("tokenizer.ggml.token_type");
  vocabulary.bos = optional_id(header, "tokenizer.ggml.bos_token_id");
  vocabulary.eos = optional_id(header, "tokenizer.ggml.eos_token_id");
  vocabulary.pad = optional_id(header, "tokenizer.ggml.padding_token_id");
  return Tokenizer(vocabulary);
}

}  // namespace halyard
