// For compilers that cannot embed a file: the model lies beside the executable.
#include "models/builtin_model.h"
#include "platform/mapping.h"
#include "platform/paths.h"

namespace halyard {

std::span<const std::byte> builtin_model() {
  static const MappedFile file = MappedFile::open(executable_path().parent_path() / "tiny-q4.gguf");
  return file.bytes();
}

}  // namespace halyard
