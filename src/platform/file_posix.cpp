#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <random>
#include <sys/stat.h>
#include <sys/uio.h>
#include <system_error>
#include <unistd.h>

#include "halyard/error.h"
#include "platform/file.h"
#include "platform/paths.h"

namespace halyard {
namespace {

static_assert(sizeof(off_t) == 8, "build with 64-bit file offsets");
constexpr uint64_t kMaxOffset = static_cast<uint64_t>(std::numeric_limits<off_t>::max());

std::string reason() {
  return std::generic_category().message(errno);
}

Error open_error(const std::filesystem::path& path) {
  const std::string where = utf8_from_path(path);
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
      return Error(ErrorCode::kNotFound, "there is no such file", where, "check the path");
    case EACCES:
    case EPERM:
      return Error(ErrorCode::kIo, "no permission to open the file", where,
                   "change the permissions of the file and its folders");
    case EISDIR:
      return Error(ErrorCode::kBadFile, "this is a directory", where, "name a file in it");
    default:
      return Error(ErrorCode::kIo, "cannot open the file: " + reason(), where, "check the path and the disk");
  }
}

Error write_error(const std::string& where) {
  return Error(ErrorCode::kIo, "cannot write: " + reason(), where, "check the free space and the disk");
}

// What offset, size and address of a direct read are multiples of; 0 when the file cannot be read so.
uint32_t direct_alignment(int fd) {
  constexpr uint32_t kUsual = 4096;
#ifdef STATX_DIOALIGN  // Linux 6.1; many file systems do not answer
  struct statx info{};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 && (info.stx_mask & STATX_DIOALIGN) != 0) {
    if (info.stx_dio_offset_align == 0) return 0;
    return std::max({kUsual, uint32_t{info.stx_dio_mem_align}, uint32_t{info.stx_dio_offset_align}});
  }
#else
  static_cast<void>(fd);
#endif
  return kUsual;
}

}  // namespace

bool FileHandle::close() noexcept {
  if (!is_open()) return true;
  return ::close(static_cast<int>(std::exchange(value_, kNone))) == 0;
}

File File::open_untried(const std::filesystem::path& path, Caching caching) {
  // O_NONBLOCK: opening a pipe would wait for its writer. It means nothing for regular files.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  const bool unbuffered = caching == Caching::kUnbuffered;
  const int fd = ::open(path.c_str(), unbuffered ? kFlags | O_DIRECT : kFlags);
  if (fd < 0 && unbuffered && errno == EINVAL) return open_untried(path, Caching::kBuffered);
  if (fd < 0) throw open_error(path);
  FileHandle handle(fd);
  struct stat info{};
  if (::fstat(fd, &info) != 0) throw open_error(path);
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    throw open_error(path);
  }
  if (!S_ISREG(info.st_mode)) {
    throw Error(ErrorCode::kBadFile, "not a regular file", utf8_from_path(path), "name a file on a disk");
  }
  const uint32_t alignment_bytes = unbuffered ? direct_alignment(fd) : 1;
  if (alignment_bytes == 0) return open_untried(path, Caching::kBuffered);
  return File(std::move(handle), static_cast<uint64_t>(info.st_size), path, alignment_bytes);
}

size_t File::read_some(uint64_t offset, std::span<std::byte> out) const {
  for (;;) {
    const ssize_t got =
        ::pread(static_cast<int>(handle_.get()), out.data(), out.size(), static_cast<off_t>(offset));
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) {
      throw Error(ErrorCode::kIo, "cannot read: " + reason(), at_byte(path_, offset),
                  "check the disk or the network share");
    }
  }
}

std::optional<double> File::cached_fraction() const {
  constexpr uint64_t kPlaces = 64;
  if (caching_ == Caching::kUnbuffered || size_bytes_ == 0) return std::nullopt;
  const int fd = static_cast<int>(handle_.get());
  // Newer kernels begin to read what this call does not find. So it must be one page at a place, and never
  // the same places twice: the second time they would be there.
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
  std::minstd_rand random(std::random_device{}());
  uint64_t n_cached = 0;
  bool answers = true;
  for (uint64_t i = 0; i < kPlaces && answers; ++i) {
    const uint64_t begin = size_bytes_ / kPlaces * i;
    const uint64_t piece_bytes = (i + 1 == kPlaces ? size_bytes_ : size_bytes_ / kPlaces * (i + 1)) - begin;
    const uint64_t offset =
        piece_bytes == 0 ? 0 : begin + (uint64_t{random()} << 31 ^ random()) % piece_bytes;
    std::byte byte{};
    iovec into{&byte, 1};
    if (::preadv2(fd, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT) >= 0) {
      ++n_cached;
    } else {
      answers = errno == EAGAIN || errno == EINTR;
    }
  }
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
  if (!answers) return std::nullopt;
  return static_cast<double>(n_cached) / static_cast<double>(kPlaces);
}

bool drop_from_cache(const std::filesystem::path& path) {
  const FileHandle handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const int fd = static_cast<int>(handle.get());
  // What is not yet on the disk stays in the cache.
  return handle.is_open() && ::fdatasync(fd) == 0 && ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0;
}

OutputFile OutputFile::create(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0) throw open_error(path);
  return OutputFile(FileHandle(fd), path);
}

size_t OutputFile::write_some(uint64_t offset, std::span<const std::byte> bytes) {
  for (;;) {
    if (offset > kMaxOffset) errno = EFBIG;
    const ssize_t put = offset > kMaxOffset ? -1
                                            : ::pwrite(static_cast<int>(handle_.get()), bytes.data(),
                                                       bytes.size(), static_cast<off_t>(offset));
    if (put >= 0) return static_cast<size_t>(put);
    if (errno != EINTR) throw write_error(at_byte(path_, offset));
  }
}

void OutputFile::resize(uint64_t size_bytes) {
  if (size_bytes > kMaxOffset) {
    errno = EFBIG;
    throw write_error(at_byte(path_, size_bytes));
  }
  while (::ftruncate(static_cast<int>(handle_.get()), static_cast<off_t>(size_bytes)) != 0) {
    if (errno != EINTR) throw write_error(at_byte(path_, size_bytes));
  }
}

void OutputFile::close() {
  if (!handle_.close()) throw write_error(utf8_from_path(path_));
}

}  // namespace halyard
