// A model file with changes: metadata and tensors of another file copied, replaced, left out, added, put into
// another order, stored in another format; in one file or in parts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/gguf.h"
#include "gguf/writer.h"

namespace halyard::test {

// Writes one metadata entry; an empty function leaves the key out.
using Entry = std::function<void(gguf::Writer&, const std::string& key)>;

template <class T>
Entry value(T v) {
  return [v](gguf::Writer& writer, const std::string& key) { writer.add(key, v); };
}
template <class T>
Entry list(std::vector<T> values) {
  return [values](gguf::Writer& writer, const std::string& key) {
    writer.add_array(key, std::span<const T>(values));
  };
}
Entry text(std::string value);
Entry texts(std::vector<std::string> values);

struct TensorCopy {
  std::string name;
  std::vector<uint64_t> dims;
  Format format;
  std::vector<std::byte> bytes;

  // Decodes, and encodes as F32, F16 or BF16.
  void convert(Format to);
};

// What a part of a split model says of itself.
struct SplitClaim {
  uint64_t number = 0, count = 1, n_tensors = 0;  // n_tensors: of all parts
};

class ModelRewriter {
 public:
  // Copies the tensors; views the metadata in `file`, which outlives this.
  explicit ModelRewriter(std::span<const std::byte> file);

  // Replaces the entry of that key in its place, or adds it at the end.
  void set(const std::string& key, Entry entry);
  void drop(const std::string& key) { set(key, {}); }
  void set_alignment(uint32_t alignment) { alignment_ = alignment; }

  TensorCopy& tensor(std::string_view name);
  // Stores every tensor whose name has `part` in it, and is a matrix, in another format.
  void convert(std::string_view part, Format to);

  std::vector<TensorCopy> tensors;  // in the order in which they are written

  std::vector<std::byte> file() const;
  // Tensors [first, first + n), with the metadata of the model only where the claim's number is 0.
  std::vector<std::byte> part(size_t first, size_t n, const SplitClaim& claim) const;
  // n_parts honest parts.
  std::vector<std::vector<std::byte>> parts(size_t n_parts) const;

 private:
  void write_metadata(gguf::Writer& writer) const;

  gguf::Header header_;
  std::map<std::string, Entry, std::less<>> changes_;
  uint32_t alignment_ = 32;
};

std::vector<std::byte> read_all(const std::filesystem::path& path);
void write_all(const std::filesystem::path& path, std::span<const std::byte> bytes);
// PREFIX-00001-of-00005.gguf, in `folder`; number counts from 0.
std::filesystem::path part_path(const std::filesystem::path& folder, const std::string& prefix, size_t number,
                                size_t count);

// models/tiny-q4.gguf, read once.
const std::vector<std::byte>& tiny_model();

}  // namespace halyard::test
