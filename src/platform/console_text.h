// The parts of the console that know no system.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace halyard {

// Length of the longest start of `utf8` that ends with a whole character. A broken byte counts as one.
size_t complete_utf8_bytes(std::string_view utf8);

// Holds back the incomplete character at the end of one piece of text until the next piece brings the rest.
class Utf8Carry {
 public:
  std::string join(
      std::string_view piece);  // what was held back and `piece`, up to the last complete character

 private:
  std::string held_;  // at most 3 bytes
};

// Cuts a stream of bytes into lines.
class LineReader {
 public:
  // Fills a part of `out` and returns how many bytes, 0 at the end or when interrupted.
  using Read = std::function<size_t(std::span<char> out)>;
  explicit LineReader(Read read) : read_(std::move(read)) {}

  // The next line without its LF or CR LF; a last line needs none. Nothing when `read` returns 0 before any
  // byte of a line; a later call asks again. Throws kUsage for a line longer than kMaxLineBytes.
  std::optional<std::string> next();

  static constexpr size_t kMaxLineBytes = size_t{64} << 20;

 private:
  Read read_;
  std::string ahead_;  // read, not yet given out
};

}  // namespace halyard
