// A file of any size that is not there: every byte follows from its place. Reads can be made to come short,
// to fail, and to be refused unless they are aligned.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "halyard/error.h"
#include "loader/read_source.h"

namespace halyard::test {

// The byte at that place of the file with that number.
inline std::byte pattern_byte(uint64_t file, uint64_t offset) {
  uint64_t x = (offset / 8 + 1) * 0x9E3779B97F4A7C15u + file * 0xD1B54A32D192ED03u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  return static_cast<std::byte>(x >> (8 * (offset % 8)));
}

struct PatternFile {
  uint64_t number = 0;
  uint64_t bytes = 0;
  uint32_t alignment = 1;                // of unbuffered reads
  std::optional<uint64_t> short_seed;    // reads return any part of what was asked for
  std::optional<uint64_t> fail_at;       // a read that holds this byte fails
  std::optional<uint64_t> really_bytes;  // somebody cut the file after it was opened
  double cached = 1;

  std::string name() const { return "pattern-" + std::to_string(number) + ".gguf"; }

  // What was done to it.
  std::atomic<uint64_t> n_opened{0}, read_bytes{0}, highest_byte{0}, largest_read{0}, n_misaligned{0};
};

class PatternSource final : public ReadSource {
 public:
  PatternSource(PatternFile& file, Caching caching)
      : file_(file),
        alignment_(caching == Caching::kUnbuffered ? file.alignment : 1),
        random_(file.short_seed.value_or(0) + file.n_opened++) {}

  std::string name() const override { return file_.name(); }
  uint64_t size_bytes() const override { return file_.bytes; }
  uint32_t alignment_bytes() const override { return alignment_; }
  std::optional<double> cached_fraction() override { return file_.cached; }

  size_t read_some(uint64_t offset, std::span<std::byte> out) override {
    const auto address = reinterpret_cast<uintptr_t>(out.data());
    if (offset % alignment_ != 0 || out.size() % alignment_ != 0 || address % alignment_ != 0)
      ++file_.n_misaligned;
    raise(file_.largest_read, out.size());
    const uint64_t end = file_.really_bytes.value_or(file_.bytes);
    if (offset >= end) return 0;
    size_t n = std::min<uint64_t>(out.size(), end - offset);
    // Never less than a block and a byte, or an unbuffered reader could not go on.
    if (file_.short_seed && n > alignment_) n = alignment_ + 1 + random_() % (n - alignment_);
    if (file_.fail_at && *file_.fail_at >= offset && *file_.fail_at - offset < n)
      throw Error(ErrorCode::kIo, "cannot read: made to fail", name() + ", byte " + std::to_string(offset),
                  "check the disk");
    for (size_t i = 0; i < n; ++i) out[i] = pattern_byte(file_.number, offset + i);
    file_.read_bytes += n;
    raise(file_.highest_byte, offset + n - 1);
    return n;
  }

 private:
  static void raise(std::atomic<uint64_t>& highest, uint64_t value) {
    uint64_t seen = highest;
    while (seen < value && !highest.compare_exchange_weak(seen, value)) {
    }
  }

  PatternFile& file_;
  uint32_t alignment_;
  std::mt19937_64 random_;
};

inline OpenSource open_pattern(PatternFile& file) {
  return [&file](Caching caching) { return std::make_unique<PatternSource>(file, caching); };
}

}  // namespace halyard::test
