#include "gguf/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "gguf/cursor.h"
#include "gguf/printable.h"

namespace halyard::gguf {
namespace {

// Key length, key, type, value.
constexpr uint64_t kMinMetadataBytes = 8 + 1 + 4 + 1;
// Name length, name, number of dimensions, one dimension, type, offset.
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;

struct ValueTypeInfo {
  std::string_view name;
  uint32_t n_bytes;  // 0: not of one size
};

// By the numbers of ValueType.
constexpr std::array<ValueTypeInfo, 13> kValueTypes = {{{"u8", 1},
                                                        {"i8", 1},
                                                        {"u16", 2},
                                                        {"i16", 2},
                                                        {"u32", 4},
                                                        {"i32", 4},
                                                        {"f32", 4},
                                                        {"bool", 1},
                                                        {"string", 0},
                                                        {"array", 0},
                                                        {"u64", 8},
                                                        {"i64", 8},
                                                        {"f64", 8}}};

ValueTypeInfo info_of(ValueType type) {
  const auto number = static_cast<size_t>(type);
  return number < kValueTypes.size() ? kValueTypes[number] : ValueTypeInfo{"unknown", 0};
}

std::optional<uint64_t> checked_product(uint64_t a, uint64_t b) {
  if (b != 0 && a > std::numeric_limits<uint64_t>::max() / b) return std::nullopt;
  return a * b;
}

std::optional<uint64_t> checked_sum(uint64_t a, uint64_t b) {
  if (a > std::numeric_limits<uint64_t>::max() - b) return std::nullopt;
  return a + b;
}

std::string first_bytes(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              std::min<size_t>(bytes.size(), 16));
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  const size_t n_plain =
      static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
  if (n_plain >= std::min<size_t>(4, text.size())) return '"' + std::string(text.substr(0, n_plain)) + '"';
  std::string hex;
  for (const char c : text.substr(0, 8)) hex += fmt::format(" {:02X}", static_cast<uint8_t>(c));
  return "bytes" + hex;
}

void read_magic(Cursor& in, std::span<const std::byte> bytes) {
  if (bytes.empty()) in.fail("not a GGUF file (it is empty)", "pass the .gguf file of a model");
  if (bytes.size() < 4 || std::memcmp(bytes.data(), "GGUF", 4) != 0) {
    in.fail(fmt::format("not a GGUF file (starts with {})", first_bytes(bytes)),
            "pass the .gguf file of a model; a download may have saved an error page in its place");
  }
  in.take(4, "the magic");
}

uint32_t read_version(Cursor& in) {
  const auto version = in.number<uint32_t>("the version");
  const std::string fix = "convert the model to GGUF version 3, little endian";
  if (version == 2 || version == 3) return version;
  if (version != 0 && (version & 0xFFFFu) == 0) {
    in.fail("a big-endian GGUF file; only little endian is read", fix, ErrorCode::kUnsupported);
  }
  in.fail(fmt::format("GGUF version {} is not read, only 2 and 3", version), fix, ErrorCode::kUnsupported);
}

std::string_view read_name(Cursor& in, std::string_view field) {
  const std::string_view name = in.text(field);
  if (name.empty()) in.fail(fmt::format("{} is empty", field));
  if (name.size() > kMaxNameBytes) {
    in.fail(fmt::format("{} has {} bytes; at most {} are read", field, name.size(), kMaxNameBytes));
  }
  return name;
}

template <class Stored>
Stored load(const std::byte* at) {
  Stored value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// `at` holds value_type_bytes(type) bytes, not 0.
Value load_scalar(ValueType type, const std::byte* at) {
  switch (type) {
    case ValueType::kU8:
      return {type, uint64_t{load<uint8_t>(at)}};
    case ValueType::kI8:
      return {type, int64_t{load<int8_t>(at)}};
    case ValueType::kU16:
      return {type, uint64_t{load<uint16_t>(at)}};
    case ValueType::kI16:
      return {type, int64_t{load<int16_t>(at)}};
    case ValueType::kU32:
      return {type, uint64_t{load<uint32_t>(at)}};
    case ValueType::kI32:
      return {type, int64_t{load<int32_t>(at)}};
    case ValueType::kF32:
      return {type, double{load<float>(at)}};
    case ValueType::kBool:
      return {type, load<uint8_t>(at) != 0};
    case ValueType::kU64:
      return {type, load<uint64_t>(at)};
    case ValueType::kI64:
      return {type, load<int64_t>(at)};
    case ValueType::kF64:
      return {type, load<double>(at)};
    case ValueType::kString:
    case ValueType::kArray:
      break;
  }
  return {type, uint64_t{0}};
}

Array read_array(Cursor& in) {
  Array array;
  array.element = ValueType{in.number<uint32_t>("the element type")};
  array.count = in.number<uint64_t>("the array length");
  if (array.element == ValueType::kArray)
    in.fail("an array of arrays; only plain values and strings are read");
  if (array.element == ValueType::kString) {
    in.check_count(array.count, 8, "strings");
    Cursor walk = in;
    for (uint64_t i = 0; i < array.count; ++i) walk.text("a string");
    array.bytes = in.take(walk.position() - in.position(), "the strings");
    return array;
  }
  const uint32_t element_bytes = value_type_bytes(array.element);
  if (element_bytes == 0)
    in.fail(fmt::format("unknown element type {}", static_cast<uint32_t>(array.element)));
  in.check_count(array.count, element_bytes, "array values");
  array.bytes = in.take(array.count * element_bytes, "the array");
  return array;
}

Value read_value(Cursor& in) {
  const auto type = ValueType{in.number<uint32_t>("the value type")};
  if (type == ValueType::kString) return {type, in.text("the string")};
  if (type == ValueType::kArray) return {type, read_array(in)};
  const uint32_t n_bytes = value_type_bytes(type);
  if (n_bytes == 0) in.fail(fmt::format("unknown value type {}", static_cast<uint32_t>(type)));
  return load_scalar(type, in.take(n_bytes, "the value").data());
}

// The offset stays relative to the tensor data until place_tensor.
TensorInfo read_tensor(Cursor& in, uint64_t index) {
  in.enter("tensor", index, "");
  TensorInfo tensor;
  const std::string_view name = read_name(in, "the name");
  in.enter("tensor", index, name);
  tensor.name = name;
  const auto n_dims = in.number<uint32_t>("the number of dimensions");
  if (n_dims < 1 || n_dims > 4) in.fail(fmt::format("{} dimensions; 1 to 4 are read", n_dims));
  tensor.dims.resize(n_dims);
  tensor.n_values = 1;
  for (uint64_t& dim : tensor.dims) {
    dim = in.number<uint64_t>("a dimension");
    if (dim == 0) in.fail("a dimension is 0");
    const auto product = checked_product(tensor.n_values, dim);
    if (!product) in.fail("the product of the dimensions does not fit 64 bits");
    tensor.n_values = *product;
  }
  tensor.ggml_type = in.number<uint32_t>("the type");
  tensor.offset = in.number<uint64_t>("the offset");
  tensor.format = find_format(tensor.ggml_type);
  if (tensor.format == nullptr) return tensor;
  const FormatInfo& format = *tensor.format;
  if (tensor.dims[0] % format.block_values != 0) {
    in.fail(fmt::format("rows of {} values do not divide into {} blocks of {}", tensor.dims[0], format.name,
                        format.block_values));
  }
  const auto n_bytes = checked_product(tensor.n_values / format.block_values, format.block_bytes);
  if (!n_bytes) in.fail("the size in bytes does not fit 64 bits");
  tensor.bytes = *n_bytes;
  return tensor;
}

[[noreturn]] void fail_tensor(const Header& header, const TensorInfo& tensor, std::string_view problem,
                              std::string fix) {
  throw Error(ErrorCode::kBadFile, fmt::format("tensor {} {}", quoted(tensor.name), problem), header.where,
              std::move(fix));
}

// Turns the offset of tensor `index` into an absolute one and checks its range.
void place_tensor(Header& header, size_t index) {
  TensorInfo& tensor = header.tensors[index];
  if (tensor.offset % header.alignment != 0) {
    std::string before;
    if (index > 0) {
      const TensorInfo& previous = header.tensors[index - 1];
      before = fmt::format("; the tensor before it, {}, takes {} bytes from {}", quoted(previous.name),
                           previous.bytes, previous.offset - header.data_offset);
    }
    fail_tensor(header, tensor,
                fmt::format("has offset {}, not a multiple of the alignment {}{}", tensor.offset,
                            header.alignment, before),
                "make the file anew: the program that wrote it placed its tensors wrongly");
  }
  const auto begin = checked_sum(header.data_offset, tensor.offset);
  const auto end = begin ? checked_sum(*begin, tensor.bytes) : std::nullopt;
  if (!end) {
    fail_tensor(header, tensor, fmt::format("has offset {}, which does not fit 64 bits", tensor.offset),
                "fetch the file again, or make it anew");
  }
  if (*end > header.file_bytes) {
    fail_tensor(header, tensor,
                fmt::format("needs {} bytes from byte {} to {}, but the file has {} bytes", tensor.bytes,
                            *begin, *end, header.file_bytes),
                "the download is incomplete; fetch it again");
  }
  tensor.offset = *begin;
}

uint64_t alignment_of(const Header& header) {
  if (header.find("general.alignment") == nullptr) return 32;
  const uint64_t alignment = header.uint("general.alignment");
  if (alignment < 8 || alignment > 65536 || !std::has_single_bit(alignment)) {
    throw Error(ErrorCode::kBadFile,
                fmt::format("general.alignment is {}; a power of two from 8 to 65536 is needed", alignment),
                header.where, "make the file anew with alignment 32");
  }
  return alignment;
}

}  // namespace

std::string_view value_type_name(ValueType type) {
  return info_of(type).name;
}

uint32_t value_type_bytes(ValueType type) {
  return info_of(type).n_bytes;
}

Value Array::at(uint64_t index) const {
  return load_scalar(element, bytes.subspan(index * value_type_bytes(element)).data());
}

std::vector<std::string_view> Array::strings(uint64_t limit) const {
  if (element != ValueType::kString) {
    throw Error(ErrorCode::kBadFile,
                fmt::format("an array of {} where strings are needed", value_type_name(element)), "metadata",
                "fetch the file again, or make it anew");
  }
  std::vector<std::string_view> out;
  const uint64_t n = std::min(count, limit);
  out.reserve(n);
  Cursor walk(bytes, bytes.size(), "metadata");
  for (uint64_t i = 0; i < n; ++i) out.push_back(walk.text("a string"));
  return out;
}

Header parse(std::span<const std::byte> bytes, uint64_t file_bytes, std::string_view where) {
  Header header;
  header.where = where;
  header.file_bytes = file_bytes;
  Cursor in(bytes.first(std::min<size_t>(bytes.size(), kMaxHeaderBytes)), file_bytes, where);
  read_magic(in, bytes);
  header.version = read_version(in);
  const auto n_tensors = in.number<uint64_t>("the number of tensors");
  const auto n_metadata = in.number<uint64_t>("the number of metadata entries");
  in.check_count(n_tensors, kMinTensorBytes, "tensors");
  in.check_count(n_metadata, kMinMetadataBytes, "metadata entries");
  if (n_tensors > kMaxTensors)
    in.fail(fmt::format("{} tensors; at most {} are read", n_tensors, kMaxTensors));
  if (n_metadata > kMaxMetadata) {
    in.fail(fmt::format("{} metadata entries; at most {} are read", n_metadata, kMaxMetadata));
  }

  header.metadata.reserve(n_metadata);
  for (uint64_t i = 0; i < n_metadata; ++i) {
    in.enter("metadata entry", i, "");
    const std::string_view key = read_name(in, "the key");
    in.enter("metadata entry", i, key);
    header.metadata.emplace_back(key, read_value(in));
  }
  header.tensors.reserve(n_tensors);
  for (uint64_t i = 0; i < n_tensors; ++i) header.tensors.push_back(read_tensor(in, i));
  header.make_indexes();

  header.alignment = alignment_of(header);
  header.data_offset = (in.position() + header.alignment - 1) / header.alignment * header.alignment;
  for (size_t i = 0; i < header.tensors.size(); ++i) place_tensor(header, i);
  return header;
}

std::vector<std::string> find_overlaps(const Header& header) {
  std::vector<const TensorInfo*> by_offset;
  for (const TensorInfo& tensor : header.tensors) by_offset.push_back(&tensor);
  std::stable_sort(by_offset.begin(), by_offset.end(), [](const TensorInfo* a, const TensorInfo* b) {
    return a->part != b->part ? a->part < b->part : a->offset < b->offset;
  });
  std::vector<std::string> out;
  for (size_t i = 1; i < by_offset.size(); ++i) {
    const TensorInfo &first = *by_offset[i - 1], &second = *by_offset[i];
    if (first.part != second.part) continue;
    const uint64_t there = second.offset - first.offset;
    if (first.bytes <= there) continue;
    out.push_back(fmt::format("tensor {} needs {} bytes, but tensor {} starts {} bytes after it",
                              quoted(first.name), first.bytes, quoted(second.name), there));
  }
  return out;
}

}  // namespace halyard::gguf
