#include <fstream>
#include <iterator>

#include "platform/linux_memory.h"
#include "platform/memory.h"

namespace halyard {
namespace {

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

MemoryFacts memory_facts() {
  return linux_memory_facts(read_text);
}

GpuMemoryFacts gpu_memory_facts(const std::string& pci_id) {
  return linux_gpu_memory_facts(read_text, pci_id);
}

uint64_t peak_resident_bytes() {
  // Not getrusage: its figure is inherited from the program that started this one.
  return parse_field(read_text("/proc/self/status").value_or(""), "VmHWM:").value_or(0);
}

}  // namespace halyard
