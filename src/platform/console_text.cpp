#include "platform/console_text.h"

#include <algorithm>
#include <array>

#include "halyard/error.h"

namespace halyard {
namespace {

// Of the character that begins with this byte; 1 for a byte that begins none.
size_t character_bytes(unsigned char first) {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 1;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

}  // namespace

size_t complete_utf8_bytes(std::string_view utf8) {
  const size_t size = utf8.size();
  for (size_t back = 1; back <= std::min<size_t>(3, size); ++back) {
    const char byte = utf8[size - back];
    if (is_continuation(byte)) continue;
    return character_bytes(static_cast<unsigned char>(byte)) > back ? size - back : size;
  }
  return size;
}

std::string Utf8Carry::join(std::string_view piece) {
  std::string text = std::move(held_);
  text += piece;
  const size_t complete = complete_utf8_bytes(text);
  held_ = text.substr(complete);
  text.resize(complete);
  return text;
}

std::optional<std::string> LineReader::next() {
  size_t searched = 0;
  for (;;) {
    const size_t end = ahead_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = ahead_.substr(0, end);
      ahead_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (ahead_.size() > kMaxLineBytes) {
      throw Error(ErrorCode::kUsage, "the line is too long", "standard input",
                  "keep lines under " + std::to_string(kMaxLineBytes >> 20) + " MiB");
    }
    searched = ahead_.size();
    std::array<char, 4096> buffer;
    const size_t got = read_(buffer);
    ahead_.append(buffer.data(), got);
    if (got > 0) continue;
    if (ahead_.empty()) return std::nullopt;
    return std::exchange(ahead_, {});
  }
}

}  // namespace halyard
