// A whole file as a span of bytes.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>

namespace halyard {

// Read-only, of any size; pages are read from the disk when they are touched. The file must not become
// shorter while it is mapped (Windows forbids that; on Linux a touch past the new end kills the process).
// Never hand these pages to a copy to a GPU: use File and a buffer.
class MappedFile {
 public:
  // An empty file gives an empty span. Throws as File::open does, and kIo when the system cannot map it.
  static MappedFile open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const {
    return bytes_;
  }  // valid as long as this object or what it moved into

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace halyard
