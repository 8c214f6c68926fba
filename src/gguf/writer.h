// Writes GGUF files into memory: for tests, tools and synthetic models (spec A.1).
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/quant.h"
#include "gguf/gguf.h"

namespace halyard::gguf {

// The value type that a C++ type is written as; kArray for a type that is not a scalar of the format.
template <class T>
consteval ValueType type_of() {
  if constexpr (std::same_as<T, uint8_t>)
    return ValueType::kU8;
  else if constexpr (std::same_as<T, int8_t>)
    return ValueType::kI8;
  else if constexpr (std::same_as<T, uint16_t>)
    return ValueType::kU16;
  else if constexpr (std::same_as<T, int16_t>)
    return ValueType::kI16;
  else if constexpr (std::same_as<T, uint32_t>)
    return ValueType::kU32;
  else if constexpr (std::same_as<T, int32_t>)
    return ValueType::kI32;
  else if constexpr (std::same_as<T, float>)
    return ValueType::kF32;
  else if constexpr (std::same_as<T, bool>)
    return ValueType::kBool;
  else if constexpr (std::same_as<T, uint64_t>)
    return ValueType::kU64;
  else if constexpr (std::same_as<T, int64_t>)
    return ValueType::kI64;
  else if constexpr (std::same_as<T, double>)
    return ValueType::kF64;
  else
    return ValueType::kArray;
}

template <class T>
concept Scalar = type_of<T>() != ValueType::kArray;

// Entries are written in the order of the calls. Keys and names are not checked for twins: parse() does that.
class Writer {
 public:
  // Writes the key general.alignment too. A power of two from 8 to 65536, set before the first tensor.
  void set_alignment(uint32_t alignment);

  template <Scalar T>
  void add(std::string_view key, T value) {
    begin_entry(key, type_of<T>());
    append(metadata_, value);
  }
  void add_string(std::string_view key, std::string_view value);

  template <Scalar T>
  void add_array(std::string_view key, std::span<const T> values) {
    begin_array(key, type_of<T>(), values.size());
    for (const T value : values) append(metadata_, value);
  }
  template <Scalar T>
  void add_array(std::string_view key, std::initializer_list<T> values) {
    add_array(key, std::span<const T>(values.begin(), values.size()));
  }
  void add_strings(std::string_view key, std::span<const std::string> values);

  // Copies `bytes`, which must have the size of that shape in that format; throws Error(kUsage) otherwise.
  void add_tensor(std::string_view name, std::span<const uint64_t> dims, Format format,
                  std::span<const std::byte> bytes);
  void add_tensor(std::string_view name, std::initializer_list<uint64_t> dims, Format format,
                  std::span<const std::byte> bytes) {
    add_tensor(name, std::span<const uint64_t>(dims.begin(), dims.size()), format, bytes);
  }

  // The whole file: version 3, each tensor padded to the alignment.
  std::vector<std::byte> file() const;

 private:
  template <Scalar T>
  static void append(std::vector<std::byte>& out, T value) {
    append_bytes(out, std::as_bytes(std::span<const T, 1>(&value, 1)));
  }
  static void append_bytes(std::vector<std::byte>& out, std::span<const std::byte> bytes);
  static void append_string(std::vector<std::byte>& out, std::string_view text);
  void begin_entry(std::string_view key, ValueType type);
  void begin_array(std::string_view key, ValueType element, uint64_t count);

  uint32_t alignment_ = 32;
  uint64_t n_metadata_ = 0, n_tensors_ = 0;
  std::vector<std::byte> metadata_, directory_, data_;  // as they will lie in the file
};

}  // namespace halyard::gguf
