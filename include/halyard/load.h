// How far the loading of a model is.
#pragma once
#include <cstdint>
#include <functional>

namespace halyard {

struct LoadStatus {
  uint64_t done_bytes = 0, total_bytes = 0;  // of the files; done: read, and where they belong
  double seconds = 0;                        // since the load began
};

// Called some times a second, from the thread that loads; false stops the load, which then throws kCancelled.
using LoadWatcher = std::function<bool(const LoadStatus&)>;

}  // namespace halyard
