// Where the loader's bytes come from: a file of the system, or a shim of a test.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "platform/file.h"

namespace halyard {

// An open file that one thread reads. Reads may come short.
class ReadSource {
 public:
  virtual ~ReadSource() = default;
  virtual std::string name() const = 0;  // for errors: the path in UTF-8
  virtual uint64_t size_bytes() const = 0;
  // Offset, size and address of every read are multiples of it; a read that meets the end of the file returns
  // less.
  virtual uint32_t alignment_bytes() const = 0;
  // The share of the file that the page cache of the system holds, from a sample; nothing where nobody can
  // tell.
  virtual std::optional<double> cached_fraction() { return std::nullopt; }
  // At least one byte, 0 at the end of the file. Throws kIo.
  virtual size_t read_some(uint64_t offset, std::span<std::byte> out) = 0;
};

// Opens a file anew, for the thread that calls: threads that share a handle wait for each other on Windows.
// Throws what File::open throws. May give a buffered source where unbuffered was asked for and the file
// system cannot.
using OpenSource = std::function<std::unique_ptr<ReadSource>(Caching caching)>;

OpenSource file_source(const std::string& path);  // UTF-8
// Memory as a file, for the model inside the executable and for tests. `bytes` outlives what is opened.
OpenSource memory_source(const std::string& name, std::span<const std::byte> bytes);

// What reads this file faster now: by cached_fraction(), else by the time that a few small reads take.
Caching probe_caching(const OpenSource& open);

}  // namespace halyard
