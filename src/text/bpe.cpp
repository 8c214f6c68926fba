#include "text/bpe.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include "halyard/error.h"

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

bool PieceMerger::look_up_merge(uint32_t at) {
  Link& link = links_[at];
  const Merge* merge = link.next == kEnd ? nullptr : merges_.find(link.token, links_[link.next].token);
  link.with_next = merge == nullptr ? Merge{kNoMerge, 0} : *merge;
  return merge != nullptr;
}

PieceMerger::Candidate PieceMerger::candidate(uint32_t at) const {
  return Candidate{links_[at].with_next.rank} << 32 | at;
}

void PieceMerger::queue_merge(uint32_t at) {
  if (!look_up_merge(at)) return;
  heap_.push_back(candidate(at));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

PieceMerger::Candidate PieceMerger::next_merge() {
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
  const Candidate best = heap_.back();
  heap_.pop_back();
  return best;
}

void PieceMerger::apply_merge(uint32_t at) {
  Link& left = links_[at];
  Link& right = links_[left.next];
  left.token = left.with_next.result;
  left.next = right.next;
  if (right.next != kEnd) links_[right.next].previous = at;
  right.token = kGone;
  right.with_next.rank = kNoMerge;
  queue_merge(at);
  if (left.previous != kEnd) queue_merge(left.previous);
}

void PieceMerger::append_merged(std::span<const int32_t> tokens, std::vector<int32_t>& out) {
  if (tokens.size() >= kEnd)
    throw Error(ErrorCode::kUsage, "a word of " + std::to_string(tokens.size()) + " bytes", "the text",
                "cut the text into parts below 4 GiB");
  const auto n = static_cast<uint32_t>(tokens.size());
  links_.clear();
  heap_.clear();
  for (uint32_t i = 0; i < n; ++i)
    links_.push_back({tokens[i], {kNoMerge, 0}, i == 0 ? kEnd : i - 1, i + 1 == n ? kEnd : i + 1});
  for (uint32_t i = 0; i < n; ++i) {
    if (look_up_merge(i)) heap_.push_back(candidate(i));
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());

  while (!heap_.empty()) {
    const Candidate best = next_merge();
    const auto at = static_cast<uint32_t>(best);
    if (candidate(at) == best) apply_merge(at);
  }
  for (const Link& link : links_) {
    if (link.token != kGone) out.push_back(link.token);
  }
}

}  // namespace halyard
