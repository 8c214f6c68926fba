// How fast text becomes tokens and a vocabulary is opened: what `halyard bench --text` shows.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace halyard {

struct TextTime {
  std::string text;  // what it is made of: "one letter", "spaces", ...
  uint64_t n_bytes = 0;
  uint64_t n_tokens = 0;
  double seconds = 0;  // to encode it
};

struct TextSpeed {
  std::string model;            // path, or "built-in"
  std::vector<TextTime> texts;  // 1 MB each, with the model's vocabulary
  // A directory made up for this, as large as that of the published model: from its bytes to a tokenizer.
  uint64_t directory_bytes = 0;
  uint64_t directory_tokens = 0;
  uint64_t directory_merges = 0;
  double directory_seconds = 0;
};

// Reads the model's directory (UTF-8 path; empty: built-in), not its weights. Takes some seconds. Throws what
// Engine::open throws for the file.
TextSpeed measure_text_speed(const std::string& model_path);

}  // namespace halyard
