#include "planner/pools.h"

#include <algorithm>
#include <fmt/format.h>

#include "planner/cures.h"

namespace halyard {
namespace {

// A number that somebody gave; drivers say 0 where they mean that they do not know.
std::optional<uint64_t> said(const std::optional<uint64_t>& number) {
  return number && *number != 0 ? number : std::nullopt;
}

bool backed_by_host(Pool pool) {
  return pool != Pool::kDedicated;
}

// The pools that count, in the order in which they are filled.
std::vector<PoolReport> pools_that_count(const DeviceFacts& facts) {
  std::vector<PoolReport> pools;
  const auto add = [&](Pool pool) {
    const auto report = std::find_if(facts.pools.begin(), facts.pools.end(),
                                     [&](const PoolReport& r) { return r.pool == pool; });
    if (report != facts.pools.end()) pools.push_back(*report);
  };
  const bool is_gpu = std::any_of(facts.pools.begin(), facts.pools.end(), [](const PoolReport& r) {
    return r.pool == Pool::kDedicated || r.pool == Pool::kShared;
  });
  add(Pool::kDedicated);
  // What a discrete card reaches of the host's memory is an order of magnitude slower: not for weights.
  if (facts.integrated) add(Pool::kShared);
  // Pinned and managed memory of an integrated GPU are the shared pool by other names.
  if (!is_gpu) add(Pool::kHostPinned);
  if (!is_gpu && pools.empty()) add(Pool::kManaged);
  return pools;
}

class PoolJudge {
 public:
  PoolJudge(const DeviceFacts& facts, const std::map<Pool, uint64_t>& overrides,
            const std::optional<uint64_t>& reserve, std::vector<std::string>& notes)
      : facts_(facts), overrides_(overrides), reserve_(reserve), notes_(notes) {}

  PoolRoom judge(const PoolReport& report) {
    PoolRoom room{report.pool, 0, 0, report.largest_block_bytes, ""};
    if (const auto word = overrides_.find(report.pool); word != overrides_.end()) {
      room.total_bytes = room.usable_bytes = word->second;
      room.source = "override";
      note(room, fmt::format("{} as asked for, without a reserve", size_text(word->second)));
      return room;
    }
    judge_total(report, room);
    room.usable_bytes = usable(report, room);
    return room;
  }

 private:
  void note(const PoolRoom& room, const std::string& text) {
    notes_.push_back(fmt::format("{} memory: {}", pool_name(room.pool), text));
  }

  std::optional<uint64_t> system_total(const PoolReport& report) const {
    if (report.pool == Pool::kHostPinned && !said(report.system_total_bytes) && facts_.host_total_bytes != 0)
      return facts_.host_total_bytes;
    return said(report.system_total_bytes);
  }

  void judge_total(const PoolReport& report, PoolRoom& room) {
    const auto driver = said(report.driver_total_bytes), system = system_total(report);
    if (driver && system) {
      // Both count a little of what is not there for us; beyond that they contradict each other, and it is
      // the runtimes that are wrong about integrated GPUs.
      const bool agree = *driver <= *system + *system / 8 && *driver >= *system - *system / 8;
      const bool take_driver = agree && *driver < *system;
      room.total_bytes = take_driver ? *driver : *system;
      room.source = take_driver ? "driver" : "system";
      if (!agree)
        note(room, fmt::format("the driver says {}, the system {}: the system's number is used, because "
                               "drivers misreport it",
                               size_text(*driver), size_text(*system)));
    } else if (system) {
      room.total_bytes = *system;
      room.source = "system";
      if (report.pool != Pool::kHostPinned)
        note(room,
             fmt::format("the driver says nothing: the system's number, {}, is used", size_text(*system)));
    } else if (driver) {
      room.total_bytes = *driver;
      room.source = "driver";
      if (facts_.integrated)
        note(room, fmt::format("only the driver says a size, {}: it may be wrong on an integrated GPU",
                               size_text(*driver)));
    } else if (report.pool == Pool::kShared && facts_.host_total_bytes != 0) {
      room.total_bytes = facts_.host_total_bytes / 2;  // what both systems lend unless told otherwise
      room.source = "assumed";
      note(room, fmt::format("nobody says a size: {}, half of the system's memory, is assumed",
                             size_text(room.total_bytes)));
    } else {
      note(room, "neither driver nor system says a size: it is not used");
    }
  }

  // What is free now, where that number means that others do not hold it.
  std::optional<uint64_t> trusted_free(const PoolReport& report, const PoolRoom& room) {
    const auto believable = [&](const std::optional<uint64_t>& number) {
      return said(number) && *number <= room.total_bytes;
    };
    if (facts_.system == System::kWindows) {
      // There it is the process's share of a budget that moves, or all of the memory.
      return std::nullopt;
    }
    if (believable(report.system_free_bytes)) return report.system_free_bytes;
    if (!facts_.integrated && believable(report.driver_free_bytes)) return report.driver_free_bytes;
    if (report.driver_free_bytes)
      note(room, fmt::format("the driver's number of what is free, {}, is not used",
                             size_text(*report.driver_free_bytes)));
    return std::nullopt;
  }

  uint64_t usable(const PoolReport& report, const PoolRoom& room) {
    const uint64_t most = std::min(trusted_free(report, room).value_or(room.total_bytes), room.total_bytes);
    if (!backed_by_host(report.pool)) {
      // The reserve that a user asks for is for system and desktop: on an integrated GPU they live elsewhere.
      const auto asked = reserve_ && facts_.integrated
                             ? std::optional(std::min(*reserve_, kDedicatedReserveBytes))
                             : reserve_;
      return most - reserve_of(most, kDedicatedReserveBytes, asked);
    }
    if (facts_.host_total_bytes == 0 && facts_.host_available_bytes == 0)
      return most - reserve_of(most, kHostReserveBytes, reserve_);
    uint64_t host_room = most;
    if (const uint64_t total = facts_.host_total_bytes; total != 0)
      host_room = std::min(host_room, total - reserve_of(total, kHostReserveBytes, reserve_));
    if (const uint64_t available = facts_.host_available_bytes; available != 0) {
      const uint64_t left = available - reserve_of(available, kAvailableReserveBytes, reserve_);
      if (facts_.system == System::kLinux) {
        host_room = std::min(host_room, left);
      } else if (left < host_room) {
        note(room, fmt::format("other programs hold much of it, {} are free now: close some if it gets slow",
                               size_text(available)));
      }
    }
    if (host_room < most)
      note(room, fmt::format("{} of {} are used, because system and desktop need the rest",
                             size_text(host_room), size_text(room.total_bytes)));
    return host_room;
  }

  const DeviceFacts& facts_;
  const std::map<Pool, uint64_t>& overrides_;
  const std::optional<uint64_t>& reserve_;
  std::vector<std::string>& notes_;
};

}  // namespace

uint64_t reserve_of(uint64_t bytes, uint64_t usual, const std::optional<uint64_t>& reserve) {
  return reserve ? std::min(*reserve, bytes) : std::min(usual, bytes / 4);
}

BelievedPools believed_pools(const DeviceFacts& facts, const std::map<Pool, uint64_t>& overrides,
                             const std::optional<uint64_t>& reserve) {
  BelievedPools believed;
  PoolJudge judge(facts, overrides, reserve, believed.notes);
  for (const PoolReport& report : pools_that_count(facts)) {
    PoolRoom room = judge.judge(report);
    if (!room.source.empty()) believed.rooms.push_back(std::move(room));
  }
  return believed;
}

}  // namespace halyard
