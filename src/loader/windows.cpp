#include "loader/windows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halyard {
namespace {

uint64_t round_down(uint64_t n, uint64_t unit) {
  return n - n % unit;
}

// The windows of one file, in order.
class FileCutter {
 public:
  FileCutter(WindowPlan& plan, uint32_t file, uint64_t file_bytes, uint64_t window_bytes)
      : plan_(plan), file_(file), file_bytes_(file_bytes), window_bytes_(window_bytes) {}

  // Ranges come in the order of their offsets. Without a tensor: only read.
  void add(uint64_t begin, uint64_t end, const LoadTensor* tensor, size_t index) {
    for (uint64_t at = begin; at < end;) {
      const uint64_t grid = round_down(at, window_bytes_);
      const uint64_t stop = std::min(end, grid + window_bytes_);
      Window& window = window_at(grid, at, stop);
      if (tensor != nullptr) {
        plan_.parts.push_back({index, at - window.offset, stop - at,
                               tensor->address + (at - tensor->file_offset), stop == end});
        ++window.n_parts;
      }
      at = stop;
    }
  }

 private:
  // The window of that cell of the grid, grown to hold [at, stop).
  Window& window_at(uint64_t grid, uint64_t at, uint64_t stop) {
    const uint64_t rounded = stop + (kWindowAlignment - stop % kWindowAlignment) % kWindowAlignment;
    const uint64_t window_end = std::min(rounded, file_bytes_);
    if (!has_window_ || grid != grid_) {
      plan_.windows.push_back({file_, round_down(at, kWindowAlignment), 0, plan_.parts.size(), 0});
      has_window_ = true;
      grid_ = grid;
    }
    Window& window = plan_.windows.back();
    window.bytes = std::max(window.bytes, window_end - window.offset);
    return window;
  }

  WindowPlan& plan_;
  uint32_t file_;
  uint64_t file_bytes_, window_bytes_;
  uint64_t grid_ = 0;
  bool has_window_ = false;
};

}  // namespace

uint64_t WindowPlan::total_bytes() const {
  uint64_t n = 0;
  for (const Window& window : windows) n += window.bytes;
  return n;
}

WindowPlan cut_windows(std::span<const uint64_t> file_bytes, const std::vector<bool>& whole,
                       std::span<const LoadTensor> tensors, uint64_t window_bytes) {
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(tensors[a].file, tensors[a].file_offset) <
           std::pair(tensors[b].file, tensors[b].file_offset);
  });

  WindowPlan plan;
  auto next = order.begin();
  for (uint32_t file = 0; file < file_bytes.size(); ++file) {
    FileCutter cutter(plan, file, file_bytes[file], window_bytes);
    uint64_t covered = 0;  // where `whole` goes on
    for (; next != order.end() && tensors[*next].file == file; ++next) {
      const LoadTensor& tensor = tensors[*next];
      if (whole[file] && tensor.file_offset > covered) cutter.add(covered, tensor.file_offset, nullptr, 0);
      cutter.add(tensor.file_offset, tensor.file_offset + tensor.bytes, &tensor, *next);
      covered = std::max(covered, tensor.file_offset + tensor.bytes);
    }
    if (whole[file]) cutter.add(covered, file_bytes[file], nullptr, 0);
  }
  return plan;
}

}  // namespace halyard
