// GGUF: from bytes to metadata and tensor directory (spec A.1). A pure function of the bytes: no file, no
// global state.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/quant.h"
#include "halyard/error.h"

namespace halyard::gguf {

// Numbers of the file format.
enum class ValueType : uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64
};
std::string_view value_type_name(ValueType type);  // "u32"; "unknown" for a number outside the enumeration
uint32_t value_type_bytes(ValueType type);         // of one value; 0 for strings, arrays and unknown numbers

struct Value;

// An array is a view of its bytes in the file: reading 129,280 token strings copies none of them.
struct Array {
  ValueType element = ValueType::kU8;  // never kArray
  uint64_t count = 0;
  std::span<const std::byte>
      bytes;  // packed little-endian values, or strings with a u64 length in front of each

  Value at(uint64_t index) const;  // index < count; element is not kString
  // The first `limit` of them; element == kString only, else Error(kBadFile).
  std::vector<std::string_view> strings(uint64_t limit = UINT64_MAX) const;
};

struct Value {
  ValueType type = ValueType::kU8;
  // Widened: unsigned and signed integers, floats. Strings and arrays view into the bytes that were parsed.
  std::variant<uint64_t, int64_t, double, bool, std::string_view, Array> data;
};

struct TensorInfo {
  std::string name;
  std::vector<uint64_t> dims;  // GGUF order: dims[0] is fastest; 1 to 4 of them, none is 0
  uint32_t ggml_type = 0;
  const FormatInfo* format = nullptr;  // null: a type that the table of formats does not know
  uint64_t n_values = 0;               // product of dims
  uint64_t offset = 0;                 // absolute byte in the file
  uint64_t bytes = 0;                  // 0 when the format is unknown
  uint32_t part = 0;                   // which file of a split model holds it, from 0
};

// Metadata and directory of one file. Keys, strings and arrays view into the span given to parse(), which
// must outlive this and its copies; the rest is owned. Reading from several threads is safe.
struct Header {
  std::string where;  // names the file in errors
  uint64_t file_bytes = 0;
  uint32_t version = 0;
  uint64_t alignment = 32;
  uint64_t data_offset = 0;                                  // absolute byte where tensor data starts
  std::vector<std::pair<std::string_view, Value>> metadata;  // in file order
  std::vector<TensorInfo> tensors;                           // in file order

  const Value* find(std::string_view key) const;  // null when absent
  const TensorInfo* find_tensor(std::string_view name) const;

  // Typed access with the spec's leniency (A.2): any integer type that holds the value; f32 or f64, or an
  // integer; scalar or array where `*_list` says so (a scalar gives one element). Absent: Error(kBadFile)
  // that names the key. Present with another type or out of range: Error(kBadFile) that names key and type.
  uint64_t uint(std::string_view key) const;
  double real(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string_view string(std::string_view key) const;
  std::vector<int64_t> int_list(std::string_view key) const;
  std::vector<double> real_list(std::string_view key) const;
  std::vector<std::string_view> string_list(std::string_view key) const;

  // Makes the indexes behind find and find_tensor; parse() has done it. Throws Error(kBadFile) for a key or a
  // tensor name that occurs twice.
  void make_indexes();

 private:
  std::vector<uint32_t> metadata_by_key_, tensors_by_name_;  // positions, in the order of the names
};

// More than any model needs, and little enough that no file makes us allocate or read without end.
constexpr uint64_t kMaxHeaderBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxMetadata = uint64_t{1} << 16;
constexpr uint64_t kMaxTensors = uint64_t{1} << 20;
constexpr uint64_t kMaxNameBytes = uint64_t{1} << 16;  // of a key or a tensor name

// Parses the start of a file of `file_bytes` bytes; `bytes` is the whole file (mapped) or a prefix that holds
// the directory. Accepts versions 2 and 3, little endian. Every count is checked against the bytes there
// before anything is allocated, and every tensor's range against file_bytes. Throws Error(kBadFile) with the
// byte and the field, and says so when only the prefix is too short; Error(kUnsupported) for another version
// or byte order. Overlapping tensors are left to find_overlaps. Never holds more than 4 times `bytes` and 1
// MiB.
Header parse(std::span<const std::byte> bytes, uint64_t file_bytes, std::string_view where);

// One sentence for each pair of neighbours in the file of which the first reaches into the second: both
// names, the bytes needed and the bytes there. Empty for a sound file.
std::vector<std::string> find_overlaps(const Header& header);

}  // namespace halyard::gguf
