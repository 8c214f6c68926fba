#include "support/rewrite_model.h"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

#include "core/half.h"
#include "platform/file.h"
#include "platform/paths.h"

namespace halyard::test {
namespace {

template <class T>
void copy_array(gguf::Writer& writer, std::string_view key, const gguf::Array& array) {
  std::vector<T> values(array.count);
  if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  writer.add_array(key, std::span<const T>(values));
}

void copy_array(gguf::Writer& writer, std::string_view key, const gguf::Array& array) {
  switch (array.element) {
    case gguf::ValueType::kString: {
      const auto views = array.strings();
      writer.add_strings(key, std::vector<std::string>(views.begin(), views.end()));
      return;
    }
    case gguf::ValueType::kI32:
      return copy_array<int32_t>(writer, key, array);
    case gguf::ValueType::kU32:
      return copy_array<uint32_t>(writer, key, array);
    case gguf::ValueType::kF32:
      return copy_array<float>(writer, key, array);
    default:
      throw std::invalid_argument("no tiny model has an array of " +
                                  std::string(gguf::value_type_name(array.element)));
  }
}

void copy_value(gguf::Writer& writer, std::string_view key, const gguf::Value& value) {
  switch (value.type) {
    case gguf::ValueType::kString:
      return writer.add_string(key, std::get<std::string_view>(value.data));
    case gguf::ValueType::kArray:
      return copy_array(writer, key, std::get<gguf::Array>(value.data));
    case gguf::ValueType::kBool:
      return writer.add(key, std::get<bool>(value.data));
    case gguf::ValueType::kF32:
      return writer.add(key, static_cast<float>(std::get<double>(value.data)));
    case gguf::ValueType::kU32:
      return writer.add(key, static_cast<uint32_t>(std::get<uint64_t>(value.data)));
    default:
      throw std::invalid_argument("no tiny model has a value of " +
                                  std::string(gguf::value_type_name(value.type)));
  }
}

}  // namespace

Entry text(std::string value) {
  return [value = std::move(value)](gguf::Writer& writer, const std::string& key) {
    writer.add_string(key, value);
  };
}

Entry texts(std::vector<std::string> values) {
  return [values = std::move(values)](gguf::Writer& writer, const std::string& key) {
    writer.add_strings(key, values);
  };
}

void TensorCopy::convert(Format to) {
  const FormatInfo& from = format_info(format);
  std::vector<float> values(bytes.size() / from.block_bytes * from.block_values);
  from.decode(bytes.data(), values.data(), values.size());
  bytes.resize(values.size() * format_info(to).block_bytes);
  if (to == Format::kF32) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  } else {
    for (size_t i = 0; i < values.size(); ++i) {
      const uint16_t half = to == Format::kF16 ? float_to_half(values[i]) : float_to_bf16(values[i]);
      std::memcpy(&bytes[2 * i], &half, sizeof half);
    }
  }
  format = to;
}

ModelRewriter::ModelRewriter(std::span<const std::byte> file)
    : header_(gguf::parse(file, file.size(), "original")) {
  for (const gguf::TensorInfo& info : header_.tensors) {
    const auto bytes = file.subspan(info.offset, info.bytes);
    tensors.push_back({info.name, info.dims, info.format->id, {bytes.begin(), bytes.end()}});
  }
}

void ModelRewriter::set(const std::string& key, Entry entry) {
  changes_[key] = std::move(entry);
}

TensorCopy& ModelRewriter::tensor(std::string_view name) {
  for (TensorCopy& tensor : tensors) {
    if (tensor.name == name) return tensor;
  }
  throw std::invalid_argument("no tensor " + std::string(name));
}

void ModelRewriter::convert(std::string_view part, Format to) {
  size_t n_converted = 0;
  for (TensorCopy& tensor : tensors) {
    if (tensor.dims.size() < 2 || tensor.format == Format::kI32) continue;
    if (tensor.name.find(part) == std::string::npos) continue;
    tensor.convert(to);
    ++n_converted;
  }
  if (n_converted == 0) throw std::invalid_argument("no tensor with " + std::string(part));
}

void ModelRewriter::write_metadata(gguf::Writer& writer) const {
  for (const auto& [key, value] : header_.metadata) {
    if (key == "general.alignment") continue;
    const auto change = changes_.find(key);
    if (change == changes_.end()) {
      copy_value(writer, key, value);
    } else if (change->second) {
      change->second(writer, change->first);
    }
  }
  for (const auto& [key, entry] : changes_) {
    if (entry && header_.find(key) == nullptr) entry(writer, key);
  }
}

std::vector<std::byte> ModelRewriter::file() const {
  gguf::Writer writer;
  writer.set_alignment(alignment_);
  write_metadata(writer);
  for (const TensorCopy& t : tensors) writer.add_tensor(t.name, t.dims, t.format, t.bytes);
  return writer.file();
}

std::vector<std::byte> ModelRewriter::part(size_t first, size_t n, const SplitClaim& claim) const {
  gguf::Writer writer;
  writer.set_alignment(alignment_);
  if (claim.number == 0) write_metadata(writer);
  writer.add("split.no", static_cast<uint16_t>(claim.number));
  writer.add("split.count", static_cast<uint16_t>(claim.count));
  writer.add("split.tensors.count", static_cast<int32_t>(claim.n_tensors));
  for (size_t i = first; i < first + n; ++i) {
    writer.add_tensor(tensors[i].name, tensors[i].dims, tensors[i].format, tensors[i].bytes);
  }
  return writer.file();
}

std::vector<std::vector<std::byte>> ModelRewriter::parts(size_t n_parts) const {
  std::vector<std::vector<std::byte>> all;
  for (size_t i = 0; i < n_parts; ++i) {
    const size_t begin = tensors.size() * i / n_parts, end = tensors.size() * (i + 1) / n_parts;
    all.push_back(part(begin, end - begin, {i, n_parts, tensors.size()}));
  }
  return all;
}

std::vector<std::byte> read_all(const std::filesystem::path& path) {
  const File file = File::open(path);
  std::vector<std::byte> bytes(file.size_bytes());
  file.read_at(0, bytes);
  return bytes;
}

void write_all(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  OutputFile file = OutputFile::create(path);
  file.write_at(0, bytes);
  file.close();
}

std::filesystem::path part_path(const std::filesystem::path& folder, const std::string& prefix, size_t number,
                                size_t count) {
  return folder / path_from_utf8(fmt::format("{}-{:05}-of-{:05}.gguf", prefix, number + 1, count));
}

const std::vector<std::byte>& tiny_model() {
  static const std::vector<std::byte> bytes =
      read_all(path_from_utf8(HALYARD_SOURCE_DIR) / "models/tiny-q4.gguf");
  return bytes;
}

}  // namespace halyard::test
