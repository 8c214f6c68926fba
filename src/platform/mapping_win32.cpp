#include <utility>

#include "halyard/error.h"
#include "platform/file.h"
#include "platform/mapping.h"
#include "platform/paths.h"
#include "platform/win32.h"

namespace halyard {

MappedFile MappedFile::open(const std::filesystem::path& path) {
  const File file = File::open(path);
  const size_t size_bytes = file.size_bytes();
  if (size_bytes == 0) return MappedFile({});
  const auto failed = [&] {
    return Error(ErrorCode::kIo, "cannot map the file: " + win32::last_error_text(), utf8_from_path(path),
                 "check the disk or the network share");
  };
  const HANDLE mapping =
      ::CreateFileMappingW(win32::as_handle(file.native_handle()), nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (!mapping) throw failed();
  const FileHandle owner(reinterpret_cast<intptr_t>(mapping));
  // The view outlives the handles of the mapping and of the file.
  const void* start = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size_bytes);
  if (!start) throw failed();
  return MappedFile({static_cast<const std::byte*>(start), size_bytes});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::UnmapViewOfFile(bytes_.data());
}

}  // namespace halyard
