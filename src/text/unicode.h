// Characters as the tokenizer sees them: UTF-8 decoding and Unicode classes. Spec: chat.md, "Tokenizer".
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace halyard {

enum class Utf8Status : uint8_t {
  kValid,
  kInvalid,     // no valid sequence starts here, whatever bytes follow
  kIncomplete,  // the text ends inside a sequence that more bytes could still make valid
};

struct Utf8Character {
  Utf8Status status = Utf8Status::kInvalid;
  uint8_t size_bytes = 0;   // valid: of the sequence; otherwise: of its well-formed beginning, at least 1
  char32_t code_point = 0;  // valid only
};

// The character that starts at byte `at` < text.size(). Strict: overlong forms, surrogates and values above
// U+10FFFF are invalid.
Utf8Character decode_utf8(std::string_view text, size_t at);

// General category by its first letter, or White_Space. No code point is in two of them.
enum class CharacterClass : uint8_t { kOther, kLetter, kMark, kNumber, kPunctuation, kSymbol, kSpace };

CharacterClass character_class(char32_t code_point);

}  // namespace halyard
