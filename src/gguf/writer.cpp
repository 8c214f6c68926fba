#include "gguf/writer.h"

#include <cstring>
#include <fmt/format.h>

namespace halyard::gguf {
namespace {

void pad(std::vector<std::byte>& out, uint64_t alignment) {
  out.resize((out.size() + alignment - 1) / alignment * alignment);
}

}  // namespace

void Writer::set_alignment(uint32_t alignment) {
  alignment_ = alignment;
  add("general.alignment", alignment);
}

void Writer::add_string(std::string_view key, std::string_view value) {
  begin_entry(key, ValueType::kString);
  append_string(metadata_, value);
}

void Writer::add_strings(std::string_view key, std::span<const std::string> values) {
  begin_array(key, ValueType::kString, values.size());
  for (const std::string& value : values) append_string(metadata_, value);
}

void Writer::add_tensor(std::string_view name, std::span<const uint64_t> dims, Format format,
                        std::span<const std::byte> bytes) {
  const FormatInfo& info = format_info(format);
  uint64_t n_values = 1;
  for (const uint64_t dim : dims) n_values *= dim;
  const uint64_t n_bytes = n_values / info.block_values * info.block_bytes;
  if (bytes.size() != n_bytes) {
    throw Error(ErrorCode::kUsage, fmt::format("{} bytes for a tensor of {} bytes", bytes.size(), n_bytes),
                std::string(name), "pass the blocks of the whole tensor");
  }
  append_string(directory_, name);
  append(directory_, static_cast<uint32_t>(dims.size()));
  for (const uint64_t dim : dims) append(directory_, dim);
  append(directory_, static_cast<uint32_t>(format));
  append(directory_, uint64_t{data_.size()});
  append_bytes(data_, bytes);
  pad(data_, alignment_);
  ++n_tensors_;
}

std::vector<std::byte> Writer::file() const {
  std::vector<std::byte> out;
  append_bytes(out, std::as_bytes(std::span(std::string_view("GGUF"))));
  append(out, uint32_t{3});
  append(out, n_tensors_);
  append(out, n_metadata_);
  append_bytes(out, metadata_);
  append_bytes(out, directory_);
  pad(out, alignment_);
  append_bytes(out, data_);
  return out;
}

void Writer::append_bytes(std::vector<std::byte>& out, std::span<const std::byte> bytes) {
  const size_t before = out.size();
  out.resize(before + bytes.size());
  if (!bytes.empty()) std::memcpy(out.data() + before, bytes.data(), bytes.size());
}

void Writer::append_string(std::vector<std::byte>& out, std::string_view text) {
  append(out, uint64_t{text.size()});
  append_bytes(out, std::as_bytes(std::span(text)));
}

void Writer::begin_entry(std::string_view key, ValueType type) {
  append_string(metadata_, key);
  append(metadata_, static_cast<uint32_t>(type));
  ++n_metadata_;
}

void Writer::begin_array(std::string_view key, ValueType element, uint64_t count) {
  begin_entry(key, ValueType::kArray);
  append(metadata_, static_cast<uint32_t>(element));
  append(metadata_, count);
}

}  // namespace halyard::gguf
