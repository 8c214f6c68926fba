// Checked reading of the head of a GGUF file, front to back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "halyard/error.h"

namespace halyard::gguf {

// Every read is checked against the bytes that are left, by subtraction, so that no length can wrap. An error
// names the byte, the entry set with `enter` and the field. Views `bytes` and `where`.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, uint64_t file_bytes, std::string_view where)
      : bytes_(bytes), file_bytes_(file_bytes), where_(where) {}

  uint64_t position() const { return at_; }
  uint64_t left() const { return bytes_.size() - at_; }

  // What is read from here on: kind "tensor", its number, and its name once that is known (empty before).
  void enter(std::string_view kind, uint64_t index, std::string_view name);

  std::span<const std::byte> take(uint64_t n_bytes, std::string_view field) {
    if (n_bytes > left()) fail_short(n_bytes, field);
    const auto taken = bytes_.subspan(at_, n_bytes);
    at_ += n_bytes;
    return taken;
  }

  template <class Number>
  Number number(std::string_view field) {
    Number value;
    std::memcpy(&value, take(sizeof value, field).data(), sizeof value);
    return value;
  }

  std::string_view text(std::string_view field) {  // u64 length, then the bytes
    const auto taken = take(number<uint64_t>(field), field);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  // Refuses a count of things, each of at least `min_bytes`, that the bytes left cannot hold.
  void check_count(uint64_t count, uint64_t min_bytes, std::string_view field) const;

  [[noreturn]] void fail(std::string_view problem, std::string fix = "fetch the file again, or make it anew",
                         ErrorCode code = ErrorCode::kBadFile) const;

 private:
  [[noreturn]] void fail_short(uint64_t n_bytes, std::string_view field) const;
  std::string end_of_bytes() const;

  std::span<const std::byte> bytes_;
  uint64_t file_bytes_;
  std::string_view where_;
  uint64_t at_ = 0;
  std::string_view kind_, name_;
  uint64_t index_ = 0;
};

}  // namespace halyard::gguf
