#include "planner/pools.h"

#include <gtest/gtest.h>

#include "planning/requests.h"

namespace halyard::test {
namespace {

BelievedPools believe(const DeviceFacts& facts) {
  return believed_pools(facts, {}, std::nullopt);
}

std::string joined(const BelievedPools& pools) {
  std::string text;
  for (const std::string& note : pools.notes) text += note + "\n";
  return text;
}

struct Report {
  const char* what;
  std::optional<uint64_t> total, free;  // that the driver says of a pool of 126976 MiB
};

TEST(Pools, C35_DriversThatSayTooLittleAreOverruledByTheSystem) {
  const Report reports[] = {{"64077 MiB", 64077 * kMib, 64000 * kMib},
                            {"512 MiB", 512 * kMib, 512 * kMib},
                            {"0", 0, 0},
                            {"an error", std::nullopt, std::nullopt}};
  for (const System system : {System::kLinux, System::kWindows}) {
    for (const Report& report : reports) {
      PoolReport pool{Pool::kShared, report.total, report.free, 126976 * kMib, std::nullopt, 0};
      const BelievedPools pools = believe(facts_with({pool}, true, system));
      ASSERT_EQ(pools.rooms.size(), 1u) << report.what;
      EXPECT_EQ(pools.rooms[0].total_bytes, 126976 * kMib) << report.what;
      EXPECT_EQ(pools.rooms[0].usable_bytes, (126976 - 8192) * kMib) << report.what;
      EXPECT_EQ(pools.rooms[0].source, "system") << report.what;
      EXPECT_TRUE(contains(joined(pools), "the system")) << joined(pools);
      EXPECT_TRUE(contains(joined(pools), "124.00 GiB")) << joined(pools);
    }
  }
}

TEST(Pools, C35_WhatTheDriverCallsFreeDoesNotCountOnIntegratedDevices) {
  for (const uint64_t free : {uint64_t{0}, 27 * kGib}) {
    const PoolReport pool{Pool::kDedicated, 96 * kGib, free, 96 * kGib, std::nullopt, 0};
    const BelievedPools pools = believe(facts_with({pool}, true));
    EXPECT_EQ(pools.rooms[0].usable_bytes, 95 * kGib);
    EXPECT_TRUE(contains(joined(pools), "of what is free")) << joined(pools);
  }
}

TEST(Pools, C35_AnOverrideIsTakenAtItsWord) {
  const DeviceFacts facts = facts_with({{Pool::kDedicated, 512 * kMib, 0, 600 * kMib, 0, 0}}, true);
  const BelievedPools pools = believed_pools(facts, {{Pool::kDedicated, 90 * kGib}}, std::nullopt);
  EXPECT_EQ(pools.rooms[0].usable_bytes, 90 * kGib);
  EXPECT_EQ(pools.rooms[0].source, "override");
  EXPECT_TRUE(contains(joined(pools), "90.00 GiB as asked for")) << joined(pools);
}

TEST(Pools, DriverAloneIsBelievedWithAWarningOnIntegratedDevices) {
  const PoolReport pool{Pool::kDedicated, 32 * kGib, 31 * kGib, std::nullopt, std::nullopt, 0};
  const BelievedPools discrete = believe(facts_with({pool}, false));
  EXPECT_EQ(discrete.rooms[0].total_bytes, 32 * kGib);
  EXPECT_EQ(discrete.rooms[0].usable_bytes, 30 * kGib);  // of what is free
  EXPECT_EQ(discrete.rooms[0].source, "driver");
  EXPECT_EQ(joined(discrete), "");
  const BelievedPools integrated = believe(facts_with({pool}, true));
  EXPECT_EQ(integrated.rooms[0].usable_bytes, 31 * kGib);
  EXPECT_TRUE(contains(joined(integrated), "it may be wrong")) << joined(integrated);
}

TEST(Pools, C35_ZeroMeansThatNobodyKnows) {
  const PoolReport pool{Pool::kDedicated, 32 * kGib, 0, 0, 0, 0};
  const BelievedPools pools = believe(facts_with({pool}, false));
  ASSERT_EQ(pools.rooms.size(), 1u);
  EXPECT_EQ(pools.rooms[0].usable_bytes, 31 * kGib);
  EXPECT_EQ(pools.rooms[0].source, "driver");
}

TEST(Pools, TheSmallerOfTwoNumbersThatNearlyAgree) {
  PoolReport pool{Pool::kDedicated, 31 * kGib, std::nullopt, 32 * kGib, std::nullopt, 0};
  EXPECT_EQ(believe(facts_with({pool}, false)).rooms[0].total_bytes, 31 * kGib);
  EXPECT_EQ(believe(facts_with({pool}, false)).rooms[0].source, "driver");
  pool.driver_total_bytes = 33 * kGib;
  EXPECT_EQ(believe(facts_with({pool}, false)).rooms[0].total_bytes, 32 * kGib);
  EXPECT_EQ(believe(facts_with({pool}, false)).rooms[0].source, "system");
}

TEST(Pools, C36_FreeMemoryIsNoMeasureOnWindows) {
  const PoolReport nearly_full{Pool::kDedicated, 24560 * kMib, 2 * kGib, 24560 * kMib, 2 * kGib, 0};
  EXPECT_EQ(believe(facts_with({nearly_full}, false, System::kWindows)).rooms[0].usable_bytes,
            (24560 - 1024) * kMib);
  EXPECT_EQ(believe(facts_with({nearly_full}, false, System::kLinux)).rooms[0].usable_bytes,
            2 * kGib - 512 * kMib);
}

TEST(Pools, C43_TheReserveComesOutOfWhatTheSystemNeeds) {
  DeviceFacts facts = facts_with({told(Pool::kDedicated, 2 * kGib), told(Pool::kShared, 124 * kGib)}, true);
  facts.host_total_bytes = 126 * kGib;
  facts.host_available_bytes = 122 * kGib;
  const BelievedPools pools = believe(facts);
  EXPECT_EQ(pools.rooms[0].usable_bytes, 2 * kGib - 512 * kMib);
  EXPECT_EQ(pools.rooms[1].usable_bytes, 116 * kGib);
  EXPECT_TRUE(contains(joined(pools), "system and desktop need the rest")) << joined(pools);
  const BelievedPools all = believed_pools(facts, {}, 0);
  EXPECT_EQ(all.rooms[0].usable_bytes, 2 * kGib);
  EXPECT_EQ(all.rooms[1].usable_bytes, 122 * kGib);
}

TEST(Pools, SharedMemoryThatTheHostDoesNotHaveIsNotThere) {
  // A limit of 124 GiB, but a carve-out of 96 of 128.
  DeviceFacts facts = facts_with({told(Pool::kDedicated, 96 * kGib), told(Pool::kShared, 124 * kGib)}, true,
                                 System::kWindows);
  facts.host_total_bytes = 32 * kGib;
  EXPECT_EQ(believe(facts).rooms[1].usable_bytes, 24 * kGib);
  facts.host_available_bytes = 10 * kGib;
  EXPECT_EQ(believe(facts).rooms[1].usable_bytes, 24 * kGib);
  EXPECT_TRUE(contains(joined(believe(facts)), "10.00 GiB are free now")) << joined(believe(facts));
  facts.system = System::kLinux;
  EXPECT_EQ(believe(facts).rooms[1].usable_bytes, 7 * kGib + 512 * kMib);
}

TEST(Pools, SmallMachinesKeepAQuarter) {
  DeviceFacts facts;
  facts.host_total_bytes = 4 * kGib;
  facts.host_available_bytes = 3 * kGib;
  facts.pools = {{Pool::kHostPinned, std::nullopt, std::nullopt, std::nullopt, std::nullopt, 0}};
  const BelievedPools pools = believe(facts);
  ASSERT_EQ(pools.rooms.size(), 1u);
  EXPECT_EQ(pools.rooms[0].total_bytes, 4 * kGib);
  EXPECT_EQ(pools.rooms[0].usable_bytes, 2304 * kMib);
}

TEST(Pools, ASharedPoolThatNobodyMeasuresIsHalfOfTheHost) {
  DeviceFacts facts = facts_with({told(Pool::kDedicated, 96 * kGib), {}}, true, System::kWindows);
  facts.pools[1].pool = Pool::kShared;
  EXPECT_EQ(believe(facts).rooms.size(), 1u);
  EXPECT_TRUE(contains(joined(believe(facts)), "neither driver nor system")) << joined(believe(facts));
  facts.host_total_bytes = 32 * kGib;
  EXPECT_EQ(believe(facts).rooms[1].total_bytes, 16 * kGib);
  EXPECT_EQ(believe(facts).rooms[1].source, "assumed");
}

TEST(Pools, ADiscreteCardNeverUsesMemoryOfTheHost) {
  const BelievedPools pools =
      believe(facts_with({told(Pool::kShared, 64 * kGib), told(Pool::kHostPinned, 64 * kGib)}, false));
  EXPECT_TRUE(pools.rooms.empty());
}

TEST(Pools, PinnedAndManagedMemoryOfAGpuDoNotCountTwice) {
  const BelievedPools pools =
      believe(facts_with({told(Pool::kManaged, 64 * kGib), told(Pool::kHostPinned, 64 * kGib),
                          told(Pool::kShared, 64 * kGib), told(Pool::kDedicated, 64 * kGib)},
                         true));
  ASSERT_EQ(pools.rooms.size(), 2u);
  EXPECT_EQ(pools.rooms[0].pool, Pool::kDedicated);
  EXPECT_EQ(pools.rooms[1].pool, Pool::kShared);
}

}  // namespace
}  // namespace halyard::test
