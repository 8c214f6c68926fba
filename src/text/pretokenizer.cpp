#include "text/pretokenizer.h"

#include <cstddef>
#include <cstdint>

#include "text/unicode.h"

namespace halyard {
namespace {

// Sets of characters that the rules speak of, one bit each.
using CharacterSet = uint32_t;
constexpr CharacterSet kLetters = 1u << 0;
constexpr CharacterSet kMarks = 1u << 1;
constexpr CharacterSet kNumbers = 1u << 2;
constexpr CharacterSet kPunctuation = 1u << 3;
constexpr CharacterSet kSymbols = 1u << 4;
constexpr CharacterSet kSpaces = 1u << 5;
constexpr CharacterSet kLineEnds = 1u << 6;  // CR and LF
constexpr CharacterSet kAscii = 1u << 7;
constexpr CharacterSet kEastAsian = 1u << 8;  // the ranges of the second pass

struct Character {
  CharacterSet sets = 0;
  size_t size_bytes = 0;

  bool in(CharacterSet any_of) const { return (sets & any_of) != 0; }
};

CharacterSet class_set(CharacterClass character_class) {
  switch (character_class) {
    case CharacterClass::kLetter:
      return kLetters;
    case CharacterClass::kMark:
      return kMarks;
    case CharacterClass::kNumber:
      return kNumbers;
    case CharacterClass::kPunctuation:
      return kPunctuation;
    case CharacterClass::kSymbol:
      return kSymbols;
    case CharacterClass::kSpace:
      return kSpaces;
    case CharacterClass::kOther:
      return 0;
  }
  return 0;
}

Character character_at(std::string_view text, size_t at) {
  const Utf8Character decoded = decode_utf8(text, at);
  if (decoded.status != Utf8Status::kValid) return {0, 1};
  const char32_t code = decoded.code_point;
  CharacterSet sets = class_set(character_class(code));
  if (code < 0x80) sets |= kAscii;
  if (code == '\r' || code == '\n') sets |= kLineEnds;
  if ((code >= 0x4E00 && code <= 0x9FA5) || (code >= 0x3040 && code <= 0x30FF)) sets |= kEastAsian;
  return {sets, decoded.size_bytes};
}

// Where the run of characters of these sets that starts at `at` ends.
size_t end_of_run(std::string_view text, size_t at, CharacterSet any_of) {
  while (at < text.size()) {
    const Character character = character_at(text, at);
    if (!character.in(any_of)) break;
    at += character.size_bytes;
  }
  return at;
}

// The three matchers return where their match that starts at `at` ends, or `at` when there is none.

size_t match_number(std::string_view text, size_t at) {
  for (int n_digits = 0; n_digits < 3 && at < text.size(); ++n_digits) {
    const Character character = character_at(text, at);
    if (!character.in(kNumbers)) break;
    at += character.size_bytes;
  }
  return at;
}

size_t match_east_asian(std::string_view text, size_t at) {
  return end_of_run(text, at, kEastAsian);
}

// White space ending in CR/LF, or white space not followed by a non-space, or white space.
size_t match_white_space(std::string_view text, size_t at) {
  size_t end = at, last = at, after_line_end = at;
  while (end < text.size()) {
    const Character character = character_at(text, end);
    if (!character.in(kSpaces)) break;
    last = end;
    end += character.size_bytes;
    if (character.in(kLineEnds)) after_line_end = end;
  }
  if (after_line_end > at) return after_line_end;
  const bool word_follows = end < text.size();
  return word_follows && last > at ? last : end;  // the last space goes with the word
}

size_t match_word(std::string_view text, size_t at) {
  const Character first = character_at(text, at);
  const size_t second = at + first.size_bytes;

  // One ASCII punctuation or symbol character followed by ASCII letters.
  if (first.in(kAscii) && first.in(kPunctuation | kSymbols)) {
    size_t end = second;
    while (end < text.size() && character_at(text, end).sets == (kLetters | kAscii)) ++end;
    if (end > second) return end;
  }
  // Letters and marks, after one character of another kind or not.
  const bool may_lead = !first.in(kLineEnds | kLetters | kPunctuation | kSymbols);
  const size_t word_end =
      may_lead || first.in(kLetters) ? end_of_run(text, second, kLetters | kMarks) : second;
  if (word_end > second || first.in(kLetters | kMarks)) return word_end;

  // Punctuation and symbols, after a space or not, with the line ends behind them.
  const size_t symbols = text[at] == ' ' ? second : at;
  const size_t symbols_end = end_of_run(text, symbols, kPunctuation | kSymbols);
  if (symbols_end > symbols) return end_of_run(text, symbols_end, kLineEnds);

  return match_white_space(text, at);
}

// Calls use() for each match and for each stretch between matches.
template <class Match, class Use>
void isolate(std::string_view text, const Match& match, const Use& use) {
  size_t unmatched = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = match(text, at);
    if (end == at) {
      at += character_at(text, at).size_bytes;
      continue;
    }
    if (at > unmatched) use(text.substr(unmatched, at - unmatched));
    use(text.substr(at, end - at));
    at = unmatched = end;
  }
  if (unmatched < text.size()) use(text.substr(unmatched));
}

}  // namespace

void for_each_piece(std::string_view text, const std::function<void(std::string_view piece)>& use) {
  isolate(text, match_number, [&](std::string_view part) {
    isolate(part, match_east_asian, [&](std::string_view smaller) { isolate(smaller, match_word, use); });
  });
}

}  // namespace halyard
