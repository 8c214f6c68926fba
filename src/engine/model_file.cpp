#include "engine/model_file.h"

#include <utility>

#include "gguf/split.h"
#include "models/builtin_model.h"
#include "platform/paths.h"

namespace halyard {
namespace {

constexpr std::string_view kBuiltIn = "built-in";

std::string beside(const std::string& path, const std::string& name) {
  return utf8_from_path(path_from_utf8(path).parent_path() / path_from_utf8(name));
}

void open_other_parts(ModelFile& file, const gguf::SplitPart& first) {
  const std::string name = utf8_from_path(path_from_utf8(file.source).filename());
  const auto part_path = [&](uint64_t number) {
    return beside(file.source, gguf::split_file_name(name, {number, first.count}));
  };
  if (first.number != 0) {
    throw Error(ErrorCode::kBadFile,
                "part " + std::to_string(first.number + 1) + " of " + std::to_string(first.count) +
                    " of a split model",
                file.source, "pass the first part: " + part_path(0));
  }
  gguf::split_file_name(name, first);  // refuses a name without a number, by this part's own
  for (uint64_t i = 1; i < first.count; ++i) {
    const std::string path = part_path(i);
    try {
      file.parts.push_back(open_model_part(path));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      throw Error(
          ErrorCode::kNotFound,
          "part " + std::to_string(i + 1) + " of " + std::to_string(first.count) + " of the model is missing",
          path, "put all parts into one folder");
    }
  }
  std::vector<const gguf::Header*> headers;
  for (const ModelPart& part : file.parts) headers.push_back(&part.header);
  file.header = gguf::join_parts(headers);
}

}  // namespace

ModelPart open_model_part(const std::string& path) {
  ModelPart part;
  part.path = path;
  if (path.empty()) {
    part.bytes = builtin_model();
  } else {
    part.mapping.emplace(MappedFile::open(path_from_utf8(path)));
    part.bytes = part.mapping->bytes();
  }
  part.header = gguf::parse(part.bytes, part.bytes.size(), path.empty() ? kBuiltIn : path);
  return part;
}

ModelFile open_model_file(const std::string& path) {
  ModelFile file;
  file.source = path.empty() ? kBuiltIn : path;
  file.parts.push_back(open_model_part(path));
  if (const auto split = gguf::split_part(file.parts[0].header)) {
    open_other_parts(file, *split);
  } else {
    file.header = std::move(file.parts[0].header);
  }
  return file;
}

std::vector<std::span<const std::byte>> ModelFile::bytes() const {
  std::vector<std::span<const std::byte>> all;
  for (const ModelPart& part : parts) all.push_back(part.bytes);
  return all;
}

}  // namespace halyard
