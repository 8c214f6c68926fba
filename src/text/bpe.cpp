#include "text/bpe.h"

#include <algorithm>
#include <bit>

namespace halyard {

MergeTable::MergeTable(size_t n_merges) {
  const size_t n_slots = std::bit_ceil(2 * n_merges + 2);
  shift_ = 64 - std::countr_zero(n_slots);
  slots_.resize(n_slots);
}

uint64_t MergeTable::pair_key(int32_t left, int32_t right) {
  return (uint64_t{static_cast<uint32_t>(left)} << 32) | static_cast<uint32_t>(right);
}

size_t MergeTable::slot_of(uint64_t pair) const {
  constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  size_t slot = static_cast<size_t>((pair * kSpread) >> shift_);
  while (slots_[slot].pair != kEmpty && slots_[slot].pair != pair) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void MergeTable::add(int32_t left, int32_t right, Merge merge) {
  Slot& slot = slots_[slot_of(pair_key(left, right))];
  if (slot.pair == kEmpty) slot = {pair_key(left, right), merge};
}

const Merge* MergeTable::find(int32_t left, int32_t right) const {
  const Slot& slot = slots_[slot_of(pair_key(left, right))];
  return slot.pair == kEmpty ? nullptr : &slot.merge;
}

bool PieceMerger::comes_later(const Candidate& a, const Candidate& b) {
  return a.merge.rank != b.merge.rank ? a.merge.rank > b.merge.rank : a.at > b.at;
}

void PieceMerger::consider(size_t at) {
  const size_t next = links_[at].next;
  if (next == kEnd) return;
  const int32_t left = links_[at].token;
  const int32_t right = links_[next].token;
  const Merge* merge = merges_.find(left, right);
  if (merge == nullptr) return;
  heap_.push_back({*merge, at, left, right});
  std::push_heap(heap_.begin(), heap_.end(), comes_later);
}

void PieceMerger::apply(const Candidate& candidate) {
  Link& left = links_[candidate.at];
  if (left.token != candidate.left || left.next == kEnd) return;
  Link& right = links_[left.next];
  if (right.token != candidate.right) return;

  left.token = candidate.merge.result;
  right.token = kGone;
  left.next = right.next;
  if (right.next != kEnd) links_[right.next].previous = candidate.at;
  if (left.previous != kEnd) consider(left.previous);
  consider(candidate.at);
}

void PieceMerger::append_merged(std::span<const int32_t> tokens, std::vector<int32_t>& out) {
  links_.clear();
  heap_.clear();
  for (size_t i = 0; i < tokens.size(); ++i) {
    links_.push_back({tokens[i], i == 0 ? kEnd : i - 1, i + 1 == tokens.size() ? kEnd : i + 1});
  }
  for (size_t i = 0; i < links_.size(); ++i) consider(i);

  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), comes_later);
    const Candidate best = heap_.back();
    heap_.pop_back();
    apply(best);
  }
  for (const Link& link : links_) {
    if (link.token != kGone) out.push_back(link.token);
  }
}

}  // namespace halyard
