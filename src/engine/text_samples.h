// Texts and a vocabulary that are made up, to see how time grows with their size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

struct TextSample {
  std::string_view name;                  // "one letter"
  std::string (*make)(uint64_t n_bytes);  // the same bytes at every call
};
std::span<const TextSample> text_samples();

// A GGUF file without tensors whose vocabulary is as large as that of the published model: words of up to 16
// bytes, each merged from two halves. With a divisor (1, 2 or 4) so many times fewer words
// of each length.
constexpr uint32_t kSampleTokens = 129280;
constexpr uint32_t kSampleMerges = 127741;
std::vector<std::byte> sample_directory(uint32_t divisor = 1);

}  // namespace halyard
