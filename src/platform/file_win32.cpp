#include <algorithm>

#include "halyard/error.h"
#include "platform/file.h"
#include "platform/paths.h"
#include "platform/win32.h"

namespace halyard {
namespace {

using win32::as_handle;
using win32::last_error_text;

Error open_error(const std::filesystem::path& path, DWORD code) {
  const std::string where = utf8_from_path(path);
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY)) {
    return Error(ErrorCode::kBadFile, "this is a directory", where, "name a file in it");
  }
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
      return Error(ErrorCode::kNotFound, "there is no such file", where, "check the path");
    case ERROR_ACCESS_DENIED:
      return Error(ErrorCode::kIo, "no permission to open the file", where,
                   "change the permissions of the file and its folders");
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return Error(ErrorCode::kIo, "another program holds the file", where,
                   "close that program and try again");
    default:
      return Error(ErrorCode::kIo, "cannot open the file: " + win32::error_text(code), where,
                   "check the path and the disk");
  }
}

Error write_error(const std::string& where) {
  return Error(ErrorCode::kIo, "cannot write: " + last_error_text(), where,
               "check the free space and the disk");
}

OVERLAPPED at_position(uint64_t offset) {
  OVERLAPPED position{};
  position.Offset = static_cast<DWORD>(offset);
  position.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return position;
}

// A directory answers "access denied" for ever; a file may be held for a moment only.
bool is_held_for_a_moment(const std::filesystem::path& path, DWORD code) {
  if (code == ERROR_SHARING_VIOLATION) return true;
  if (code != ERROR_ACCESS_DENIED) return false;
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  return attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

// What offset, size and address of an unbuffered read are multiples of.
uint32_t unbuffered_alignment(HANDLE file) {
  constexpr uint32_t kUsual = 4096;
  FILE_STORAGE_INFO info{};
  if (!::GetFileInformationByHandleEx(file, FileStorageInfo, &info, sizeof info)) return kUsual;
  return std::max<uint32_t>(kUsual, info.LogicalBytesPerSector);
}

}  // namespace

bool FileHandle::close() noexcept {
  if (!is_open()) return true;
  return ::CloseHandle(as_handle(std::exchange(value_, kNone))) != 0;
}

File File::open_untried(const std::filesystem::path& path, Caching caching) {
  const bool unbuffered = caching == Caching::kUnbuffered;
  const HANDLE h = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING,
                                 unbuffered ? FILE_FLAG_NO_BUFFERING : FILE_ATTRIBUTE_NORMAL, nullptr);
  if (h == INVALID_HANDLE_VALUE) {
    const DWORD code = ::GetLastError();
    const bool cannot = code == ERROR_INVALID_PARAMETER || code == ERROR_NOT_SUPPORTED;
    if (unbuffered && cannot) return open_untried(path, Caching::kBuffered);
    throw open_error(path, code);
  }
  FileHandle handle(reinterpret_cast<intptr_t>(h));
  if (::GetFileType(h) != FILE_TYPE_DISK) {
    throw Error(ErrorCode::kBadFile, "not a regular file", utf8_from_path(path), "name a file on a disk");
  }
  LARGE_INTEGER size{};
  if (!::GetFileSizeEx(h, &size)) throw open_error(path, ::GetLastError());
  return File(std::move(handle), static_cast<uint64_t>(size.QuadPart), path,
              unbuffered ? unbuffered_alignment(h) : 1);
}

size_t File::read_some(uint64_t offset, std::span<std::byte> out) const {
  OVERLAPPED position = at_position(offset);
  DWORD got = 0;
  if (!::ReadFile(as_handle(handle_.get()), out.data(), static_cast<DWORD>(out.size()), &got, &position) &&
      ::GetLastError() != ERROR_HANDLE_EOF) {
    throw Error(ErrorCode::kIo, "cannot read: " + last_error_text(), at_byte(path_, offset),
                "check the disk or the network share");
  }
  return got;
}

std::optional<double> File::cached_fraction() const {
  return std::nullopt;  // no call of this system says so
}

bool drop_from_cache(const std::filesystem::path& path) {
  // Opening a file past the cache throws out what the cache holds of it.
  const FileHandle handle(reinterpret_cast<intptr_t>(::CreateFileW(
      path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, FILE_FLAG_NO_BUFFERING, nullptr)));
  return handle.is_open();
}

OutputFile OutputFile::create(const std::filesystem::path& path) {
  constexpr int kRetries = 10;  // pauses of 1, 2, 4, ... 512 ms
  for (int retry = 0;; ++retry) {
    const HANDLE h = ::CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_ALWAYS,
                                   FILE_ATTRIBUTE_NORMAL, nullptr);
    if (h != INVALID_HANDLE_VALUE) return OutputFile(FileHandle(reinterpret_cast<intptr_t>(h)), path);
    const DWORD code = ::GetLastError();
    if (retry == kRetries || !is_held_for_a_moment(path, code)) throw open_error(path, code);
    ::Sleep(DWORD{1} << retry);
  }
}

size_t OutputFile::write_some(uint64_t offset, std::span<const std::byte> bytes) {
  OVERLAPPED position = at_position(offset);
  DWORD put = 0;
  if (!::WriteFile(as_handle(handle_.get()), bytes.data(), static_cast<DWORD>(bytes.size()), &put,
                   &position)) {
    throw write_error(at_byte(path_, offset));
  }
  return put;
}

void OutputFile::resize(uint64_t size_bytes) {
  // Without this NTFS writes the zeros to the disk. A file system that refuses does just that.
  DWORD unused = 0;
  ::DeviceIoControl(as_handle(handle_.get()), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &unused, nullptr);
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size_bytes);
  if (!::SetFileInformationByHandle(as_handle(handle_.get()), FileEndOfFileInfo, &end, sizeof end)) {
    throw write_error(at_byte(path_, size_bytes));
  }
}

void OutputFile::close() {
  if (!handle_.close()) throw write_error(utf8_from_path(path_));
}

}  // namespace halyard
