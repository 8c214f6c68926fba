// What more than one thread may do: the team of threads, sessions of one engine, cancelling. Also built with
// the thread sanitizer (preset linux-tsan), which sees races that end well here.
#include "core/threads.h"

#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "unit/short_work.h"

namespace halyard::test {
namespace {

TEST(Threads, ManyShortLoopsCoverEveryIndexOnce) {
  std::mt19937 random(kSeed);
  ThreadPool pool(4);
  std::vector<int> hits(1000);
  for (int loop = 1; loop <= 2000; ++loop) {
    const size_t n = random() % hits.size(), grain = 1 + random() % 8;
    std::fill(hits.begin(), hits.end(), 0);
    pool.parallel_for(n, grain, [&](size_t begin, size_t end, unsigned) {
      for (size_t i = begin; i < end; ++i) ++hits[i];
    });
    ASSERT_EQ(std::accumulate(hits.begin(), hits.end(), size_t{0}), n) << "loop " << loop;
    ASSERT_TRUE(
        std::all_of(hits.begin(), hits.begin() + static_cast<ptrdiff_t>(n), [](int h) { return h == 1; }));
  }
}

TEST(Threads, ALoopThatThrowsLeavesTheTeamInOrder) {
  std::mt19937 random(kSeed);
  ThreadPool pool(4);
  for (int loop = 0; loop < 500; ++loop) {
    const size_t bad = random() % 64;
    EXPECT_THROW(pool.parallel_for(64, 1,
                                   [&](size_t begin, size_t end, unsigned) {
                                     if (begin <= bad && bad < end) throw std::runtime_error("as asked");
                                   }),
                 std::runtime_error);
  }
}

TEST(Threads, TeamsComeAndGo) {
  for (int round = 0; round < 200; ++round) {
    ThreadPool pool(3);
    std::vector<int> done(8);
    if (round % 2) pool.parallel_for(8, 1, [&](size_t begin, size_t, unsigned) { done[begin] = 1; });
  }
}

TEST(Sessions, OfOneEngineGiveTheSameFromTwoThreads) {
  ShortWork work;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        Session session = work.session();
        work.run(session);
        work.expect_whole(session);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Sessions, AreMadeForkedAndUsedWhileAnotherOneRuns) {
  ShortWork work;
  const auto engine = work.base().engine().shared_from_this();
  Session first = work.session();
  std::thread other([&] {
    for (int round = 0; round < 20; ++round) {
      Session session = work.session();
      Session fork = session.fork();
      work.run(fork);
      work.expect_whole(fork);
      EXPECT_EQ(session.n_tokens(), ShortWork::kBaseTokens);
      Session empty = engine->new_session(8);
      empty.evaluate(engine->encode_text("And"));
      EXPECT_FALSE(empty.logits().empty());
    }
  });
  for (int round = 0; round < 20; ++round) {
    Session session = work.session();
    work.run(session);
    work.expect_whole(session);
  }
  other.join();
}

TEST(Cancel, AtRandomMomentsLeavesASessionThatGoesOn) {
  ShortWork work;
  std::mt19937 random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(kSeed));
    Session session = work.session();
    std::thread canceller([&session, delay = work.random_moment(random)] {
      std::this_thread::sleep_for(delay);
      session.cancel();
    });
    const ShortWork::Outcome outcome = work.run(session);
    canceller.join();
    work.expect_sound(session, outcome);
    EXPECT_TRUE(session.cancelled());
    EXPECT_EQ(work.run(session).generation.n_tokens, 0u) << "a cancelled session stays so";
    if (round % 20 == 0) {
      session.clear_cancel();
      work.finish(session);
      work.expect_whole(session);
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace halyard::test
