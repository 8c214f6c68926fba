// Reads windows of files into memory, for one thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "loader/load.h"
#include "loader/windows.h"

namespace halyard {

// Has one file open at a time, by a handle of its own. `files` outlives it.
class WindowReader {
 public:
  explicit WindowReader(std::span<const LoadFile> files) : files_(files) {}

  // Fills the first window.bytes of `memory`, which is aligned to kWindowAlignment and has room for that many
  // rounded up to it, however short the reads come. Throws kBadFile where the file ends too early, and what
  // the source throws.
  void read(const Window& window, Caching caching, std::span<std::byte> memory);

 private:
  ReadSource& open(uint32_t file, Caching caching);

  std::span<const LoadFile> files_;
  std::unique_ptr<ReadSource> source_;
  uint32_t file_ = 0;
};

}  // namespace halyard
