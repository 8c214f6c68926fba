// What a GGUF file holds and what is wrong with it.
#pragma once
#include <string>

namespace halyard {

struct Inspection {
  std::string text;    // for people: metadata, tensors, totals for each format, problems
  std::string json;    // the same for machines
  bool sound = false;  // no problem found
};

// Reads the directory only. `path` is UTF-8. Throws kNotFound, kIo, and kBadFile for what is not a GGUF file.
Inspection inspect_file(const std::string& path);

}  // namespace halyard
