#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "platform/guarded_memory.h"

namespace halyard {
namespace {

// A pipe has the kernel touch the memory: it answers EFAULT where the process would get a signal.
constexpr size_t kPieceBytes = 4096;  // less than any pipe holds: neither end ever waits

class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (!open_) return;
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  bool copy(std::byte* to, const std::byte* from, size_t bytes) {
    while (open_ && bytes != 0) {
      const size_t piece = std::min(bytes, kPieceBytes);
      if (!all([&](size_t at) { return ::write(ends_[1], from + at, piece - at); }, piece)) return false;
      if (!all([&](size_t at) { return ::read(ends_[0], to + at, piece - at); }, piece)) return false;
      to += piece;
      from += piece;
      bytes -= piece;
    }
    return open_;
  }

 private:
  template <typename Move>
  static bool all(const Move& move, size_t bytes) {
    for (size_t at = 0; at < bytes;) {
      const ssize_t moved = move(at);
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) return false;
      at += static_cast<size_t>(moved);
    }
    return true;
  }

  int ends_[2] = {-1, -1};
  bool open_ = false;
};

}  // namespace

bool read_guarded(std::span<std::byte> out, const void* from) {
  return Pipe().copy(out.data(), static_cast<const std::byte*>(from), out.size());
}

bool write_guarded(void* to, std::span<const std::byte> bytes) {
  return Pipe().copy(static_cast<std::byte*>(to), bytes.data(), bytes.size());
}

}  // namespace halyard
