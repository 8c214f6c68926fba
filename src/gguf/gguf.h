// GGUF: from bytes to metadata and tensor directory (spec A.1). A pure function of the bytes: no file, no global state.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quant.h"
#include "halyard/error.h"

namespace halyard::gguf {

// Numbers of the file format.
enum class ValueType : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };
std::string_view value_type_name(ValueType type);

struct Value;
// An array keeps a view of its bytes in the file's prefix (strings are found by walking it once): reading 129,280 token
// strings allocates an index of views, not copies.
struct Array {
  ValueType element = ValueType::kU8;
  uint64_t count = 0;
  std::span<const std::byte> bytes;        // packed little-endian elements, or length-prefixed strings
  std::vector<std::string_view> strings() const;  // element == kString only, else kBadFile
};

struct Value {
  ValueType type = ValueType::kU8;
  std::variant<uint64_t, int64_t, double, bool, std::string_view, Array> data;  // widened; views into the bytes read
};

struct TensorInfo {
  std::string name;
  std::vector<uint64_t> dims;   // GGUF order: dims[0] is fastest; 1 to 4 of them
  uint32_t ggml_type = 0;
  const FormatInfo* format = nullptr;  // null: a type this table does not know
  uint64_t n_values = 0;
  uint64_t offset = 0;  // absolute byte in the file
  uint64_t bytes = 0;   // 0 when the format is unknown
};

// Metadata and directory of one file. Owns nothing of the bytes: string and array values view into the span given to
// parse(), which must outlive this.
struct Header {
  uint32_t version = 0;
  uint64_t alignment = 32;
  uint64_t data_offset = 0;  // absolute byte where tensor data starts
  std::vector<std::pair<std::string, Value>> metadata;  // in file order
  std::vector<TensorInfo> tensors;                      // in file order

  const Value* find(std::string_view key) const;  // null when absent
  const TensorInfo* find_tensor(std::string_view name) const;

  // Typed access with the spec's leniency (A.2): any integer type that holds the value; f32 or f64, or an integer;
  // scalar or array where `*_list` says so (a scalar gives one element). Absent: kBadFile that names the key.
  // Present with another type or out of range: kBadFile that names key and type.
  uint64_t uint(std::string_view key) const;
  double real(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string_view string(std::string_view key) const;
  std::vector<int64_t> int_list(std::string_view key) const;
  std::vector<double> real_list(std::string_view key) const;
  std::vector<std::string_view> string_list(std::string_view key) const;
};
// (Implementations may keep hash indexes beside the vectors.)

// Parses the prefix of a file of `file_bytes` bytes; `bytes` is that prefix or the whole file. Every count is checked
// against the bytes there before anything is allocated; every tensor range is checked against file_bytes. `where` names
// the file in errors. Throws Error(kBadFile) with the byte offset and the field.
Header parse(std::span<const std::byte> bytes, uint64_t file_bytes, std::string_view where);

}  // namespace halyard::gguf
