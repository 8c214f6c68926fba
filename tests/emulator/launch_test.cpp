// Launches: shapes, ids, hidden arguments, barriers, private memory, what is refused. Kernels are written by
// hand.
#include "emulator/launch.h"

#include <cstring>
#include <ctime>
#include <gtest/gtest.h>

#include "emulator/fault.h"
#include "emulator/workgroup.h"
#include "halyard/error.h"

namespace halyard::emulator {
namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kEnd = 0xbfb00000, kBarrier = 0xbfbd0000, kWait = 0xbf890000;

class LaunchTest : public testing::Test {
 protected:
  Memory memory{uint64_t{1} << 28};
  Allocation* out = memory.allocate(1 << 20, MemoryKind::kDevice);
  LaunchCount count;

  // The kernel gets the address of `out` in its arguments (s[0:1]), workgroup ids from s2 on.
  std::string run(const Words& words, const LaunchShape& shape, uint32_t lds_bytes = 0,
                  const Checks& checks = {}, uint32_t scratch_bytes = 0) {
    Program program = decode_program(words);
    KernelInfo& kernel = program.kernels[0];
    kernel.rsrc2 = 2 << 1 | 7 << 7;
    kernel.lds_bytes = lds_bytes;
    kernel.scratch_bytes = scratch_bytes;
    kernel.argument_bytes = 32;
    kernel.arguments = {{0, 8, "global_buffer"},         {8, 4, "hidden_block_count_x"},
                        {12, 4, "hidden_block_count_y"}, {16, 2, "hidden_group_size_x"},
                        {18, 2, "hidden_group_size_z"},  {20, 2, "hidden_grid_dims"}};
    uint8_t arguments[8];
    std::memcpy(arguments, &out->address, 8);
    const uint64_t used = memory.used_bytes();
    std::string report = "no fault";
    try {
      count = launch(program, kernel, memory, shape, arguments, checks);
    } catch (const Fault& fault) {
      report = fault.what();
    }
    EXPECT_EQ(memory.used_bytes(), used) << "arguments are left behind";
    return report;
  }
  uint32_t at(uint64_t index) const {
    uint32_t value;
    std::memcpy(&value, out->data() + index * 4, 4);
    return value;
  }
  bool written(uint64_t index) const { return out->written[index * 4] != 0; }
};

// out[group.x + 16 * group.y][lane of the wave] = v0; v1 = byte of the thread
const Words kStoreIds = {0xf4040100, 0xf8000000,              // s_load_b64 s[4:5], s[0:1], 0
                         0x84088403,                          // s_lshl_b32 s8, s3, 4
                         0x80080208,                          // s_add_u32 s8, s8, s2
                         0x84088a08,                          // s_lshl_b32 s8, s8, 10
                         0x360200ff, 0x000003ff,              // v_and_b32 v1, 0x3ff, v0
                         0x30020282,                          // v_lshlrev_b32 v1, 2, v1
                         0x4a020208,                          // v_add_nc_u32 v1, s8, v1
                         kWait,      0xdc6a0000, 0x00040001,  // global_store_b32 v1, v0, s[4:5]
                         kEnd};

TEST_F(LaunchTest, EveryThreadOfEveryGroupRuns) {
  ASSERT_EQ(run(kStoreIds, {{3, 2, 1}, {50, 1, 1}, 0}), "no fault");
  for (uint32_t y = 0; y < 3; ++y) {
    for (uint32_t x = 0; x < 5; ++x) {
      for (uint32_t t = 0; t < 64; ++t) {
        const uint64_t index = (y * 16 + x) * 256 + t;
        const bool ran = y < 2 && x < 3 && t < 50;
        ASSERT_EQ(written(index), ran) << x << " " << y << " " << t;
        if (ran) {
          ASSERT_EQ(at(index), t);
        }
      }
    }
  }
  EXPECT_EQ(count.wave_instructions, 6u * 2 * 10);
}

TEST_F(LaunchTest, WorkItemIdsArePacked) {
  ASSERT_EQ(run(kStoreIds, {{1, 1, 1}, {4, 3, 2}, 0}), "no fault");
  // All threads of one x write to one place: the last has y 2, z 1.
  EXPECT_EQ(at(3), 3u | 2u << 10 | 1u << 20);
}

TEST_F(LaunchTest, HiddenArgumentsAreFilledIn) {
  const Words words = {0xf4040100, 0xf8000000,                          // s_load_b64 s[4:5], s[0:1], 0
                       0xf4080200, 0xf8000008,                          // s_load_b128 s[8:11], s[0:1], 8
                       kWait,      0x7e000280,                          // v_mov_b32 v0, 0
                       0x7e020208, 0x7e040209, 0x7e06020a, 0x7e08020b,  // v1 to v4 = s8 to s11
                       0xdc760000, 0x00040100,  // global_store_b128 v0, v[1:4], s[4:5]
                       kEnd};
  ASSERT_EQ(run(words, {{7, 5, 1}, {40, 2, 3}, 0}), "no fault");
  EXPECT_EQ(at(0), 7u);
  EXPECT_EQ(at(1), 5u);
  EXPECT_EQ(at(2), 40u | 3u << 16);
  EXPECT_EQ(at(3) & 0xffff, 3u);
}

TEST_F(LaunchTest, BarriersJoinWaves) {
  const Words words = {0x30020082,              // v_lshlrev_b32 v1, 2, v0
                       0xd8340000, 0x00000001,  // ds_store_b32 v1, v0
                       kWait,      kBarrier,   0x3a0402ff,
                       0x00000080,                          // v_xor_b32 v2, 0x80, v1: the other wave's
                       0xd8d80000, 0x03000002,              // ds_load_b32 v3, v2
                       0xf4040100, 0xf8000000,              // s_load_b64 s[4:5], s[0:1], 0
                       kWait,      0xdc6a0000, 0x00040301,  // global_store_b32 v1, v3, s[4:5]
                       kEnd};
  ASSERT_EQ(run(words, {{1, 1, 1}, {64, 1, 1}, 0}, 256), "no fault");
  for (uint32_t t = 0; t < 64; ++t) ASSERT_EQ(at(t), t ^ 32u);
  Words without = words;
  without.erase(without.begin() + 4);
  const std::string report = run(without, {{1, 1, 1}, {64, 1, 1}, 0}, 256);
  EXPECT_NE(report.find("wave 0"), std::string::npos) << report;
  EXPECT_NE(report.find("unwritten"), std::string::npos) << report;
  Words late = words;  // the store is not waited for before the barrier
  late.erase(late.begin() + 3);
  EXPECT_NE(run(late, {{1, 1, 1}, {64, 1, 1}, 0}, 256).find("race: "), std::string::npos);
}

// Wave 1 comes to the barrier after several turns; wave 0 waits for it.
TEST_F(LaunchTest, BarriersWaitForSlowWaves) {
  const Words words = {0x7e100500,                          // v_readfirstlane_b32 s8, v0
                       0xbf068008, 0xbfa20005,              // wave 0 skips the loop
                       0xbe8900ff, 0x00007530,              // s_mov_b32 s9, 30000
                       0xb789ffff, 0xbf078009, 0xbfa2fffd,  // s_addk_i32 s9, -1; while not 0
                       0x30020082, 0xd8340000, 0x00000001, kWait,      kBarrier,
                       0x3a0402ff, 0x00000080, 0xd8d80000, 0x03000002, 0xf4040100,
                       0xf8000000, kWait,      0xdc6a0000, 0x00040301, kEnd};
  ASSERT_EQ(run(words, {{1, 1, 1}, {64, 1, 1}, 0}, 256), "no fault");
  for (uint32_t t = 0; t < 64; ++t) ASSERT_EQ(at(t), t ^ 32u);
}

TEST(RaceTableTest, WhoTouchesWhatAfterWhom) {
  using enum MemoryUse;
  RaceTable table;
  table.start(64);
  EXPECT_EQ(table.touch(8, 4, 0, kRead), -1);
  EXPECT_EQ(table.touch(8, 4, 3, kRead), -1) << "readers do not race";
  EXPECT_EQ(table.touch(8, 4, 0, kWrite), 3) << "wave 3 may not have read yet";
  table.barrier();
  EXPECT_EQ(table.touch(8, 4, 0, kWrite), -1);
  EXPECT_EQ(table.touch(8, 4, 0, kRead), -1) << "its own";
  EXPECT_EQ(table.touch(10, 1, 1, kRead), 0);
  EXPECT_EQ(table.touch(11, 4, 1, kWrite), 0);
  EXPECT_EQ(table.touch(12, 4, 2, kWrite), -1);
  table.barrier();
  EXPECT_EQ(table.touch(16, 1, 0, kWrite), -1);
  EXPECT_EQ(table.touch(17, 1, 1, kWrite), -1) << "another byte";
  EXPECT_EQ(table.touch(16, 1, 1, kRead), 0) << "the first writer is not forgotten";
  EXPECT_EQ(table.touch(20, 4, 0, kAtomic), -1);
  EXPECT_EQ(table.touch(20, 4, 1, kAtomic), -1) << "atomics do not race";
  EXPECT_EQ(table.touch(20, 4, 2, kRead), 1) << "with a plain read they do";
  table.start(64);
  EXPECT_EQ(table.touch(16, 4, 5, kRead), -1) << "another workgroup";
}

TEST_F(LaunchTest, PrivateMemoryIsOfOneLane) {
  const Words words = {0xdc690008, 0x007c0000,  // scratch_store_b32 off, v0, off offset:8
                       0xdc510008, 0x037c0000,  // scratch_load_b32 v3, off, off offset:8
                       0xf4040100, 0xf8000000, 0x30020082, kWait, 0xdc6a0000, 0x00040301, kEnd};
  ASSERT_EQ(run(words, {{1, 1, 1}, {64, 1, 1}, 0}, 0, {}, 16), "no fault");
  for (uint32_t t = 0; t < 64; ++t) ASSERT_EQ(at(t), t);
  EXPECT_NE(run(words, {{1, 1, 1}, {64, 1, 1}, 0}, 0, {}, 8).find("of private memory, out of range"),
            std::string::npos);
}

TEST_F(LaunchTest, WhatNeverEndsIsStopped) {
  Checks checks;
  checks.most_instructions = 100000;
  const std::string report = run({0xbfa0ffff}, {{1, 1, 1}, {32, 1, 1}, 0}, 0, checks);
  EXPECT_NE(report.find("still running after"), std::string::npos) << report;
}

TEST_F(LaunchTest, ShapesAreRefused) {
  const LaunchShape too_many{{1, 1, 1}, {1025, 1, 1}, 0}, none{{0, 1, 1}, {32, 1, 1}, 0},
      lds{{1, 1, 1}, {32, 1, 1}, 65537};
  for (const LaunchShape& shape : {too_many, none, lds}) EXPECT_THROW(run({kEnd}, shape), Error);
}

// No assertion: prints how fast plain loops run.
TEST_F(LaunchTest, SpeedOfALoop) {
  const Words words = {0xbe8400ff, 20000,       // s_mov_b32 s4, 20000
                       0x06020300, 0x10040501,  // v_add_f32 v1, v0, v1; v_mul_f32 v2, v1, v2
                       0x4a060702, 0x30080883,  // v_add_nc_u32 v3, v2, v3; v_lshlrev_b32 v4, 3, v4
                       0x56020501, 0x7e0a0304,  // v_fmac_f32 v1, v1, v2; v_mov_b32 v5, v4
                       0xb784ffff, 0xbf078004,  // s_addk_i32 s4, -1; s_cmp_lg_u32 s4, 0
                       0xbfa2fff7, kEnd};       // s_cbranch_scc1 to the v_add_f32
  Checks checks;
  for (const bool on : {true, false}) {
    checks.waits = checks.races = checks.unwritten = on;
    const std::clock_t begin = std::clock();  // of all threads, on Windows the time of day
    ASSERT_EQ(run(words, {{8, 1, 1}, {128, 1, 1}, 0}, 0, checks), "no fault");
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double millions = static_cast<double>(count.wave_instructions) * 1e-6;
    std::printf("checks %s: %.1f million wave instructions, %.1f million in a second of one core\n",
                on ? "on" : "off", millions, millions / seconds);
  }
}

}  // namespace
}  // namespace halyard::emulator
