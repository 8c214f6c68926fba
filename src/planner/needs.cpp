#include "planner/needs.h"

#include <algorithm>
#include <numeric>

#include "backend/kv_cache.h"
#include "planner/scratch.h"

namespace halyard {
namespace {

void add_piece(Need& need, uint64_t bytes) {
  if (bytes != 0) need.pieces.push_back(align_up(bytes));
}

// Bytes of one need in one room, merged into an item.
void add_to_item(std::vector<PlanItem>& items, Purpose purpose, Pool pool, uint64_t bytes, uint64_t piece) {
  for (PlanItem& item : items) {
    if (item.purpose != purpose || item.pool != pool) continue;
    item.bytes += bytes;
    item.largest_piece_bytes = std::max(item.largest_piece_bytes, piece);
    return;
  }
  items.push_back({purpose, pool, bytes, piece});
}

// Everything of the KV cache that a device holds by layer.
void add_cache(const PlanRequest& request, uint64_t context_tokens, uint32_t slice_tokens,
               std::vector<Need>& needs) {
  const Model& model = *request.model;
  const CacheLayout layout(model, request.cache_rounding, context_tokens);
  const uint64_t row = uint64_t{model.shape.head_dim} * layout.value_bytes;
  const uint64_t indexer_row = uint64_t{model.shape.indexer_dim} * layout.value_bytes;
  Need raw{Purpose::kRawRows, {}, 0}, compressed{Purpose::kCompressedRows, {}, 0};
  Need indexer{Purpose::kIndexerRows, {}, 0}, partial{Purpose::kPartialWindows, {}, 0};
  for (const CacheLayout::LayerRows& rows : layout.layers) {
    // A device writes the rows of a whole slice before the first token of it attends: the window before the
    // slice and the slice are there at once. A host backend keeps those of the slice in its scratch.
    const uint64_t n_raw =
        request.weights == WeightsHome::kDevice && rows.raw != 0 ? rows.raw - 1 + slice_tokens : rows.raw;
    add_piece(raw, n_raw * row);
    add_piece(compressed, rows.compressed * row);
    add_piece(indexer, rows.indexer * indexer_row);
  }
  add_piece(partial, layout.partial_window_bytes);
  for (Need* need : {&raw, &compressed, &indexer, &partial}) needs.push_back(std::move(*need));
}

}  // namespace

uint64_t Need::bytes() const {
  return std::accumulate(pieces.begin(), pieces.end(), divisible_bytes);
}

std::vector<Need> session_needs(const PlanRequest& request, uint64_t context_tokens, uint32_t slice_tokens) {
  std::vector<Need> needs;
  add_cache(request, context_tokens, slice_tokens, needs);
  Need scratch{Purpose::kScratch, {}, 0};
  if (request.scratch_bytes) {
    scratch.divisible_bytes = align_up(request.scratch_bytes(slice_tokens, context_tokens));
  } else {
    for (const ScratchBuffer& buffer : device_scratch(*request.model, slice_tokens, context_tokens)) {
      add_piece(scratch, buffer.bytes);
    }
  }
  needs.push_back(std::move(scratch));
  return needs;
}

Placement place(std::span<const Need> needs, std::span<Room> rooms) {
  Placement placement;
  for (const Need& need : needs) {
    std::vector<uint64_t> pieces = need.pieces;
    std::sort(pieces.begin(), pieces.end(), std::greater<>());
    for (const uint64_t piece : pieces) {
      const auto room =
          std::find_if(rooms.begin(), rooms.end(), [&](const Room& r) { return r.takes(piece); });
      if (room == rooms.end()) {
        placement.unplaced_bytes += piece;
        placement.largest_unplaced_bytes = std::max(placement.largest_unplaced_bytes, piece);
        continue;
      }
      room->left_bytes -= piece;
      add_to_item(placement.items, need.purpose, room->pool, piece, piece);
    }
    uint64_t rest = need.divisible_bytes;
    for (Room& room : rooms) {
      const uint64_t part = std::min(rest, room.left_bytes);
      if (part == 0) continue;
      room.left_bytes -= part;
      rest -= part;
      add_to_item(placement.items, need.purpose, room.pool, part,
                  std::min({part, kMaxArenaBytes, room.largest_block_bytes}));
    }
    placement.unplaced_bytes += rest;
  }
  return placement;
}

}  // namespace halyard
