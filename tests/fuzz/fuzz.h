// What the fuzzers share. Each .cpp file beside this one, but for run_files.cpp, is a target: it defines
// LLVMFuzzerTestOneInput, which judges one input and ends the program when something is wrong.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "halyard/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace halyard::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

// True when `work` ends, false when it throws our error; any other exception ends the program.
template <class Work>
bool accepted(Work work) {
  try {
    work();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Takes numbers from the front of an input; what is left is text.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  // Little-endian, of `n_bytes` bytes; those beyond the end are 0.
  uint64_t number(size_t n_bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < n_bytes && !rest_.empty(); ++i) {
      value |= uint64_t{static_cast<uint8_t>(rest_.front())} << 8 * i;
      rest_.remove_prefix(1);
    }
    return value;
  }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// At least one field, which may be empty.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    fields.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  fields.push_back(text);
  return fields;
}

// `text` in pieces of up to 16 bytes, cut anywhere.
inline std::vector<std::string_view> random_pieces(std::string_view text, std::minstd_rand& random) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const size_t n = std::min<size_t>(text.size(), 1 + random() % 16);
    pieces.push_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return pieces;
}

}  // namespace halyard::fuzz
