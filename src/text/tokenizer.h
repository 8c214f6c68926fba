// Text to tokens and back. Spec: chat.md, "Tokenizer".
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halyard/error.h"
#include "text/bpe.h"
#include "text/keyed_hash.h"
#include "text/token_trie.h"

namespace halyard {

// Numbers of the GGUF field tokenizer.ggml.token_type.
enum class TokenType : uint8_t {
  kUndefined = 0,
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,      // not printed
  kUserDefined = 4,  // special, and printed
  kUnused = 5,
  kByte = 6,
};

// What a model file says, not yet checked. The views need to live only while a Tokenizer is made.
struct Vocabulary {
  std::vector<std::string_view> tokens;  // by id; in the byte alphabet, special tokens literally
  std::vector<int64_t> types;            // one a token, or none at all: every token is normal
  std::vector<std::string_view> merges;  // "left right" in the byte alphabet, first to apply first
  std::optional<uint64_t> bos, eos, pad;
};

// Special tokens are those of type kControl and kUserDefined. Immutable, so any number of threads may use
// one; movable, not copyable. Owns all it needs.
class Tokenizer {
 public:
  // Throws Error(kBadFile) when the vocabulary cannot encode every text exactly: a byte without a token, a
  // merge that is not two words or names a token that is not there, types of another number or unknown, a
  // special token above 1024 bytes, bos, eos or pad out of range.
  explicit Tokenizer(const Vocabulary& vocabulary);
  Tokenizer(Tokenizer&&) = default;
  Tokenizer& operator=(Tokenizer&&) = default;

  // Text of users, files and tools: never gives a special token, whatever the text says. Any bytes are text;
  // invalid UTF-8 comes back unchanged from decode().
  std::vector<int32_t> encode_plain(std::string_view text) const;

  // Protocol text: special tokens are recognised before splitting, from left to right, the longest at each
  // place.
  std::vector<int32_t> encode_special(std::string_view text) const;

  // The bytes a token stands for, a special token's literal text included. Tokens may end inside a UTF-8
  // sequence. Views into this object. Throws Error(kUsage) for an id outside [0, size()), as type_of() does.
  std::string_view bytes_of(int32_t token) const;
  std::string decode(std::span<const int32_t> tokens) const;

  TokenType type_of(int32_t token) const;

  // The token whose bytes are exactly `text`: a special one if there is, else the lowest id.
  std::optional<int32_t> find(std::string_view text) const;

  size_t size() const { return types_.size(); }
  std::optional<int32_t> bos() const { return bos_; }
  std::optional<int32_t> eos() const { return eos_; }
  std::optional<int32_t> pad() const { return pad_; }

 private:
  void read_types(const Vocabulary& vocabulary);
  void read_tokens(const Vocabulary& vocabulary);
  void find_byte_tokens();
  void read_merges(const Vocabulary& vocabulary);
  void append_plain(std::string_view text, PieceMerger& merger, std::vector<int32_t>& out) const;
  size_t index_of(int32_t token) const;

  std::vector<TokenType> types_;
  std::vector<char> bytes_;   // of all tokens, one after another
  std::vector<size_t> ends_;  // of each token in bytes_
  std::array<int32_t, 256> byte_tokens_{};
  std::unordered_map<std::string_view, int32_t, KeyedHash>
      ordinary_;  // bytes -> id, special tokens left out; views into bytes_
  TokenTrie special_;
  MergeTable merges_;
  std::optional<int32_t> bos_, eos_, pad_;
};

}  // namespace halyard
