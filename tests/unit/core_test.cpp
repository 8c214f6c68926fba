#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "core/threads.h"

namespace halyard {
namespace {

TEST(ThreadPool, CoversEveryIndexOnceForAnyTeam) {
  for (unsigned n_threads : {1u, 2u, 5u}) {
    ThreadPool pool(n_threads);
    for (size_t n : {0u, 1u, 7u, 64u, 1000u}) {
      std::vector<int> hits(n, 0);
      pool.parallel_for(n, 8, [&](size_t begin, size_t end, unsigned thread) {
        EXPECT_LT(thread, n_threads);
        EXPECT_EQ(begin % 8, 0u);
        for (size_t i = begin; i < end; ++i) ++hits[i];
      });
      for (int h : hits) EXPECT_EQ(h, 1);
    }
  }
}

TEST(ThreadPool, RethrowsAndStaysUsable) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.parallel_for(100, 1,
                                 [](size_t begin, size_t end, unsigned) {
                                   if (begin <= 50 && 50 < end) throw std::runtime_error("x");
                                 }),
               std::runtime_error);
  std::vector<int> hits(100, 0);
  pool.parallel_for(100, 1, [&](size_t begin, size_t end, unsigned) {
    for (size_t i = begin; i < end; ++i) hits[i] = 1;
  });
  for (int h : hits) EXPECT_EQ(h, 1);
}

TEST(ThreadPool, ManyShortLoops) {
  ThreadPool pool(4);
  size_t total = 0;
  std::vector<size_t> sums(64);
  for (int i = 0; i < 5000; ++i) {
    pool.parallel_for(64, 1, [&](size_t begin, size_t end, unsigned) {
      for (size_t j = begin; j < end; ++j) sums[j] = j;
    });
    total += sums[63];
  }
  EXPECT_EQ(total, size_t{5000} * 63);
}

}  // namespace
}  // namespace halyard
