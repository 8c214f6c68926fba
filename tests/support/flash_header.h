// The directory of the published Flash file, without its 81 GiB of data (spec A.2, A.3).
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gguf/gguf.h"
#include "gguf/writer.h"
#include "model/flash.h"

namespace halyard::test {

// Writes one metadata entry of another type or value than the published one; an empty function leaves the key
// out.
using Override = WriteEntry;

template <typename T>
Override value(T v) {
  return [v](gguf::Writer& writer, const std::string& key) { writer.add(key, v); };
}

template <typename T>
Override list(std::vector<T> values) {
  return [values](gguf::Writer& writer, const std::string& key) {
    writer.add_array(key, std::span<const T>(values));
  };
}

// Metadata of Flash with `overrides` by key (without the "deepseek4." prefix, but for keys that have none).
// One tensor without data a layer stands in the directory, so that read_config can be tried alone.
gguf::Header flash_metadata(const std::map<std::string, Override>& overrides = {});

// With all 1328 tensors of the published q2 mix, laid out one after the other.
gguf::Header flash_header();

}  // namespace halyard::test
