#include "core/threads.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace halyard {

// Ranges are handed out under the mutex: loops here are long beside it, and it works the same on every
// platform.
struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_ready, work_done;
  std::vector<std::thread> threads;
  const std::function<void(size_t, size_t, unsigned)>* body = nullptr;
  size_t n = 0, chunk = 1, next = 0;
  unsigned busy = 0;  // threads inside the current loop
  uint64_t loop = 0;  // number of the current loop; a change wakes the team
  bool stop = false;
  std::exception_ptr failure;

  // Takes ranges until none is left. Called and left with the lock held.
  void run(std::unique_lock<std::mutex>& lock, unsigned thread) {
    while (next < n && !failure) {
      const size_t begin = next, end = std::min(n, next + chunk);
      next = end;
      lock.unlock();
      std::exception_ptr caught;
      try {
        (*body)(begin, end, thread);
      } catch (...) {
        caught = std::current_exception();
      }
      lock.lock();
      if (caught && !failure) failure = caught;
    }
  }

  void serve(unsigned thread) {
    std::unique_lock lock(mutex);
    uint64_t seen = 0;
    for (;;) {
      work_ready.wait(lock, [&] { return stop || loop != seen; });
      if (stop) return;
      seen = loop;
      ++busy;
      run(lock, thread);
      if (--busy == 0) work_done.notify_one();
    }
  }
};

ThreadPool::ThreadPool(unsigned n_threads) : state_(std::make_unique<State>()) {
  if (n_threads == 0) n_threads = std::max(1u, std::thread::hardware_concurrency());
  state_->threads.reserve(n_threads - 1);
  for (unsigned i = 1; i < n_threads; ++i) {
    state_->threads.emplace_back([state = state_.get(), i] { state->serve(i); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->work_ready.notify_all();
  for (std::thread& t : state_->threads) t.join();
}

unsigned ThreadPool::size() const {
  return static_cast<unsigned>(state_->threads.size()) + 1;
}

void ThreadPool::parallel_for(size_t n, size_t grain,
                              const std::function<void(size_t begin, size_t end, unsigned thread)>& body) {
  if (n == 0) return;
  grain = std::max<size_t>(grain, 1);
  if (size() == 1 || n <= grain) {
    body(0, n, 0);
    return;
  }
  // Some four ranges a thread, so that an uneven load evens out.
  const size_t n_grains = (n + grain - 1) / grain;
  const size_t grains_a_range = std::max<size_t>(1, n_grains / (size_t{4} * size()));
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  s.body = &body;
  s.n = n;
  s.chunk = grains_a_range * grain;
  s.next = 0;
  s.failure = nullptr;
  ++s.loop;
  s.work_ready.notify_all();
  s.run(lock, 0);
  s.work_done.wait(lock, [&] { return s.busy == 0; });
  s.body = nullptr;
  s.n = 0;
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

}  // namespace halyard
