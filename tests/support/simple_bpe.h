// Tokenizing by the letter of the definition: words as strings, the best pair found by looking at all of
// them. Slow and obvious, the judge of src/text/bpe.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer.h"

namespace halyard::test {

class SimpleBpe {
 public:
  explicit SimpleBpe(const Vocabulary& vocabulary);

  // Splits with for_each_piece() and merges each piece.
  std::vector<int32_t> encode(std::string_view text) const;

 private:
  std::vector<std::string> merged(std::string_view piece) const;

  std::unordered_map<std::string, int32_t> ids_;   // text in the byte alphabet -> id
  std::unordered_map<std::string, size_t> ranks_;  // "left right" -> rank
  std::vector<std::string> letters_;               // of the byte alphabet, by byte
};

}  // namespace halyard::test
