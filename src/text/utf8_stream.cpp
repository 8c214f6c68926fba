#include "text/utf8_stream.h"

#include "text/unicode.h"

namespace halyard {
namespace {
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
}

std::string Utf8Stream::feed(std::string_view bytes) {
  unfinished_ += bytes;
  const std::string_view text = unfinished_;
  std::string complete;
  size_t at = 0;
  while (at < text.size()) {
    const Utf8Character character = decode_utf8(text, at);
    if (character.status == Utf8Status::kIncomplete) break;
    const bool valid = character.status == Utf8Status::kValid;
    complete += valid ? text.substr(at, character.size_bytes) : kReplacement;
    at += character.size_bytes;
  }
  unfinished_.erase(0, at);
  return complete;
}

std::string Utf8Stream::flush() {
  std::string rest(unfinished_.empty() ? std::string_view() : kReplacement);
  unfinished_.clear();
  return rest;
}

}  // namespace halyard
