#include "support/flash_header.h"

#include <list>

namespace halyard::test {

gguf::Header flash_metadata(const std::map<std::string, Override>& overrides) {
  std::map<std::string, WriteEntry> entries = flash_entries();
  for (const auto& [key, write] : overrides) {
    const bool own = key.rfind("general.", 0) != 0 && key.rfind("tokenizer.", 0) != 0;
    entries[own ? "deepseek4." + key : key] = write;
  }
  gguf::Writer writer;
  for (const auto& [key, write] : entries) {
    if (write) write(writer, key);
  }
  static std::list<std::vector<std::byte>> files;  // headers view into them
  const std::vector<std::byte>& file = files.emplace_back(writer.file());
  gguf::Header header = gguf::parse(file, file.size(), "flash.gguf");
  for (uint32_t i = 0; i < 43; ++i) {
    gguf::TensorInfo& info = header.tensors.emplace_back();
    info.name = "stand-in." + std::to_string(i);
  }
  header.make_indexes();
  return header;
}

gguf::Header flash_header() {
  static const FlashDirectory directory = flash_directory(*find_flash_mix("flash-q2"));
  return directory.header;
}

}  // namespace halyard::test
