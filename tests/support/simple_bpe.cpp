#include "support/simple_bpe.h"

#include <algorithm>

#include "text/pretokenizer.h"

namespace halyard::test {
namespace {

constexpr size_t kNoMerge = SIZE_MAX;

std::vector<std::string> alphabet() {
  std::vector<std::string> letters;
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
    const int code = printable ? byte : next++;
    std::string letter;
    if (code < 128) {
      letter += static_cast<char>(code);
    } else {
      letter += static_cast<char>(0xC0 | code >> 6);
      letter += static_cast<char>(0x80 | (code & 0x3F));
    }
    letters.push_back(letter);
  }
  return letters;
}

}  // namespace

SimpleBpe::SimpleBpe(const Vocabulary& vocabulary) : letters_(alphabet()) {
  for (size_t i = 0; i < vocabulary.tokens.size(); ++i)
    ids_.emplace(vocabulary.tokens[i], static_cast<int32_t>(i));
  for (size_t i = 0; i < vocabulary.merges.size(); ++i) ranks_.emplace(vocabulary.merges[i], i);
}

std::vector<std::string> SimpleBpe::merged(std::string_view piece) const {
  std::vector<std::string> words;
  for (const char byte : piece) words.push_back(letters_[static_cast<unsigned char>(byte)]);
  const auto rank_at = [&](size_t i) {
    if (i + 1 >= words.size()) return kNoMerge;
    const auto found = ranks_.find(words[i] + " " + words[i + 1]);
    return found == ranks_.end() ? kNoMerge : found->second;
  };
  std::vector<size_t> ranks;
  for (size_t i = 0; i < words.size(); ++i) ranks.push_back(rank_at(i));

  while (!words.empty()) {
    const auto best = static_cast<size_t>(std::min_element(ranks.begin(), ranks.end()) - ranks.begin());
    if (ranks[best] == kNoMerge) break;
    words[best] += words[best + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    ranks.erase(ranks.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    ranks[best] = rank_at(best);
    if (best > 0) ranks[best - 1] = rank_at(best - 1);
  }
  return words;
}

std::vector<int32_t> SimpleBpe::encode(std::string_view text) const {
  std::vector<int32_t> tokens;
  for_each_piece(text, [&](std::string_view piece) {
    for (const std::string& word : merged(piece)) tokens.push_back(ids_.at(word));
  });
  return tokens;
}

}  // namespace halyard::test
