#include "platform/file.h"

#include <algorithm>
#include <memory>
#include <new>

#include "halyard/error.h"
#include "platform/paths.h"

namespace halyard {
namespace {

// The loop of reading and of writing: `some` moves a part of what it is given and returns how much, or 0.
template <typename Byte, typename Some>
size_t transfer_fully(const Some& some, uint64_t offset, std::span<Byte> all, size_t max_piece_bytes) {
  size_t done = 0;
  while (done < all.size()) {
    const size_t moved = some(offset + done, all.subspan(done, std::min(all.size() - done, max_piece_bytes)));
    if (moved == 0) break;
    done += moved;
  }
  return done;
}

// Some file systems let a file be opened past the cache and then refuse to read it so.
bool can_be_read(const File& file) {
  const size_t size_bytes = file.alignment_bytes();
  const auto alignment = std::align_val_t(size_bytes);
  const auto release = [alignment](std::byte* p) { ::operator delete(p, alignment); };
  const std::unique_ptr<std::byte, decltype(release)> sector(
      static_cast<std::byte*>(::operator new(size_bytes, alignment)), release);
  try {
    file.read_up_to(0, std::span(sector.get(), size_bytes));
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

std::string at_byte(const std::filesystem::path& path, uint64_t offset) {
  return utf8_from_path(path) + ", byte " + std::to_string(offset);
}

size_t read_fully(const PartialRead& read, uint64_t offset, std::span<std::byte> out,
                  size_t max_piece_bytes) {
  return transfer_fully(read, offset, out, max_piece_bytes);
}

File File::open(const std::filesystem::path& path, Caching caching) {
  File file = open_untried(path, caching);
  if (file.caching() == Caching::kUnbuffered && !can_be_read(file))
    return open_untried(path, Caching::kBuffered);
  return file;
}

size_t File::read_up_to(uint64_t offset, std::span<std::byte> out) const {
  if (out.empty() || offset >= size_bytes_) return 0;
  // Checked here, because not every system does: Wine takes any address.
  if ((offset | out.size() | reinterpret_cast<uintptr_t>(out.data())) % alignment_bytes_ != 0) {
    throw Error(ErrorCode::kUsage,
                "an unbuffered read is not aligned to " + std::to_string(alignment_bytes_) + " bytes",
                at_byte(path_, offset), "this is a fault of the program: report it");
  }
  return read_some(offset, out.first(std::min(out.size(), kMaxTransferBytes)));
}

void File::read_at(uint64_t offset, std::span<std::byte> out) const {
  const auto too_short = [&](uint64_t end) {
    return Error(ErrorCode::kBadFile, "the file ends too early", at_byte(path_, end),
                 "the download is incomplete; fetch it again");
  };
  if (offset > size_bytes_ || out.size() > size_bytes_ - offset) throw too_short(size_bytes_);
  const auto read = [this](uint64_t at, std::span<std::byte> piece) { return read_up_to(at, piece); };
  const size_t got = read_fully(read, offset, out);
  if (got < out.size()) throw too_short(offset + got);  // somebody cut the file after it was opened
}

void OutputFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  const auto write = [this](uint64_t at, std::span<const std::byte> piece) { return write_some(at, piece); };
  const size_t written = transfer_fully(write, offset, bytes, kMaxTransferBytes);
  if (written < bytes.size()) {
    throw Error(ErrorCode::kIo, "the system wrote nothing and gave no reason",
                at_byte(path_, offset + written), "check the disk or the network share");
  }
}

}  // namespace halyard
