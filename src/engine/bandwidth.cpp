// How fast this machine's threads read memory: a plain sum over a buffer far larger than any cache.
#include <algorithm>
#include <chrono>
#include <vector>

#include "core/threads.h"
#include "halyard/engine.h"
#include "platform/memory.h"

namespace halyard {
namespace {

constexpr uint64_t kBufferBytes = uint64_t{512} << 20;
constexpr int kPasses = 5;

uint64_t sum_words(const uint64_t* words, size_t n) {
  uint64_t a = 0, b = 0, c = 0, d = 0;  // four chains, so that additions do not wait for each other
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    a += words[i];
    b += words[i + 1];
    c += words[i + 2];
    d += words[i + 3];
  }
  for (; i < n; ++i) a += words[i];
  return a + b + c + d;
}

}  // namespace

double measure_read_bandwidth(unsigned n_threads) {
  const uint64_t available = memory_facts().available_bytes;
  const uint64_t bytes =
      available == 0 ? kBufferBytes : std::min(kBufferBytes, std::max<uint64_t>(available / 4, 1 << 20));
  std::vector<uint64_t> words(bytes / sizeof(uint64_t), 1);
  ThreadPool pool(n_threads);
  std::vector<uint64_t> sums(pool.size());
  double best = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    pool.parallel_for(words.size(), 1 << 16, [&](size_t begin, size_t end, unsigned thread) {
      sums[thread] += sum_words(&words[begin], end - begin);
    });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(words.size() * sizeof(uint64_t)) / seconds.count());
  }
  // The sums are known; looking at them keeps the reads from being optimised away.
  uint64_t total = 0;
  for (uint64_t s : sums) total += s;
  return total == uint64_t{kPasses} * words.size() ? best : 0;
}

}  // namespace halyard
