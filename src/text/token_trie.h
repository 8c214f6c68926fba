// Finds special tokens in text.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace halyard {

class TokenTrie {
 public:
  TokenTrie();

  // `text` is not empty. Of two tokens with the same text the first stays.
  void add(std::string_view text, int32_t token);

  struct Match {
    int32_t token = -1;  // -1: none
    size_t size_bytes = 0;
  };
  // The longest token that text has at byte `at`. Looks no further than the longest token.
  Match longest_at(std::string_view text, size_t at) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    char byte = 0;
    int32_t token = -1;  // that ends here
    uint32_t first_child = kNone;
    uint32_t next_sibling = kNone;
  };
  uint32_t child(uint32_t first, char byte) const;

  std::array<uint32_t, 256> roots_;  // by first byte: most bytes of a text start no special token
  std::vector<Node> nodes_;
};

}  // namespace halyard
