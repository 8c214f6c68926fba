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
  size_t slot = static_cast<size_t>(hash_(pair) >> shift_);
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
  return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
}

void PieceMerger::look_up_merge(size_t at) {
  Link& link = links_[at];
  const Merge* merge = link.next == kEnd ? nullptr : merges_.find(link.token, links_[link.next].token);
  link.with_next = merge == nullptr ? Merge{kNoMerge, 0} : *merge;
  if (merge == nullptr) return;
  heap_.push_back({at, merge->rank});
  std::push_heap(heap_.begin(), heap_.end(), comes_later);
}

void PieceMerger::apply_merge(size_t at) {
  Link& left = links_[at];
  Link& right = links_[left.next];
  left.token = left.with_next.result;
  left.next = right.next;
  if (right.next != kEnd) links_[right.next].previous = at;
  right.token = kGone;
  right.with_next.rank = kNoMerge;
  look_up_merge(at);
  if (left.previous != kEnd) look_up_merge(left.previous);
}

void PieceMerger::append_merged(std::span<const int32_t> tokens, std::vector<int32_t>& out) {
  links_.clear();
  heap_.clear();
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool is_last = i + 1 == tokens.size();
    links_.push_back({tokens[i], {kNoMerge, 0}, i == 0 ? kEnd : i - 1, is_last ? kEnd : i + 1});
  }
  for (size_t i = 0; i < links_.size(); ++i) look_up_merge(i);

  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), comes_later);
    const Candidate best = heap_.back();
    heap_.pop_back();
    if (links_[best.at].with_next.rank == best.rank) apply_merge(best.at);
  }
  for (const Link& link : links_) {
    if (link.token != kGone) out.push_back(link.token);
  }
}

}  // namespace halyard
