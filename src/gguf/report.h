// What `halyard inspect` prints about a GGUF file, as data and as text.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gguf/gguf.h"

namespace halyard::gguf {

// Texts that come from the file are safe to print (see printable.h).
struct MetadataRow {
  std::string key;
  std::string type;   // "u32", "string", "array of i32"
  std::string value;  // long strings and arrays are abridged
};

struct TensorRow {
  std::string name;
  std::vector<uint64_t> shape;  // GGUF order, fastest first
  std::string format;           // "Q2_K"; "type 99" when unknown
  uint64_t offset = 0;          // absolute
  uint64_t bytes = 0;           // 0 when the format is unknown
};

struct FormatTotal {
  std::string format;
  uint64_t n_tensors = 0;
  uint64_t bytes = 0;
};

struct Report {
  std::string path;
  uint64_t file_bytes = 0;
  uint32_t version = 0;
  uint64_t alignment = 0;
  uint64_t data_offset = 0;
  std::vector<MetadataRow> metadata;  // in file order
  std::vector<TensorRow> tensors;     // in file order
  std::vector<FormatTotal> totals;    // most bytes first
  std::vector<std::string> problems;  // what is wrong with the file, though it could be parsed
  std::vector<std::string> warnings;  // what is sound but may surprise
};

// One header, or those of all parts of a split model in their order; they come from parse(). Path, metadata
// and layout are those of the first, tensors and problems those of all.
Report make_report(std::span<const Header* const> parts);
Report make_report(const Header& header);

std::string to_text(const Report& report);  // aligned lines, ends with a newline
std::string to_json(
    const Report& report);  // the members of Report by their names, in their order; indented by 2

}  // namespace halyard::gguf
