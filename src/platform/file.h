// Files of any size, read and written at 64-bit positions. No header of the system is included here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace halyard {

// "model.gguf, byte 81604378624": the `where` of an error.
std::string at_byte(const std::filesystem::path& path, uint64_t offset);

// Reads at least one byte at `offset` into `out` (never empty). Returns how many: 0 at the end of the file.
using PartialRead = std::function<size_t(uint64_t offset, std::span<std::byte> out)>;

// One system call moves at most this much: both systems count a transfer in fewer bits than a file has bytes.
inline constexpr size_t kMaxTransferBytes = size_t{1} << 30;

// Fills `out` from byte `offset`, in pieces of at most `max_piece_bytes` and however short the reads come.
// Returns the bytes read: fewer than out.size() only when `read` met the end of the file.
size_t read_fully(const PartialRead& read, uint64_t offset, std::span<std::byte> out,
                  size_t max_piece_bytes = kMaxTransferBytes);

// How a file is read.
enum class Caching {
  kBuffered,    // through the page cache of the system: fast where it holds the file
  kUnbuffered,  // past it: fast where it does not, and nothing else is driven out of memory
};

// Owns one open file of the system: a POSIX descriptor or a Win32 HANDLE. -1 is "none" on both.
class FileHandle {
 public:
  explicit FileHandle(intptr_t value) : value_(value) {}
  FileHandle(FileHandle&& other) noexcept : value_(std::exchange(other.value_, kNone)) {}
  FileHandle& operator=(FileHandle&&) = delete;
  ~FileHandle() { close(); }

  intptr_t get() const { return value_; }
  bool is_open() const { return value_ != kNone; }
  // False when the system failed: its reason is in errno or GetLastError(). Closing twice does nothing.
  bool close() noexcept;

 private:
  static constexpr intptr_t kNone = -1;
  intptr_t value_;
};

// A regular file, opened for reading.
class File {
 public:
  // Throws kNotFound (no such file), kBadFile (a directory, a device, a pipe) or kIo (no permission, held by
  // another program). Never waits, whatever the path names. Where the file system cannot read past the cache
  // the file is buffered all the same: caching() says what came of it.
  static File open(const std::filesystem::path& path, Caching caching = Caching::kBuffered);

  const std::filesystem::path& path() const { return path_; }
  uint64_t size_bytes() const { return size_bytes_; }  // when it was opened
  Caching caching() const { return caching_; }
  // Offset, size and address of every read are multiples of it: 1 when buffered, else a power of two, 4096 at
  // least. kUsage otherwise.
  uint32_t alignment_bytes() const { return alignment_bytes_; }

  // Fills all of `out` from byte `offset`. Keeps no cursor, so threads may share a File; on Windows their
  // calls wait for each other: give each reader thread a File of its own. Throws kBadFile when the file is
  // too short, kIo when the system fails. The last, partial sector of an unbuffered file is beyond its reach.
  void read_at(uint64_t offset, std::span<std::byte> out) const;

  // One read of the system, of kMaxTransferBytes at most: at least one byte, 0 at the end of the file or for
  // an empty `out`. `out` may reach beyond the end. After a short read of an unbuffered file the next
  // position may be none that it takes: go back to the last one that is. Threads and kIo as with read_at.
  size_t read_up_to(uint64_t offset, std::span<std::byte> out) const;

  // The share, 0 to 1, of some 64 places of the file that the page cache holds. Reads no more than these
  // places in, and other ones each time. Nothing where the system does not tell (Windows; some file systems),
  // and for an unbuffered or empty file. Not while another thread reads this File: it would lose its
  // read-ahead for a moment.
  std::optional<double> cached_fraction() const;

  intptr_t native_handle() const { return handle_.get(); }  // for src/platform

 private:
  File(FileHandle handle, uint64_t size_bytes, std::filesystem::path path, uint32_t alignment_bytes)
      : handle_(std::move(handle)),
        size_bytes_(size_bytes),
        path_(std::move(path)),
        caching_(alignment_bytes == 1 ? Caching::kBuffered : Caching::kUnbuffered),
        alignment_bytes_(alignment_bytes) {}
  // As open, but an unbuffered file that it gives may fail at the first read.
  static File open_untried(const std::filesystem::path& path, Caching caching);
  size_t read_some(uint64_t offset, std::span<std::byte> out) const;

  FileHandle handle_;
  uint64_t size_bytes_;
  std::filesystem::path path_;
  Caching caching_;
  uint32_t alignment_bytes_;
};

// Asks the system to forget what its page cache holds of the file: for measurements of a cold start. False
// when it refused. True is no promise: pages that a program maps, has locked, or is writing stay (Linux);
// nothing goes while another handle of the file is open (Windows); and the disk has a cache of its own.
bool drop_from_cache(const std::filesystem::path& path);

// A file that we write. One thread at a time.
class OutputFile {
 public:
  // Creates the file or empties the one that is there. Throws as File::open does. On Windows a file that is
  // held for a moment (virus scanners do this to new files) is tried again for about a second.
  static OutputFile create(const std::filesystem::path& path);

  // Writes all of `bytes` at `offset`; bytes between the old end and `offset` become zero. Throws kIo.
  void write_at(uint64_t offset, std::span<const std::byte> bytes);

  // Cuts the file, or lengthens it by zeros; they take no space where the file system can leave holes.
  // Throws kIo.
  void resize(uint64_t size_bytes);

  // Throws kIo when the system reports that something written was lost. The destructor closes without a word.
  void close();

 private:
  OutputFile(FileHandle handle, std::filesystem::path path)
      : handle_(std::move(handle)), path_(std::move(path)) {}
  size_t write_some(uint64_t offset, std::span<const std::byte> bytes);

  FileHandle handle_;
  std::filesystem::path path_;
};

}  // namespace halyard
