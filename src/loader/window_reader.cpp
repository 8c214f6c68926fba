#include "loader/window_reader.h"

#include <string>

#include "halyard/error.h"

namespace halyard {

ReadSource& WindowReader::open(uint32_t file, Caching caching) {
  if (source_ == nullptr || file_ != file) {
    source_.reset();
    source_ = files_[file].open(caching);
    // Windows of the plan could not be read as they are.
    if (source_->alignment_bytes() > kWindowAlignment) source_ = files_[file].open(Caching::kBuffered);
    file_ = file;
  }
  return *source_;
}

// An unbuffered read that came short goes on from the block that it broke off in.
void WindowReader::read(const Window& window, Caching caching, std::span<std::byte> memory) {
  ReadSource& source = open(window.file, caching);
  const uint32_t alignment = source.alignment_bytes();
  const size_t end = (window.bytes + alignment - 1) / alignment * alignment;
  size_t done = 0;
  while (done < window.bytes) {
    const size_t at = done / alignment * alignment;
    const size_t got = source.read_some(window.offset + at, memory.subspan(at, end - at));
    // A read that begins before `done`, at its block, and does not come further met the end as well.
    if (at + got <= done)
      throw Error(ErrorCode::kBadFile, "the file ends too early",
                  source.name() + ", byte " + std::to_string(window.offset + at + got),
                  "the download is incomplete, or somebody shortened the file; fetch it again");
    done = at + got;
  }
}

}  // namespace halyard
