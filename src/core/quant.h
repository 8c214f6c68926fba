// Every GGUF tensor format is one row of one table. To add a format: its row, its decoder, and its kernels in
// each backend. The tests visit every row. Layouts: spec section C (block formats).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace halyard {

// The formats that have a decoder; the table has further rows that are known by size only. Numbers are fixed
// by the GGUF file format (ggml type numbers).
enum class Format : uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ4_K = 12,
  kIQ2_XXS = 16,
  kI32 = 26,
  kBF16 = 30,
  kMXFP4 = 39,
};

struct FormatInfo {
  Format id;
  std::string_view name;  // as the field writes it: "Q2_K"
  uint32_t block_values;  // values in one block; a row length (ne0) is a multiple of it
  uint32_t block_bytes;   // bytes of one block in the file
  // Reference decoder: scalar, obvious, the judge of every fast kernel. `blocks` holds n_values /
  // block_values blocks, in any alignment; n_values is a multiple of block_values. Null for a format that is
  // listed by `inspect` and known by size only: needing such a tensor is an error that names the format.
  void (*decode)(const std::byte* blocks, float* out, uint64_t n_values);
};

std::span<const FormatInfo> all_formats();
const FormatInfo* find_format(uint32_t ggml_type);  // null: a number that this table does not know
const FormatInfo& format_info(Format format);       // the row; every enumerator has one

}  // namespace halyard
