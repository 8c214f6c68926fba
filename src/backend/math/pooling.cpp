#include "backend/math/pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halyard {

void pool_window(std::span<const PoolSlot> slots, std::span<float> row) {
  for (size_t d = 0; d < row.size(); ++d) {
    float max = -std::numeric_limits<float>::infinity();
    for (const PoolSlot& s : slots) max = std::max(max, s.gate[d]);
    double sum = 0, weighted = 0;
    for (const PoolSlot& s : slots) {
      const double e = std::exp(double{s.gate[d]} - max);
      sum += e;
      weighted += e * s.kv[d];
    }
    row[d] = static_cast<float>(weighted / sum);
  }
}

}  // namespace halyard
