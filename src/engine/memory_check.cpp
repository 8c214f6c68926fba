#include "engine/memory_check.h"

#include <fmt/format.h>

#include "core/log.h"
#include "halyard/error.h"
#include "platform/memory.h"

namespace halyard {
namespace {

std::string gib(uint64_t bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1u << 30));
}

}  // namespace

void require_memory(const MemoryNeed& need, uint64_t limit_bytes, const std::string& where) {
  const MemoryFacts facts = memory_facts();
  const uint64_t there = limit_bytes != 0 ? limit_bytes : facts.total_bytes;
  if (there != 0 && need.total() > there) {
    throw Error(
        ErrorCode::kOutOfMemory,
        fmt::format("the model does not fit: {} needed ({} weights, {} KV cache, {} scratch), {} there",
                    gib(need.total()), gib(need.weights_bytes), gib(need.cache_bytes),
                    gib(need.scratch_bytes), gib(there)),
        where, "use a smaller file or a smaller --ctx, or a machine with more memory");
  }
  if (limit_bytes == 0 && facts.available_bytes != 0 && need.total() > facts.available_bytes) {
    log_warning(
        fmt::format("{} needed, {} of memory free now: it will be slow while other programs hold the rest",
                    gib(need.total()), gib(facts.available_bytes)));
  }
}

}  // namespace halyard
