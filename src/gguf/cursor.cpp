#include "gguf/cursor.h"

#include <fmt/format.h>

#include "gguf/printable.h"

namespace halyard::gguf {

void Cursor::enter(std::string_view kind, uint64_t index, std::string_view name) {
  kind_ = kind;
  index_ = index;
  name_ = name;
}

void Cursor::check_count(uint64_t count, uint64_t min_bytes, std::string_view field) const {
  if (count <= left() / min_bytes) return;
  fail(fmt::format("{} {} need at least {} bytes each, but {}", count, field, min_bytes, end_of_bytes()));
}

void Cursor::fail_short(uint64_t n_bytes, std::string_view field) const {
  fail(fmt::format("{} takes {} bytes, but {}", field, n_bytes, end_of_bytes()));
}

// A reader of prefixes must see the difference: reading more may help, or the file itself is bad.
std::string Cursor::end_of_bytes() const {
  if (bytes_.size() < file_bytes_) {
    return fmt::format(
        "only {} are left of the first {} bytes of the file: the directory goes on behind them", left(),
        bytes_.size());
  }
  return fmt::format("the file ends {} bytes later", left());
}

void Cursor::fail(std::string_view problem, std::string fix, ErrorCode code) const {
  std::string entry;
  if (!kind_.empty()) {
    entry =
        name_.empty() ? fmt::format("{} {}: ", kind_, index_) : fmt::format("{} {}: ", kind_, quoted(name_));
  }
  throw Error(code, entry + std::string(problem), fmt::format("{}, byte {}", where_, at_), std::move(fix));
}

}  // namespace halyard::gguf
