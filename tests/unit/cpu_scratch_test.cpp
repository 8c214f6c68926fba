// The scratch that plans count for the CPU backend. allocation_test holds it to what is really taken.
#include <gtest/gtest.h>

#include "backend/cpu/scratch.h"
#include "model/flash.h"

namespace halyard::test {
namespace {

TEST(CpuScratch, GrowsWithTheSequence) {
  const Model flash = flash_model(*find_flash_mix("flash-q2"));
  const auto growth = [&](uint32_t slice, uint64_t context, unsigned n_threads) {
    return cpu_scratch_bytes(flash, slice, context, n_threads) -
           cpu_scratch_bytes(flash, slice, 0, n_threads);
  };
  EXPECT_EQ(growth(512, 3, 1), 0u);
  // 4096 tokens: 1024 indexer rows of 128 floats, 512 scores of each; 32 scores of each of 64 heads a thread
  EXPECT_EQ(growth(512, 4096, 2), 4u * (1024 * 128 + 512 * 1024 + 2 * 32 * 64));
  // a million: scores come in portions of 128 MiB
  EXPECT_EQ(growth(512, 1048576, 1), 4u * (262144 * 128 + (uint64_t{32} << 20) + 8192 * 64));
}

}  // namespace
}  // namespace halyard::test
