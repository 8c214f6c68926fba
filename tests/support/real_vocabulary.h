// The real DeepSeek V3 vocabulary, read from a tokenizer.json (scripts/fetch-real-vocab). Only for tests.
#pragma once
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace halyard::test {

struct RealVocabulary {
  std::vector<std::string> tokens, merges;
  Vocabulary view;  // of the two above; stays valid when the whole is moved

  RealVocabulary() = default;
  RealVocabulary(RealVocabulary&&) = default;
  RealVocabulary& operator=(RealVocabulary&&) = default;
};

// Throws std::exception when the file is not there or has another form.
RealVocabulary read_real_vocabulary(const std::string& path);

}  // namespace halyard::test
