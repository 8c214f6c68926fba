// Which ranges of the files are read, and which parts of tensors each of them holds. A pure function of
// sizes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "loader/load.h"

namespace halyard {

// Windows begin and end at multiples of this, whatever the file's own sectors are, but for the end of the
// file.
inline constexpr uint64_t kWindowAlignment = 4096;

// A part of a tensor inside one window.
struct WindowPart {
  size_t tensor = 0;    // index of it
  uint64_t offset = 0;  // in the window
  uint64_t bytes = 0;
  uint64_t address = 0;
  bool last = false;  // of its tensor
};

// One read.
struct Window {
  uint32_t file = 0;
  uint64_t offset = 0;  // in the file, a multiple of kWindowAlignment
  uint64_t bytes = 0;   // at most window_bytes; a multiple of kWindowAlignment but at the end of the file
  size_t first_part = 0, n_parts = 0;
};

struct WindowPlan {
  std::vector<Window> windows;  // by file and offset, none overlap
  std::vector<WindowPart> parts;
  uint64_t total_bytes() const;
};

// Covers every byte of every tensor once. Windows lie in a grid of window_bytes and leave out the 4096-byte
// blocks at both ends that no tensor needs; of a file with a true in `whole`, everything is covered. Tensors
// lie inside their files and do not overlap; window_bytes is a multiple of kWindowAlignment.
WindowPlan cut_windows(std::span<const uint64_t> file_bytes, const std::vector<bool>& whole,
                       std::span<const LoadTensor> tensors, uint64_t window_bytes);

}  // namespace halyard
