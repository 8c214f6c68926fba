// A model's bytes and what they say: mapped from a file, or built in.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "backend/model.h"
#include "gguf/gguf.h"
#include "platform/mapping.h"

namespace halyard {

struct ModelFile {
  std::optional<MappedFile> mapping;  // none for the built-in model
  std::span<const std::byte> bytes;
  std::string source;   // path in UTF-8, or "built-in"
  gguf::Header header;  // views into bytes
};

// Maps and parses; an empty path opens the built-in model. Throws what File::open and gguf::parse throw.
ModelFile open_model_file(const std::string& path);

}  // namespace halyard
