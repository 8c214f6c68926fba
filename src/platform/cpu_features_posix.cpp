#include <algorithm>
#include <cerrno>
#include <sched.h>
#include <thread>
#include <vector>

#include "platform/cpu_features.h"

namespace halyard {

unsigned usable_cores() {
  // A mask that is too small for the kernel's number of cores is refused: grow it.
  for (size_t n_sets = 1; n_sets <= 64; n_sets *= 2) {
    std::vector<cpu_set_t> mask(n_sets);
    const size_t size_bytes = n_sets * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, size_bytes, mask.data()) == 0) {
      return static_cast<unsigned>(std::max(1, CPU_COUNT_S(size_bytes, mask.data())));
    }
    if (errno != EINVAL) break;
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace halyard
