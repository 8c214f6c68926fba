// What lives where, decided from sizes alone before a byte is copied.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/model.h"
#include "device/device.h"

namespace halyard {

// What the planner believes of one pool, and who said so.
struct PoolRoom {
  Pool pool = Pool::kDedicated;
  uint64_t total_bytes = 0;
  uint64_t usable_bytes = 0;         // what a plan may take: without the reserve for system and desktop
  uint64_t largest_block_bytes = 0;  // of one allocation; 0: not known
  std::string source;                // of the total: "driver", "system", "override" or "assumed"
};

enum class Purpose {
  kWeights,
  kRawRows,
  kCompressedRows,
  kIndexerRows,
  kPartialWindows,
  kScratch,
  kOptional
};
std::string_view purpose_name(Purpose purpose);  // "weights", "raw rows", ...

// How the weights come into memory.
enum class WeightsHome {
  kDevice,  // copied into arenas of the device's pools
  kMapped,  // pages of the file, read when they are touched: need not fit, but are slow where they do not
};

struct PlanRequest {
  const Model* model = nullptr;  // tensors bound; need not have data; absent tensors take nothing
  DeviceFacts device;            // the CPU's memory: a single pool, kHostPinned
  WeightsHome weights = WeightsHome::kDevice;
  std::optional<uint64_t> context_tokens;  // nothing: the most that fits, up to the model's own
  uint32_t slice_tokens = 512;             // a multiple of 128, or less than 128
  bool fixed_slice = false;                // no smaller one is tried where it does not fit
  bool cache_rounding = true;
  std::map<Pool, uint64_t> override_bytes;  // of a pool, instead of what driver and system say
  uint64_t limit_bytes = 0;                 // for all together, mapped weights among them; 0: what is there
  // Left free of what system and desktop use too; nothing: as the kind of device needs (planner/pools.h).
  std::optional<uint64_t> reserve_bytes;
  uint64_t optional_bytes = 0;  // caches that are nice to have: they get what is left
  // Scratch of a backend for slices of n tokens at that context, in pieces of any size; empty: as a GPU needs
  // it (planner/scratch.h).
  std::function<uint64_t(uint32_t slice_tokens, uint64_t context_tokens)> scratch_bytes;
};

// One allocation that holds tensors.
struct Arena {
  Pool pool = Pool::kDedicated;
  uint64_t bytes = 0;
  uint64_t used_bytes = 0;  // of its tensors; the rest is alignment
};

struct TensorPlace {
  const Tensor* tensor = nullptr;
  uint32_t arena = 0;
  uint64_t offset = 0;  // in the arena, a multiple of kTensorAlignment
};
inline constexpr uint64_t kTensorAlignment = 256;
inline constexpr uint64_t kMaxArenaBytes = uint64_t{2}
                                           << 30;  // a few GiB in one piece, whatever the device says

struct PlanItem {
  Purpose purpose = Purpose::kWeights;
  Pool pool = Pool::kDedicated;
  uint64_t bytes = 0;                // alignment of its pieces included
  uint64_t largest_piece_bytes = 0;  // of the allocations that it is made of: none is larger
};

struct Plan {
  bool fits = false;
  uint64_t context_tokens = 0;
  uint32_t slice_tokens = 0;        // smaller than asked for where only that fits
  std::vector<PoolRoom> pools;      // that count for this device, in the order in which they are filled
  std::vector<PlanItem> items;      // a purpose may have several, in several pools; none of 0 bytes
  std::vector<Arena> arenas;        // of the weights; empty for kMapped
  std::vector<TensorPlace> places;  // every tensor once, in file order; empty for kMapped
  uint64_t mapped_bytes = 0;        // kMapped: of the weights; in no item and no pool
  uint64_t staging_bytes = 0;       // kDevice: pinned host memory to load with, whatever the file's size
  // What a person should know: which source won, what went where, what is slow.
  std::vector<std::string> notes;
  // Where it does not fit: bytes needed and there, for each pool, and the cure for that system.
  std::string problem, fix;

  uint64_t bytes(Purpose purpose) const;
  uint64_t bytes(Pool pool) const;
  uint64_t total_bytes() const;  // of the items: all that is reserved of the device's addresses
  uint64_t waste_bytes() const;  // of the arenas
};

// Never throws for what does not fit: see fits, problem and fix; such a plan still has the items that it
// could place. Pure: the same request gives the same plan. Takes milliseconds, however large the file. The
// model outlives the plan.
Plan make_plan(const PlanRequest& request);

// Throws Error(kOutOfMemory) with the plan's problem and fix when it does not fit.
void require_fit(const Plan& plan, const std::string& where);

// Takes the arenas of a plan that fits, in order. Where the device refuses one, another pool of an integrated
// device is tried; where that fails too, all are released and kOutOfMemory names arena, bytes taken so far,
// driver and the cure.
std::vector<DeviceBuffer> allocate_arenas(Device& device, const Plan& plan);

}  // namespace halyard
