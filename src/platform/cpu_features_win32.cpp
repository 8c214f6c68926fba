#include <algorithm>
#include <bit>
#include <thread>

#include "platform/cpu_features.h"
#include "platform/win32.h"

namespace halyard {

unsigned usable_cores() {
  DWORD_PTR process_mask = 0, system_mask = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &process_mask, &system_mask) && process_mask != 0) {
    return static_cast<unsigned>(std::popcount(uint64_t{process_mask}));
  }
  // A process with threads in several groups of 64 cores has no single mask.
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace halyard
