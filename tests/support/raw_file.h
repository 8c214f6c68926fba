// A GGUF file written field by field, with what no honest writer would write.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace halyard::test {

class RawFile {
 public:
  RawFile(uint64_t n_tensors, uint64_t n_metadata, uint32_t version = 3) {
    text_ = "GGUF";
    u32(version).u64(n_tensors).u64(n_metadata);
  }
  RawFile& u32(uint32_t value) { return raw(&value, sizeof value); }
  RawFile& u64(uint64_t value) { return raw(&value, sizeof value); }
  RawFile& name(std::string_view value) { return u64(value.size()).raw(value.data(), value.size()); }
  RawFile& raw(const void* data, size_t n) {
    text_.append(static_cast<const char*>(data), n);
    return *this;
  }
  RawFile& tensor(std::string_view tensor_name, std::initializer_list<uint64_t> dims, uint32_t type,
                  uint64_t offset) {
    name(tensor_name).u32(static_cast<uint32_t>(dims.size()));
    for (const uint64_t dim : dims) u64(dim);
    return u32(type).u64(offset);
  }
  RawFile& pad(size_t alignment) {
    text_.resize((text_.size() + alignment - 1) / alignment * alignment);
    return *this;
  }
  RawFile& data(size_t n) {
    text_.resize(text_.size() + n);
    return *this;
  }
  const std::string& bytes() const { return text_; }

 private:
  std::string text_;
};

}  // namespace halyard::test
