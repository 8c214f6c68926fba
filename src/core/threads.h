// A fixed team of threads for loops over independent outputs.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace halyard {

class ThreadPool {
 public:
  // 0: one for each core that this process may use. One is the caller itself.
  explicit ThreadPool(unsigned n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const;

  // Calls body(begin, end, thread) for disjoint ranges that cover [0, n), each a multiple of `grain` long
  // (but the last), and returns when all are done. Which thread takes which range may vary: a body writes
  // only what belongs to its range, so results do not depend on the number of threads. The first exception of
  // a body is rethrown here. One loop at a time; not to be called from a body.
  void parallel_for(size_t n, size_t grain,
                    const std::function<void(size_t begin, size_t end, unsigned thread)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halyard
