// What of a model will live where, and whether it fits, before anything is loaded: on this machine or on one
// that is only described.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace halyard {

struct PlanOptions {
  std::string model_path;  // UTF-8; only the directory is read. Empty: the built-in tiny model
  std::string model;       // one of flash_models() instead of a file
  std::string simulate;    // one of simulated_machines(); empty: this machine and its processor
  std::optional<uint64_t>
      context_tokens;                     // nothing: the most that fits, up to what the model was trained for
  uint32_t slice_tokens = 512;            // most tokens evaluated at once; a multiple of 128, at most 16384
  bool cache_rounding = true;             // as EngineOptions
  uint64_t memory_limit_bytes = 0;        // for all together; 0: what is there
  std::optional<uint64_t> reserve_bytes;  // left free; nothing: as the kind of machine needs
  std::map<std::string, uint64_t>
      pool_bytes;  // sizes of pools, by one of memory_pools(), instead of reported ones
};

struct MemoryPlan {
  bool fits = false;
  uint64_t context_tokens = 0;
  uint32_t slice_tokens = 0;  // smaller than asked for where only that fits
  std::string problem, fix;   // where it does not fit: bytes needed and there, and the cure for that system
  std::string text;           // for people: pools, what lives where, notes
  std::string json;           // the same for machines, all bytes exact
  double seconds = 0;         // that the plan took, without reading the directory
};

// Throws kUsage for options that are none, and for a file what Engine::open throws before it reads weights.
// What does not fit is no error: see `fits`.
MemoryPlan plan_memory(const PlanOptions& options);

std::vector<std::string> flash_models();        // the published files, by name: "flash-q2"
std::vector<std::string> simulated_machines();  // "strix-halo-96"
std::vector<std::string> memory_pools();        // "dedicated", "shared", "host-pinned", "managed"

}  // namespace halyard
