#include "planning/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "model/flash.h"
#include "planner/arenas.h"
#include "planner/cures.h"

namespace halyard::test {

const Model& flash(std::string_view mix) {
  static std::map<std::string, Model, std::less<>> models;
  const auto found = models.find(mix);
  if (found != models.end()) return found->second;
  return models.emplace(std::string(mix), flash_model(*find_flash_mix(mix))).first->second;
}

PoolReport told(Pool pool, uint64_t bytes, uint64_t largest_block_bytes) {
  return {pool, bytes, bytes, bytes, bytes, largest_block_bytes};
}

DeviceFacts facts_with(std::vector<PoolReport> pools, bool integrated, System system) {
  DeviceFacts facts;
  facts.name = "a device";
  facts.driver = "HIP 7.2.1";
  facts.system = system;
  facts.integrated = integrated;
  facts.pools = std::move(pools);
  return facts;
}

PlanRequest request_for(const Model& model, const DeviceFacts& device, uint64_t context_tokens,
                        uint32_t slice_tokens) {
  PlanRequest request;
  request.model = &model;
  request.device = device;
  request.context_tokens = context_tokens;
  request.slice_tokens = slice_tokens;
  return request;
}

std::string fault_of(const Plan& plan, const PlanRequest& request) {
  for (const PoolRoom& room : plan.pools) {
    if (plan.bytes(room.pool) > room.usable_bytes)
      return fmt::format("{} of {} bytes taken of {}", plan.bytes(room.pool), room.usable_bytes,
                         pool_name(room.pool));
  }
  if (request.limit_bytes != 0 && plan.total_bytes() > request.limit_bytes) return "above the limit";
  uint64_t in_pools = 0;
  for (const PoolRoom& room : plan.pools) in_pools += plan.bytes(room.pool);
  if (in_pools != plan.total_bytes()) return "an item lies in a pool that does not count";
  if (request.weights == WeightsHome::kMapped) return plan.places.empty() ? "" : "mapped weights have places";

  std::vector<std::map<uint64_t, uint64_t>> taken(plan.arenas.size());  // offset -> end
  std::set<const Tensor*> seen;
  for (const TensorPlace& place : plan.places) {
    if (!seen.insert(place.tensor).second) return place.tensor->name + " has two places";
    if (place.offset % kTensorAlignment != 0) return place.tensor->name + " is not aligned";
    if (place.arena >= plan.arenas.size()) return place.tensor->name + " is in no arena";
    const uint64_t end = place.offset + place.tensor->bytes;
    if (end > plan.arenas[place.arena].bytes) return place.tensor->name + " reaches out of its arena";
    if (!taken[place.arena].emplace(place.offset, end).second) return place.tensor->name + " overlaps";
  }
  for (const Tensor* tensor : present_tensors(*request.model)) {
    if (seen.count(tensor) == 0) return tensor->name + " has no place";
  }
  for (const auto& arena : taken) {
    uint64_t last = 0;
    for (const auto& [offset, end] : arena) {
      if (offset < last) return fmt::format("tensors overlap at byte {} of an arena", offset);
      last = end;
    }
  }
  uint64_t arena_bytes = 0;
  for (const Arena& arena : plan.arenas) arena_bytes += arena.bytes;
  return arena_bytes == plan.bytes(Purpose::kWeights) ? "" : "arenas and the item of the weights differ";
}

std::vector<DeviceBuffer> allocate_session(Device& device, const Plan& plan) {
  std::vector<DeviceBuffer> buffers;
  for (const PlanItem& item : plan.items) {
    if (item.purpose == Purpose::kWeights) continue;
    for (uint64_t done = 0; done < item.bytes; done += item.largest_piece_bytes) {
      buffers.emplace_back(device, item.pool, std::min(item.largest_piece_bytes, item.bytes - done));
    }
  }
  return buffers;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string all_notes(const Plan& plan) {
  std::string text;
  for (const std::string& note : plan.notes) text += note + "\n";
  return text;
}

std::string describe(const Plan& plan) {
  if (!plan.fits) return "does not fit: " + plan.problem + "\nfix: " + plan.fix + "\n" + all_notes(plan);
  std::string text = fmt::format("fits, context {}, slice {}:", plan.context_tokens, plan.slice_tokens);
  for (const PlanItem& item : plan.items) {
    text +=
        fmt::format(" {} {} in {};", purpose_name(item.purpose), size_text(item.bytes), pool_name(item.pool));
  }
  return text + "\n" + all_notes(plan);
}

SimulatedDeviceOptions dropping(SimulatedDeviceOptions options) {
  options.storage = Storage::kDrop;
  return options;
}

}  // namespace halyard::test
