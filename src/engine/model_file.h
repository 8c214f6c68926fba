// A model's bytes and what they say: mapped from one file or the parts of a split model, or built in.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gguf/gguf.h"
#include "platform/mapping.h"

namespace halyard {

struct ModelPart {
  std::string path;                   // UTF-8; empty: the built-in model
  std::optional<MappedFile> mapping;  // none for the built-in model
  std::span<const std::byte> bytes;
  gguf::Header header;  // views into bytes; empty in the one part of a whole model
};

// Maps and parses one file; an empty path opens the built-in model. Throws what MappedFile::open and
// gguf::parse throw.
ModelPart open_model_part(const std::string& path);

struct ModelFile {
  std::string source;  // path in UTF-8, or "built-in"
  std::vector<ModelPart> parts;
  gguf::Header header;  // of all parts

  std::vector<std::span<const std::byte>> bytes() const;  // of each part
};

// With all parts of a split model, whose first is given. Throws kBadFile for another part than the first and
// for parts that do not belong together, kNotFound with the name of a part that is missing.
ModelFile open_model_file(const std::string& path);

}  // namespace halyard
