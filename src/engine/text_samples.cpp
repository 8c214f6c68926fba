#include "engine/text_samples.h"

#include <algorithm>
#include <array>

#include "gguf/writer.h"
#include "text/byte_alphabet.h"
#include "text/tokenizer.h"

namespace halyard {
namespace {

constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;

// The next of a fixed sequence of numbers.
uint64_t next_number(uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

std::string repeated(std::string_view unit, uint64_t n_bytes) {
  std::string text;
  while (text.size() < n_bytes) text += unit;
  text.resize(static_cast<size_t>(n_bytes));
  return text;
}

std::string digits(uint64_t n_bytes) {
  std::string text;
  for (uint64_t state = kSeed; text.size() < n_bytes;)
    text += static_cast<char>('0' + next_number(state) % 10);
  return text;
}

std::string invalid_utf8(uint64_t n_bytes) {
  std::string text;
  for (uint64_t state = kSeed; text.size() < n_bytes;)
    text += static_cast<char>(0x80 + next_number(state) % 0x80);
  return text;
}

std::string prose(uint64_t n_bytes) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"the ",      "harbour ", "lay ",   "quiet, ",          "and ",  "nobody ", "had ",
       "seen ",     "it ",      "since ", "1987. ",           "Über ", "straße ", "naïve ",
       "В начале ", "слово ",   "世界",   "今日は",           "다시 ", "مرحبا ",  "for (i)",
       " += 3;\n",  "\n\n",     "don't ", "e\u0301te\u0301 ", "🦜 ",   "(see ",   "p. 214) ",
       "x*y ",      "HTTP/1.1 "});
  std::string text;
  for (uint64_t state = kSeed; text.size() < n_bytes;) text += kWords[next_number(state) % kWords.size()];
  text.resize(static_cast<size_t>(n_bytes));
  return text;
}

constexpr auto kSamples = std::to_array<TextSample>({
    {"one letter", [](uint64_t n) { return repeated("a", n); }},
    {"spaces", [](uint64_t n) { return repeated(" ", n); }},
    {"digits", digits},
    {"combining marks", [](uint64_t n) { return repeated("\u0301\u0323", n); }},
    {"invalid UTF-8", invalid_utf8},
    {"mixed prose", prose},
});

}  // namespace

std::span<const TextSample> text_samples() {
  return kSamples;
}

std::vector<std::byte> sample_directory(uint32_t divisor) {
  constexpr size_t kBytes = 256;
  const size_t level_words = (size_t{1} << 15) / divisor;
  const size_t n_merges = kSampleMerges / divisor, n_tokens = kSampleTokens / divisor;
  std::vector<std::string> tokens, merges;
  for (size_t byte = 0; byte < kBytes; ++byte)
    tokens.push_back(alphabet_text(std::string(1, static_cast<char>(byte))));
  // A level's words have two words of the level below, the first of them another one each time: no two are
  // the same. The first level is all pairs of a byte and one of the first half.
  const auto add = [&](size_t left, size_t right) {
    if (merges.size() == n_merges) return;
    merges.push_back(tokens[left] + ' ' + tokens[right]);
    tokens.push_back(tokens[left] + tokens[right]);
  };
  for (size_t i = 0; i < level_words; ++i) add(i % kBytes, i / kBytes);
  uint64_t state = kSeed;
  for (size_t level = kBytes; merges.size() < n_merges; level += level_words) {
    for (size_t i = 0; i < level_words; ++i) add(level + i, level + next_number(state) % level_words);
  }
  std::vector<int32_t> types(tokens.size(), static_cast<int32_t>(TokenType::kNormal));
  for (size_t i = 0; tokens.size() < n_tokens; ++i) tokens.push_back("<|special " + std::to_string(i) + "|>");
  types.resize(tokens.size(), static_cast<int32_t>(TokenType::kControl));

  gguf::Writer writer;
  writer.add_string("tokenizer.ggml.model", "gpt2");
  writer.add_string("tokenizer.ggml.pre", "joyai-llm");
  writer.add_strings("tokenizer.ggml.tokens", tokens);
  writer.add_array("tokenizer.ggml.token_type", std::span<const int32_t>(types));
  writer.add_strings("tokenizer.ggml.merges", merges);
  return writer.file();
}

}  // namespace halyard
