#include "text/token_trie.h"

namespace halyard {

TokenTrie::TokenTrie() {
  roots_.fill(kNone);
}

uint32_t TokenTrie::child(uint32_t first, char byte) const {
  uint32_t node = first;
  while (node != kNone && nodes_[node].byte != byte) node = nodes_[node].next_sibling;
  return node;
}

void TokenTrie::add(std::string_view text, int32_t token) {
  uint32_t parent = kNone;
  for (const char byte : text) {
    uint32_t& first = parent == kNone ? roots_[static_cast<uint8_t>(byte)] : nodes_[parent].first_child;
    uint32_t node = child(first, byte);
    if (node == kNone) {
      node = static_cast<uint32_t>(nodes_.size());
      const uint32_t sibling = first;
      first = node;
      nodes_.push_back({byte, -1, kNone, sibling});
    }
    parent = node;
  }
  if (nodes_[parent].token < 0) nodes_[parent].token = token;
}

TokenTrie::Match TokenTrie::longest_at(std::string_view text, size_t at) const {
  Match longest;
  uint32_t node = roots_[static_cast<uint8_t>(text[at])];
  for (size_t end = at + 1; node != kNone; ++end) {
    if (nodes_[node].token >= 0) longest = {nodes_[node].token, end - at};
    if (end == text.size()) break;
    node = child(nodes_[node].first_child, text[end]);
  }
  return longest;
}

}  // namespace halyard
