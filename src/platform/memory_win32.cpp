#include <algorithm>

#include "platform/memory.h"
#include "platform/win32.h"

namespace halyard {

MemoryFacts memory_facts() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!::GlobalMemoryStatusEx(&status)) return {};
  return {status.ullTotalPhys, std::min(status.ullAvailPhys, status.ullAvailPageFile),
          status.ullTotalPageFile};
}

GpuMemoryFacts gpu_memory_facts(const std::string&) {
  return {};
}

uint64_t peak_resident_bytes() {
  PROCESS_MEMORY_COUNTERS counters{};
  if (!::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters)) return 0;
  return counters.PeakWorkingSetSize;
}

}  // namespace halyard
