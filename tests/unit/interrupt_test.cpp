// Ctrl-C at random moments, as the program handles it: a flag that the loops of prefill and generation look
// at.
#include <gtest/gtest.h>
#include <thread>

#include "platform/console.h"
#include "unit/child_process.h"
#include "unit/short_work.h"

namespace halyard::test {
namespace {

TEST(Interrupt, AtRandomMomentsStopsTheWorkAndLeavesNothingBehind) {
  console::install_interrupt_handler();
  ShortWork work;
  std::mt19937 random(kSeed);
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(kSeed));
    Session session = work.session();
    std::thread user([delay = work.random_moment(random)] {
      std::this_thread::sleep_for(delay);
      send_ctrl_c();
    });
    const ShortWork::Outcome outcome = work.run(session, [] { return !console::interrupted(); });
    user.join();
    work.expect_sound(session, outcome);
    while (!console::interrupted()) std::this_thread::yield();  // the system may take its time
    console::clear_interrupt();
    if (round % 20 == 0) {
      work.finish(session);
      work.expect_whole(session);
    }
  }
}

}  // namespace
}  // namespace halyard::test
