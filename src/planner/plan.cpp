#include "planner/plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "halyard/error.h"
#include "planner/arenas.h"
#include "planner/cures.h"
#include "planner/needs.h"
#include "planner/pools.h"

namespace halyard {
namespace {

constexpr uint32_t kSliceStep = 128;  // slices end at multiples of it, and contexts are tried in steps of it
// Sizes of rows are computed from it: far more than any model is trained for, and far from an overflow.
constexpr uint64_t kMostContextTokens = uint64_t{1} << 40;
// With this much context a larger slice is worth more than a longer context.
constexpr uint64_t kComfortableContext = 16384;
constexpr uint64_t kUsualStagingBytes = uint64_t{32} << 20;
constexpr uint64_t kLeastStagingBytes = uint64_t{16} << 20;

uint64_t sum_of(std::span<const Room> rooms) {
  uint64_t bytes = 0;
  for (const Room& room : rooms) bytes += room.left_bytes;
  return bytes;
}

uint64_t bytes_of(std::span<const Need> needs, bool scratch) {
  uint64_t bytes = 0;
  for (const Need& need : needs) {
    if ((need.purpose == Purpose::kScratch) == scratch) bytes += need.bytes();
  }
  return bytes;
}

struct Choice {
  uint64_t context_tokens = 0;  // 0: none fits
  uint32_t slice_tokens = 0;
};

class Planner {
 public:
  explicit Planner(const PlanRequest& request) : request_(request) {}

  Plan make() {
    BelievedPools believed = believed_pools(request_.device, request_.override_bytes, request_.reserve_bytes);
    plan_.pools = std::move(believed.rooms);
    plan_.notes = std::move(believed.notes);
    open_rooms();
    const std::vector<const Tensor*> tensors = present_tensors(*request_.model);
    const bool weights_fit = place_weights(tensors);
    choose_slices();
    const Choice choice = weights_fit ? choose() : Choice{};
    if (choice.context_tokens == 0) {
      refuse(weights_fit);
    } else {
      accept(choice);
    }
    return std::move(plan_);
  }

 private:
  void open_rooms() {
    uint64_t limit = request_.limit_bytes != 0 ? request_.limit_bytes : UINT64_MAX;
    if (request_.weights == WeightsHome::kMapped && request_.limit_bytes != 0) {
      // Mapped weights need no room, but whoever sets a limit means them too.
      uint64_t weights = 0;
      for (const Tensor* tensor : present_tensors(*request_.model)) weights += tensor->bytes;
      limit -= std::min(limit, weights);
    }
    for (const PoolRoom& pool : plan_.pools) {
      const uint64_t bytes = std::min(pool.usable_bytes, limit) / kTensorAlignment * kTensorAlignment;
      limit -= bytes;
      const uint64_t block = pool.largest_block_bytes != 0 ? pool.largest_block_bytes : UINT64_MAX;
      rooms_.push_back({pool.pool, bytes, block});
    }
    there_bytes_ = sum_of(rooms_);
  }

  bool place_weights(const std::vector<const Tensor*>& tensors) {
    for (const Tensor* tensor : tensors) {
      weights_bytes_ += request_.weights == WeightsHome::kDevice ? align_up(tensor->bytes) : tensor->bytes;
    }
    if (request_.weights == WeightsHome::kMapped) {
      plan_.mapped_bytes = weights_bytes_;
      return true;  // within a limit they have left less for the rest
    }
    WeightsLayout layout = lay_out_weights(tensors, rooms_);
    plan_.arenas = std::move(layout.arenas);
    plan_.places = std::move(layout.places);
    larger_than_any_block_ = layout.larger_than_any_block;
    for (const PoolRoom& pool : plan_.pools) {
      PlanItem item{Purpose::kWeights, pool.pool, 0, 0};
      for (const Arena& arena : plan_.arenas) {
        if (arena.pool != pool.pool) continue;
        item.bytes += arena.bytes;
        item.largest_piece_bytes = std::max(item.largest_piece_bytes, arena.bytes);
      }
      if (item.bytes != 0) plan_.items.push_back(item);
    }
    return layout.unplaced.empty();
  }

  void choose_slices() {
    uint32_t slice = std::max(request_.slice_tokens, uint32_t{1});
    slices_.push_back(slice);
    while (slice > kSliceStep && !request_.fixed_slice) {
      slice = std::max(slice / 2 / kSliceStep * kSliceStep, kSliceStep);
      slices_.push_back(slice);
    }
  }

  Placement try_session(uint64_t context_tokens, uint32_t slice_tokens, std::vector<Room>& rooms) const {
    rooms = rooms_;
    return place(session_needs(request_, context_tokens, slice_tokens), rooms);
  }

  bool session_fits(uint64_t context_tokens, uint32_t slice_tokens) const {
    std::vector<Room> rooms;
    return try_session(context_tokens, slice_tokens, rooms).all();
  }

  // The largest context up to `most` that fits: `most` itself or a multiple of kSliceStep.
  uint64_t largest_context(uint64_t most, uint32_t slice_tokens) const {
    if (session_fits(most, slice_tokens)) return most;
    uint64_t fits = 0, too_much = (most + kSliceStep - 1) / kSliceStep;
    while (too_much - fits > 1) {
      const uint64_t middle = fits + (too_much - fits) / 2;
      (session_fits(middle * kSliceStep, slice_tokens) ? fits : too_much) = middle;
    }
    return fits * kSliceStep;
  }

  Choice choose() const {
    if (request_.context_tokens) {
      for (const uint32_t slice : slices_) {
        if (*request_.context_tokens > kMostContextTokens) break;
        if (session_fits(*request_.context_tokens, slice)) return {*request_.context_tokens, slice};
      }
      return {};
    }
    return best_context(own_context());
  }

  uint64_t own_context() const {
    return std::clamp<uint64_t>(request_.model->shape.context_tokens, 1, kMostContextTokens);
  }

  Choice best_context(uint64_t most) const {
    Choice best;
    for (const uint32_t slice : slices_) {
      const uint64_t context = largest_context(most, slice);
      if (context > best.context_tokens) best = {context, slice};
      if (best.context_tokens >= std::min(most, kComfortableContext)) break;
    }
    return best;
  }

  void accept(const Choice& choice) {
    plan_.fits = true;
    plan_.context_tokens = choice.context_tokens;
    plan_.slice_tokens = choice.slice_tokens;
    std::vector<Room> rooms;
    const Placement session = try_session(choice.context_tokens, choice.slice_tokens, rooms);
    plan_.items.insert(plan_.items.end(), session.items.begin(), session.items.end());
    add_optional(rooms);
    add_staging();
    add_notes();
  }

  // Last, from what is left: nothing that a session needs may starve for it.
  void add_optional(std::vector<Room>& rooms) {
    if (request_.optional_bytes == 0) return;
    const uint64_t bytes =
        std::min(request_.optional_bytes, sum_of(rooms)) / kTensorAlignment * kTensorAlignment;
    if (bytes < request_.optional_bytes)
      plan_.notes.push_back(fmt::format("optional caches get {} of the {} that they would use",
                                        size_text(bytes), size_text(request_.optional_bytes)));
    const std::vector<Need> optional = {{Purpose::kOptional, {}, bytes}};
    const Placement placement = place(optional, rooms);
    plan_.items.insert(plan_.items.end(), placement.items.begin(), placement.items.end());
  }

  void add_staging() {
    if (request_.weights == WeightsHome::kMapped) return;
    const uint64_t host = request_.device.host_available_bytes != 0 ? request_.device.host_available_bytes
                                                                    : request_.device.host_total_bytes;
    plan_.staging_bytes = kUsualStagingBytes;
    if (host != 0) plan_.staging_bytes = std::clamp(host / 64, kLeastStagingBytes, kUsualStagingBytes);
  }

  void add_notes() {
    if (plan_.slice_tokens < request_.slice_tokens)
      plan_.notes.push_back(fmt::format("slices of {} tokens instead of {}: larger ones do not fit",
                                        plan_.slice_tokens, request_.slice_tokens));
    if (!request_.context_tokens && plan_.context_tokens < own_context())
      plan_.notes.push_back(fmt::format("a context of {} tokens is the most that fits; the model has {}",
                                        plan_.context_tokens, request_.model->shape.context_tokens));
    for (size_t i = 1; i < plan_.pools.size(); ++i) {
      std::string spilled;
      for (const PlanItem& item : plan_.items) {
        if (item.pool != plan_.pools[i].pool) continue;
        spilled += fmt::format("{}{} of {}", spilled.empty() ? "" : ", ", size_text(item.bytes),
                               purpose_name(item.purpose));
      }
      if (!spilled.empty())
        plan_.notes.push_back(fmt::format("{} memory: takes what {} memory has no room for: {}",
                                          pool_name(plan_.pools[i].pool), pool_name(plan_.pools[0].pool),
                                          spilled));
    }
    const uint64_t host = request_.device.host_total_bytes;
    if (host != 0 && plan_.mapped_bytes != 0 && plan_.mapped_bytes + plan_.total_bytes() > host)
      plan_.notes.push_back(fmt::format(
          "the weights, {}, are larger than what the {} of memory leave: part of them is read from "
          "the disk for each token, which is slow",
          size_text(plan_.mapped_bytes), size_text(host)));
  }

  void refuse(bool weights_fit) {
    const uint64_t context = std::min(request_.context_tokens.value_or(kSliceStep), kMostContextTokens);
    const uint32_t slice = slices_.back();
    std::vector<Room> rooms;
    const Placement session = try_session(context, slice, rooms);
    const std::vector<Need> needs = session_needs(request_, context, slice);
    const std::vector<Need> wanted = session_needs(
        request_, request_.context_tokens ? context : std::min(own_context(), kComfortableContext),
        slices_.front());
    const Choice fitting = weights_fit ? best_context(std::min(context, own_context())) : Choice{};
    const bool weights_count = request_.weights == WeightsHome::kDevice || request_.limit_bytes != 0;
    const Refusal refusal{.request = request_,
                          .pools = plan_.pools,
                          .weights_bytes = weights_count ? weights_bytes_ : 0,
                          .cache_bytes = bytes_of(needs, false),
                          .scratch_bytes = bytes_of(needs, true),
                          .context_tokens = context,
                          .slice_tokens = slice,
                          .wanted_bytes = (weights_count ? weights_bytes_ : 0) + bytes_of(wanted, false) +
                                          bytes_of(wanted, true),
                          .there_bytes = there_bytes_ + limit_of_mapped(),
                          .fitting_context = fitting.context_tokens,
                          .fitting_slice = fitting.slice_tokens,
                          .larger_than_any_block = larger_than_any_block_,
                          .largest_unplaced_bytes = session.largest_unplaced_bytes};
    plan_.items.insert(plan_.items.end(), session.items.begin(), session.items.end());
    plan_.context_tokens = context;
    plan_.slice_tokens = slice;
    plan_.problem = problem_text(refusal);
    plan_.fix = fix_text(refusal);
  }

  // What of the limit mapped weights have taken.
  uint64_t limit_of_mapped() const {
    if (request_.weights != WeightsHome::kMapped || request_.limit_bytes == 0) return 0;
    return std::min(weights_bytes_, request_.limit_bytes);
  }

  const PlanRequest& request_;
  Plan plan_;
  std::vector<Room> rooms_;  // after the weights
  std::vector<uint32_t> slices_;
  uint64_t there_bytes_ = 0, weights_bytes_ = 0;
  const Tensor* larger_than_any_block_ = nullptr;
};

}  // namespace

std::string_view purpose_name(Purpose purpose) {
  switch (purpose) {
    case Purpose::kWeights:
      return "weights";
    case Purpose::kRawRows:
      return "raw rows";
    case Purpose::kCompressedRows:
      return "compressed rows";
    case Purpose::kIndexerRows:
      return "indexer rows";
    case Purpose::kPartialWindows:
      return "partial windows";
    case Purpose::kScratch:
      return "scratch";
    case Purpose::kOptional:
      return "optional caches";
  }
  return "unknown";
}

uint64_t Plan::bytes(Purpose purpose) const {
  uint64_t sum = 0;
  for (const PlanItem& item : items) sum += item.purpose == purpose ? item.bytes : 0;
  return sum;
}

uint64_t Plan::bytes(Pool pool) const {
  uint64_t sum = 0;
  for (const PlanItem& item : items) sum += item.pool == pool ? item.bytes : 0;
  return sum;
}

uint64_t Plan::total_bytes() const {
  uint64_t sum = 0;
  for (const PlanItem& item : items) sum += item.bytes;
  return sum;
}

uint64_t Plan::waste_bytes() const {
  uint64_t sum = 0;
  for (const Arena& arena : arenas) sum += arena.bytes - arena.used_bytes;
  return sum;
}

Plan make_plan(const PlanRequest& request) {
  return Planner(request).make();
}

void require_fit(const Plan& plan, const std::string& where) {
  if (!plan.fits) throw Error(ErrorCode::kOutOfMemory, plan.problem, where, plan.fix);
}

}  // namespace halyard
