#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
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

}  // namespace

bool FileHandle::close() noexcept {
  if (!is_open()) return true;
  return ::close(static_cast<int>(std::exchange(value_, kNone))) == 0;
}

File File::open(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a pipe would wait for its writer. It means nothing for regular files.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
  return File(std::move(handle), static_cast<uint64_t>(info.st_size), path);
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
