// Whether a model and its sessions fit this machine's memory, before anything is taken.
#pragma once
#include <cstdint>
#include <string>

namespace halyard {

struct MemoryNeed {
  uint64_t weights_bytes = 0, cache_bytes = 0, scratch_bytes = 0;
  uint64_t total() const { return weights_bytes + cache_bytes + scratch_bytes; }
};

// Throws kOutOfMemory with the bytes needed and the bytes there when the need is larger than the limit (0:
// this machine's memory); warns when it is larger than what is free now.
void require_memory(const MemoryNeed& need, uint64_t limit_bytes, const std::string& where);

}  // namespace halyard
