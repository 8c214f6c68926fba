#include <cerrno>
#include <sys/mman.h>
#include <system_error>
#include <utility>

#include "halyard/error.h"
#include "platform/file.h"
#include "platform/mapping.h"
#include "platform/paths.h"

namespace halyard {

MappedFile MappedFile::open(const std::filesystem::path& path) {
  const File file = File::open(path);
  const size_t size_bytes = file.size_bytes();
  if (size_bytes == 0) return MappedFile({});
  void* start =
      ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, static_cast<int>(file.native_handle()), 0);
  if (start == MAP_FAILED) {
    throw Error(ErrorCode::kIo, "cannot map the file: " + std::generic_category().message(errno),
                utf8_from_path(path), "raise the limit of address space (ulimit -v)");
  }
  return MappedFile({static_cast<const std::byte*>(start), size_bytes});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace halyard
