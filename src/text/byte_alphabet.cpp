#include "text/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "text/unicode.h"

namespace halyard {
namespace {

constexpr int16_t kNoByte = -1;

constexpr bool stands_for_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

// Code point -> byte. The 68 bytes that are no visible character take the code points from 256 on, in order.
constexpr auto kByteOfCodePoint = [] {
  std::array<int16_t, 256 + 68> bytes{};
  bytes.fill(kNoByte);
  size_t next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const size_t code_point = stands_for_itself(byte) ? static_cast<size_t>(byte) : next++;
    bytes[code_point] = static_cast<int16_t>(byte);
  }
  return bytes;
}();

}  // namespace

bool append_alphabet_bytes(std::string_view text, std::vector<char>& out) {
  const size_t size_before = out.size();
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = decode_utf8(text, at);
    const bool known = character.status == Utf8Status::kValid &&
                       character.code_point < kByteOfCodePoint.size() &&
                       kByteOfCodePoint[character.code_point] != kNoByte;
    if (!known) {
      out.resize(size_before);
      return false;
    }
    out.push_back(static_cast<char>(kByteOfCodePoint[character.code_point]));
    at += character.size_bytes;
  }
  return true;
}

std::string alphabet_text(std::string_view bytes) {
  static const auto kCodePointOfByte = [] {
    std::array<uint16_t, 256> code_points{};
    for (size_t code_point = 0; code_point < kByteOfCodePoint.size(); ++code_point) {
      const int16_t byte = kByteOfCodePoint[code_point];
      if (byte != kNoByte) code_points[static_cast<size_t>(byte)] = static_cast<uint16_t>(code_point);
    }
    return code_points;
  }();
  std::string text;
  for (const char byte : bytes) {
    const unsigned code_point = kCodePointOfByte[static_cast<uint8_t>(byte)];
    if (code_point >= 0x80) text += static_cast<char>(0xC0 | code_point >> 6);
    text += static_cast<char>(code_point >= 0x80 ? 0x80 | (code_point & 0x3F) : code_point);
  }
  return text;
}

}  // namespace halyard
