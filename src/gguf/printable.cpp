#include "gguf/printable.h"

#include <cstdint>
#include <fmt/format.h>

namespace halyard::gguf {
namespace {

// Bytes of the well-formed UTF-8 character at the front, 0 when there is none (Unicode 15, table 3-7).
size_t character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const auto continues = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const uint8_t low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const uint8_t low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// Terminals obey both sets of control characters: U+0000 to U+001F with U+007F, and U+0080 to U+009F.
bool is_control(std::string_view character) {
  const auto lead = static_cast<uint8_t>(character[0]);
  return lead < 0x20 || lead == 0x7F || (lead == 0xC2 && static_cast<uint8_t>(character[1]) < 0xA0);
}

}  // namespace

std::string printable(std::string_view bytes, size_t max_bytes) {
  std::string out;
  size_t at = 0;
  while (at < bytes.size()) {
    const size_t length = character_bytes(bytes.substr(at));
    const std::string_view character = bytes.substr(at, length == 0 ? 1 : length);
    if (at + character.size() > max_bytes) return out + "...";
    if (length == 0 || is_control(character)) {
      for (const char c : character) out += fmt::format("\\x{:02X}", static_cast<uint8_t>(c));
    } else {
      if (character == "\\") out += '\\';
      out += character;
    }
    at += character.size();
  }
  return out;
}

std::string quoted(std::string_view bytes, size_t max_bytes) {
  return '"' + printable(bytes, max_bytes) + '"';
}

}  // namespace halyard::gguf
