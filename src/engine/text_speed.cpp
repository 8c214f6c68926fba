#include "halyard/text_speed.h"

#include <chrono>
#include <string_view>

#include "engine/model_file.h"
#include "engine/text_samples.h"
#include "engine/vocabulary.h"

namespace halyard {
namespace {

constexpr uint64_t kTextBytes = 1'000'000;

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Tokenizer tokenizer_of(const gguf::Header& header) {
  const uint64_t n_tokens = header.string_list("tokenizer.ggml.tokens").size();
  return read_tokenizer(header, static_cast<uint32_t>(n_tokens));
}

}  // namespace

TextSpeed measure_text_speed(const std::string& model_path) {
  TextSpeed speed;
  const ModelFile file = open_model_file(model_path);
  speed.model = file.source;
  const Tokenizer tokenizer = tokenizer_of(file.header);
  for (const TextSample& sample : text_samples()) {
    const std::string text = sample.make(kTextBytes);
    std::vector<int32_t> tokens;
    const double seconds = seconds_of([&] { tokens = tokenizer.encode_plain(text); });
    speed.texts.push_back({std::string(sample.name), text.size(), tokens.size(), seconds});
  }

  const std::vector<std::byte> directory = sample_directory();
  speed.directory_bytes = directory.size();
  speed.directory_tokens = kSampleTokens;
  speed.directory_merges = kSampleMerges;
  speed.directory_seconds =
      seconds_of([&] { tokenizer_of(gguf::parse(directory, directory.size(), "the sample directory")); });
  return speed;
}

}  // namespace halyard
