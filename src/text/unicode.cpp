#include "text/unicode.h"

#include <algorithm>
#include <array>

namespace halyard {
namespace {

struct ClassRange {
  uint32_t first;
  uint32_t last;
  CharacterClass character_class;
};

#include "text/unicode_tables.inc"

// What a lead byte promises. The range of the second byte is what shuts out overlong forms, surrogates and
// values above U+10FFFF (Unicode 15, table 3-7).
struct Lead {
  uint8_t n_following;
  uint8_t second_min;
  uint8_t second_max;
};

constexpr Lead lead_of(uint8_t byte) {
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {1, 0x80, 0xBF};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte < 0xF0) return {2, 0x80, 0xBF};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte < 0xF4) return {3, 0x80, 0xBF};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Utf8Character decode_utf8(std::string_view text, size_t at) {
  const auto first = static_cast<uint8_t>(text[at]);
  if (first < 0x80) return {Utf8Status::kValid, 1, first};
  const Lead lead = lead_of(first);
  if (lead.n_following == 0) return {Utf8Status::kInvalid, 1, 0};

  uint32_t code_point = first & (0x3Fu >> lead.n_following);
  for (uint8_t i = 1; i <= lead.n_following; ++i) {
    if (at + i == text.size()) return {Utf8Status::kIncomplete, i, 0};
    const auto byte = static_cast<uint8_t>(text[at + i]);
    const uint8_t min = i == 1 ? lead.second_min : uint8_t{0x80};
    const uint8_t max = i == 1 ? lead.second_max : uint8_t{0xBF};
    if (byte < min || byte > max) return {Utf8Status::kInvalid, i, 0};
    code_point = (code_point << 6) | (byte & 0x3Fu);
  }
  return {Utf8Status::kValid, static_cast<uint8_t>(lead.n_following + 1), code_point};
}

CharacterClass character_class(char32_t code_point) {
  if (code_point < kAsciiClasses.size()) return kAsciiClasses[code_point];
  const auto* after =
      std::upper_bound(kClassRanges.begin(), kClassRanges.end(), code_point,
                       [](char32_t code, const ClassRange& range) { return code < range.first; });
  if (after == kClassRanges.begin()) return CharacterClass::kOther;
  const ClassRange& range = *(after - 1);
  return code_point <= range.last ? range.character_class : CharacterClass::kOther;
}

}  // namespace halyard
