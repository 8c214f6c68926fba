#include "planner/arenas.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include "halyard/error.h"
#include "planner/cures.h"

namespace halyard {
namespace {

void append(std::vector<const Tensor*>& list, std::initializer_list<const Tensor*> tensors) {
  for (const Tensor* tensor : tensors) {
    if (tensor->present()) list.push_back(tensor);
  }
}

void append(std::vector<const Tensor*>& list, const HyperConnection& hc) {
  append(list, {&hc.fn, &hc.scale, &hc.base});
}

void append(std::vector<const Tensor*>& list, const Compressor& c) {
  append(list, {&c.kv, &c.gate, &c.ape, &c.norm});
}

void append(std::vector<const Tensor*>& list, const Layer& layer) {
  append(list, layer.hc_attn);
  append(list, layer.hc_ffn);
  append(list, {&layer.attn_norm, &layer.q_a, &layer.q_a_norm, &layer.q_b, &layer.kv, &layer.kv_norm,
                &layer.sinks, &layer.output_a, &layer.output_b});
  append(list, layer.compressor);
  append(list, layer.indexer_compressor);
  append(list, {&layer.indexer_q_b, &layer.indexer_proj});
  append(list, {&layer.ffn_norm, &layer.router, &layer.router_bias, &layer.token_experts});
  append(list, {&layer.gate_experts, &layer.up_experts, &layer.down_experts});
  append(list, {&layer.gate_shared, &layer.up_shared, &layer.down_shared});
}

// Cuts the tensors of one room, in their order, into arenas.
void cut_into_arenas(std::span<const Tensor* const> tensors, const std::vector<size_t>& members,
                     const Room& room, WeightsLayout& layout) {
  const uint64_t most = std::min(kMaxArenaBytes, room.largest_block_bytes);
  bool open = false;
  for (const size_t index : members) {
    const uint64_t bytes = align_up(tensors[index]->bytes);
    if (!open || layout.arenas.back().bytes > most || bytes > most - layout.arenas.back().bytes) {
      layout.arenas.push_back({room.pool, 0, 0});
      open = true;
    }
    Arena& arena = layout.arenas.back();
    layout.places[index] = {tensors[index], static_cast<uint32_t>(layout.arenas.size() - 1), arena.bytes};
    arena.bytes += bytes;
    arena.used_bytes += tensors[index]->bytes;
  }
}

// The pools to try for an arena: its own, then the other parts of an integrated device's memory.
std::vector<Pool> pools_to_try(const DeviceFacts& facts, Pool first) {
  std::vector<Pool> pools = {first};
  if (!facts.integrated) return pools;
  for (const PoolReport& report : facts.pools) {
    const bool one_memory = report.pool == Pool::kDedicated || report.pool == Pool::kShared;
    if (one_memory && report.pool != first) pools.push_back(report.pool);
  }
  return pools;
}

}  // namespace

uint64_t align_up(uint64_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

std::vector<const Tensor*> present_tensors(const Model& model) {
  std::vector<const Tensor*> list;
  append(list, {&model.token_embedding, &model.output, &model.output_norm});
  append(list, model.output_hc);
  for (const Layer& layer : model.layers) append(list, layer);
  std::stable_sort(list.begin(), list.end(), [](const Tensor* a, const Tensor* b) {
    return a->part != b->part ? a->part < b->part : a->file_offset < b->file_offset;
  });
  return list;
}

WeightsLayout lay_out_weights(std::span<const Tensor* const> tensors, std::span<Room> rooms) {
  WeightsLayout layout;
  layout.places.resize(tensors.size());
  std::vector<size_t> by_size(tensors.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](size_t a, size_t b) { return tensors[a]->bytes > tensors[b]->bytes; });

  std::vector<std::vector<size_t>> members(rooms.size());
  for (const size_t index : by_size) {
    const uint64_t bytes = align_up(tensors[index]->bytes);
    const auto room = std::find_if(rooms.begin(), rooms.end(), [&](const Room& r) { return r.takes(bytes); });
    if (room != rooms.end()) {
      room->left_bytes -= bytes;
      members[static_cast<size_t>(room - rooms.begin())].push_back(index);
      continue;
    }
    layout.unplaced.push_back(tensors[index]);
    const bool some_block = std::any_of(rooms.begin(), rooms.end(),
                                        [&](const Room& r) { return bytes <= r.largest_block_bytes; });
    if (!rooms.empty() && !some_block && !layout.larger_than_any_block)
      layout.larger_than_any_block = tensors[index];
  }
  for (size_t i = 0; i < rooms.size(); ++i) {
    // In the order of the files, so that loading fills one arena after the other.
    std::sort(members[i].begin(), members[i].end());
    cut_into_arenas(tensors, members[i], rooms[i], layout);
  }
  std::erase_if(layout.places, [](const TensorPlace& place) { return place.tensor == nullptr; });
  return layout;
}

std::vector<DeviceBuffer> allocate_arenas(Device& device, const Plan& plan) {
  const DeviceFacts facts = device.facts();
  std::vector<DeviceBuffer> buffers;
  buffers.reserve(plan.arenas.size());
  uint64_t taken = 0;
  for (size_t i = 0; i < plan.arenas.size(); ++i) {
    const Arena& arena = plan.arenas[i];
    std::string refusals;
    bool done = false;
    for (const Pool pool : pools_to_try(facts, arena.pool)) {
      try {
        buffers.emplace_back(device, pool, arena.bytes);
        done = true;
        break;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kOutOfMemory && error.code() != ErrorCode::kUnsupported) throw;
        refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "; ", pool_name(pool), error.problem());
      }
    }
    if (!done) {
      throw Error(ErrorCode::kOutOfMemory,
                  fmt::format("the device refused block {} of {}, of {}, after {} were taken ({})", i + 1,
                              plan.arenas.size(), size_text(arena.bytes), exact_text(taken), refusals),
                  fmt::format("{}, {}", facts.name, facts.driver.empty() ? "no driver" : facts.driver),
                  late_failure_fix(facts));
    }
    taken += arena.bytes;
  }
  return buffers;
}

}  // namespace halyard
