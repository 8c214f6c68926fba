#include "text/tokenizer.h"

#include <fmt/core.h>
#include <limits>

#include "text/byte_alphabet.h"
#include "text/pretokenizer.h"

namespace halyard {
namespace {

// Bounds the work of looking for special tokens at each place of a text. The model's longest has some 40
// bytes.
constexpr size_t kMaxSpecialBytes = 1024;

[[noreturn]] void fail(const std::string& problem, const std::string& where) {
  throw Error(ErrorCode::kBadFile, problem, where,
              "the model file is damaged or badly converted; fetch it again");
}

bool is_special(TokenType type) {
  return type == TokenType::kControl || type == TokenType::kUserDefined;
}

std::optional<int32_t> checked_id(std::optional<uint64_t> id, size_t n_tokens, const char* field) {
  if (!id) return std::nullopt;
  if (*id >= n_tokens) fail(fmt::format("token {} of {} tokens", *id, n_tokens), field);
  return static_cast<int32_t>(*id);
}

std::string_view view_of(const std::vector<char>& bytes, size_t begin, size_t end) {
  return {bytes.data() + begin, end - begin};
}

}  // namespace

Tokenizer::Tokenizer(const Vocabulary& vocabulary) : merges_(vocabulary.merges.size()) {
  const size_t n_tokens = vocabulary.tokens.size();
  if (n_tokens > std::numeric_limits<int32_t>::max())
    fail(fmt::format("{} tokens", n_tokens), "tokenizer.ggml.tokens");
  bos_ = checked_id(vocabulary.bos, n_tokens, "tokenizer.ggml.bos_token_id");
  eos_ = checked_id(vocabulary.eos, n_tokens, "tokenizer.ggml.eos_token_id");
  pad_ = checked_id(vocabulary.pad, n_tokens, "tokenizer.ggml.padding_token_id");
  read_types(vocabulary);
  read_tokens(vocabulary);
  find_byte_tokens();
  read_merges(vocabulary);
}

void Tokenizer::read_types(const Vocabulary& vocabulary) {
  constexpr const char* kField = "tokenizer.ggml.token_type";
  const size_t n_tokens = vocabulary.tokens.size();
  const std::vector<int64_t>& types = vocabulary.types;
  types_.assign(n_tokens, TokenType::kNormal);
  if (types.empty()) return;
  if (types.size() != n_tokens) fail(fmt::format("{} types for {} tokens", types.size(), n_tokens), kField);
  for (size_t i = 0; i < n_tokens; ++i) {
    if (types[i] < 0 || types[i] > static_cast<int64_t>(TokenType::kByte))
      fail(fmt::format("unknown token type {}", types[i]), fmt::format("{}, entry {}", kField, i));
    types_[i] = static_cast<TokenType>(types[i]);
  }
}

void Tokenizer::read_tokens(const Vocabulary& vocabulary) {
  size_t n_bytes = 0;
  for (const std::string_view text : vocabulary.tokens) n_bytes += text.size();
  bytes_.reserve(n_bytes);  // never exceeded, so that views into it stay valid
  ends_.reserve(vocabulary.tokens.size());
  ordinary_.reserve(vocabulary.tokens.size());

  for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
    const std::string_view text = vocabulary.tokens[i];
    const size_t begin = bytes_.size();
    // Text outside the byte alphabet can only be meant literally.
    const bool literal = is_special(types_[i]) || !append_alphabet_bytes(text, bytes_);
    if (literal) bytes_.insert(bytes_.end(), text.begin(), text.end());
    ends_.push_back(bytes_.size());

    const std::string_view bytes = view_of(bytes_, begin, bytes_.size());
    const auto token = static_cast<int32_t>(i);
    if (!is_special(types_[i])) {
      ordinary_.try_emplace(bytes, token);
    } else if (bytes.size() > kMaxSpecialBytes) {
      fail(fmt::format("a special token of {} bytes", bytes.size()),
           fmt::format("tokenizer.ggml.tokens, entry {}", i));
    } else if (!bytes.empty()) {
      special_.add(bytes, token);
    }
  }
}

void Tokenizer::find_byte_tokens() {
  for (size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    const auto character = static_cast<char>(byte);
    const auto found = ordinary_.find(std::string_view(&character, 1));
    if (found == ordinary_.end())
      fail(fmt::format("no token for byte 0x{:02X}", byte), "tokenizer.ggml.tokens");
    byte_tokens_[byte] = found->second;
  }
}

void Tokenizer::read_merges(const Vocabulary& vocabulary) {
  if (vocabulary.merges.size() > std::numeric_limits<uint32_t>::max())
    fail(fmt::format("{} merges", vocabulary.merges.size()), "tokenizer.ggml.merges");
  std::vector<char> bytes;
  for (size_t i = 0; i < vocabulary.merges.size(); ++i) {
    const std::string_view text = vocabulary.merges[i];
    const auto require = [&](bool right, const char* problem) {
      if (!right) fail(problem, fmt::format("tokenizer.ggml.merges, entry {}", i));
    };
    const size_t space = text.find(' ');
    require(space != std::string_view::npos, "a merge that is not two words");
    bytes.clear();
    bool known = append_alphabet_bytes(text.substr(0, space), bytes);
    const size_t n_left = bytes.size();
    known = known && append_alphabet_bytes(text.substr(space + 1), bytes);
    require(known, "a merge that is not two words of the byte alphabet");

    const auto left = ordinary_.find(view_of(bytes, 0, n_left));
    const auto right = ordinary_.find(view_of(bytes, n_left, bytes.size()));
    const auto both = ordinary_.find(view_of(bytes, 0, bytes.size()));
    const bool all_there = left != ordinary_.end() && right != ordinary_.end() && both != ordinary_.end();
    require(all_there, "a merge of tokens that the vocabulary does not have");
    merges_.add(left->second, right->second, {static_cast<uint32_t>(i), both->second});
  }
}

void Tokenizer::append_plain(std::string_view text, PieceMerger& merger, std::vector<int32_t>& out) const {
  std::vector<int32_t> piece_tokens;
  for_each_piece(text, [&](std::string_view piece) {
    piece_tokens.clear();
    for (const char byte : piece) piece_tokens.push_back(byte_tokens_[static_cast<uint8_t>(byte)]);
    merger.append_merged(piece_tokens, out);
  });
}

std::vector<int32_t> Tokenizer::encode_plain(std::string_view text) const {
  PieceMerger merger(merges_);
  std::vector<int32_t> tokens;
  append_plain(text, merger, tokens);
  return tokens;
}

std::vector<int32_t> Tokenizer::encode_special(std::string_view text) const {
  PieceMerger merger(merges_);
  std::vector<int32_t> tokens;
  size_t plain = 0;
  for (size_t at = 0; at < text.size();) {
    const TokenTrie::Match match = special_.longest_at(text, at);
    if (match.token < 0) {
      ++at;
      continue;
    }
    append_plain(text.substr(plain, at - plain), merger, tokens);
    tokens.push_back(match.token);
    at += match.size_bytes;
    plain = at;
  }
  append_plain(text.substr(plain), merger, tokens);
  return tokens;
}

size_t Tokenizer::index_of(int32_t token) const {
  if (token < 0 || static_cast<size_t>(token) >= size())
    throw Error(ErrorCode::kUsage, fmt::format("no token {}: the vocabulary has {}", token, size()),
                "tokenizer", "use tokens of this model");
  return static_cast<size_t>(token);
}

std::string_view Tokenizer::bytes_of(int32_t token) const {
  const size_t i = index_of(token);
  return view_of(bytes_, i == 0 ? 0 : ends_[i - 1], ends_[i]);
}

std::string Tokenizer::decode(std::span<const int32_t> tokens) const {
  std::string bytes;
  for (const int32_t token : tokens) bytes += bytes_of(token);
  return bytes;
}

TokenType Tokenizer::type_of(int32_t token) const {
  return types_[index_of(token)];
}

std::optional<int32_t> Tokenizer::find(std::string_view text) const {
  if (!text.empty()) {
    const TokenTrie::Match match = special_.longest_at(text, 0);
    if (match.size_bytes == text.size()) return match.token;
  }
  const auto found = ordinary_.find(text);
  if (found == ordinary_.end()) return std::nullopt;
  return found->second;
}

}  // namespace halyard
