// Byte-pair merging: lowest rank first, leftmost on ties. Spec: chat.md, "Tokenizer".
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/keyed_hash.h"

namespace halyard {

struct Merge {
  uint32_t rank = 0;   // lower is applied first
  int32_t result = 0;  // the token that replaces the pair
};

// Pair of neighbouring tokens -> merge. A flat hash table: one probe or two for each pair of a text.
class MergeTable {
 public:
  explicit MergeTable(size_t n_merges);  // room for so many

  // At most n_merges pairs. Of two merges of one pair the first stays.
  void add(int32_t left, int32_t right, Merge merge);
  const Merge* find(int32_t left, int32_t right) const;  // null: the pair does not merge

 private:
  struct Slot {
    uint64_t pair = kEmpty;
    Merge merge;
  };
  static constexpr uint64_t kEmpty = UINT64_MAX;  // no pair: tokens are not negative
  static uint64_t pair_key(int32_t left, int32_t right);
  size_t slot_of(uint64_t pair) const;  // that holds the pair, or the empty one where it belongs

  KeyedHash hash_;
  int shift_;
  std::vector<Slot> slots_;  // a power of two, at most half full
};

// Merges pieces one after another with the same working memory. Not thread-safe; the table is only read.
class PieceMerger {
 public:
  explicit PieceMerger(const MergeTable& merges) : merges_(merges) {}  // keeps a reference

  // Appends what becomes of `tokens`. O(n log n) time and O(n) memory in the length of the piece. Throws
  // Error(kUsage) for a piece of 2^32 - 1 tokens or more.
  void append_merged(std::span<const int32_t> tokens, std::vector<int32_t>& out);

 private:
  // Places in a piece have 32 bits: the list and the queue take most of the time, and that is memory.
  static constexpr uint32_t kEnd = UINT32_MAX;
  static constexpr int32_t kGone = -1;
  static constexpr uint32_t kNoMerge = UINT32_MAX;
  // A token in a doubly linked list over the piece; kGone when it was merged into the one before it.
  struct Link {
    int32_t token;
    Merge with_next;  // rank kNoMerge: none
    uint32_t previous;
    uint32_t next;
  };
  // A merge that is possible as long as the link's own rank is this one: a rank stands for one pair of
  // tokens. Rank above place, so that the least one comes first.
  using Candidate = uint64_t;

  bool look_up_merge(uint32_t at);  // false: there is none
  Candidate candidate(uint32_t at) const;
  void queue_merge(uint32_t at);
  Candidate next_merge();
  void apply_merge(uint32_t at);

  const MergeTable& merges_;
  std::vector<Link> links_;
  std::vector<Candidate> heap_;
};

}  // namespace halyard
