#include "engine/model_file.h"

#include "models/builtin_model.h"
#include "platform/paths.h"

namespace halyard {

ModelFile open_model_file(const std::string& path) {
  ModelFile file;
  if (path.empty()) {
    file.source = "built-in";
    file.bytes = builtin_model();
  } else {
    file.source = path;
    file.mapping.emplace(MappedFile::open(path_from_utf8(path)));
    file.bytes = file.mapping->bytes();
  }
  file.header = gguf::parse(file.bytes, file.bytes.size(), file.source);
  return file;
}

}  // namespace halyard
