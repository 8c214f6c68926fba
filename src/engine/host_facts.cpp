#include "engine/host_facts.h"

#include <optional>
#include <utility>

#include "platform/cpu_features.h"

namespace halyard {
namespace {

std::optional<uint64_t> known(uint64_t bytes) {
  return bytes == 0 ? std::nullopt : std::optional(bytes);
}

}  // namespace

System this_system() {
  return HALYARD_FOR_WINDOWS != 0 ? System::kWindows : System::kLinux;  // CMake says it
}

DeviceFacts this_host_facts() {
  const std::string& brand = cpu_features().brand;
  return host_facts(memory_facts(), this_system(), brand.empty() ? "processor" : brand);
}

DeviceFacts host_facts(const MemoryFacts& memory, System system, std::string name) {
  PoolReport pool;
  pool.pool = Pool::kHostPinned;
  pool.system_total_bytes = known(memory.total_bytes);
  pool.system_free_bytes = known(memory.available_bytes);
  DeviceFacts facts;
  facts.name = std::move(name);
  facts.system = system;
  facts.integrated = true;
  facts.pools = {pool};
  facts.host_total_bytes = memory.total_bytes;
  facts.host_available_bytes = memory.available_bytes;
  return facts;
}

}  // namespace halyard
