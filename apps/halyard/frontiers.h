// The context lengths at which bench measures.
#pragma once
#include <algorithm>
#include <cstdint>

#include "options.h"

namespace halyard::app {

// The frontier behind `current` (0 before the first). The last one is last_context, where the row ends by a
// shorter step if need be; behind that comes 0.
inline uint64_t next_frontier(const BenchOptions& bench, uint64_t current) {
  if (current == 0) return bench.first_context;
  if (current >= bench.last_context) return 0;
  const uint64_t next = bench.step_tokens > 0
                            ? current + bench.step_tokens
                            : static_cast<uint64_t>(static_cast<double>(current) * bench.step_factor);
  return std::min(std::max(next, current + 1), bench.last_context);
}

}  // namespace halyard::app
