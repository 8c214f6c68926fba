// The published Flash files by the names of their mixes, without a file (spec A.2 to A.4): for plans, for
// tests, and for models of random weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/model.h"
#include "gguf/gguf.h"
#include "gguf/writer.h"
#include "model/weights.h"

namespace halyard {

// One published file.
struct FlashMix {
  std::string_view name;  // "flash-q2"
  uint64_t file_bytes;    // as published
  uint64_t data_offset;   // where its tensors begin
};

std::span<const FlashMix> flash_mixes();
const FlashMix* find_flash_mix(std::string_view name);  // null: no such mix

// Writes the value of one metadata entry under that key.
using WriteEntry = std::function<void(gguf::Writer& writer, const std::string& key)>;
// Metadata of the published files by key, but for the tokenizer's; the same for every mix.
std::map<std::string, WriteEntry> flash_entries();

// In which format one of flash_mixes() stores a tensor.
Format flash_format(const FlashMix& mix, const TensorSlot& slot);

// A directory with the bytes that its metadata views into. Moves, and is not copied.
struct FlashDirectory {
  std::vector<std::byte> metadata;
  gguf::Header header;

  FlashDirectory() = default;
  FlashDirectory(FlashDirectory&&) = default;
  FlashDirectory& operator=(FlashDirectory&&) = default;
};

// The directory of a file of that mix: 1328 tensors, one after the other in the order of tensor_slots (the
// published files have another order), from the mix's data_offset to its file_bytes.
FlashDirectory flash_directory(const FlashMix& mix);

// The model with every tensor bound, but without data.
Model flash_model(const FlashMix& mix);

}  // namespace halyard
