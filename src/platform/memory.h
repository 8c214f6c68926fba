// What the system says about memory. Hints: they change under us, and other programs count too.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace halyard {

struct MemoryFacts {
  uint64_t total_bytes = 0;      // what this process could have if it were alone; a container's limit counts
  uint64_t available_bytes = 0;  // what it can take now without paging
  // What all programs together may promise to use (Windows: memory and page file; Linux: strict overcommit
  // only). 0 where there is no such limit.
  uint64_t commit_limit_bytes = 0;
};

MemoryFacts memory_facts();  // zeros for what the system does not tell

// Memory of one GPU, nothing for what the system does not tell: on Linux only drivers of AMD write it down.
// GTT is what the system lends the GPU.
struct GpuMemoryFacts {
  std::optional<uint64_t> dedicated_total_bytes, dedicated_free_bytes;
  std::optional<uint64_t> gtt_total_bytes, gtt_free_bytes;
};

// `pci_id`: "0000:c5:00.0".
GpuMemoryFacts gpu_memory_facts(const std::string& pci_id);

uint64_t peak_resident_bytes();  // the most memory that this process has held so far; 0 when not known

}  // namespace halyard
