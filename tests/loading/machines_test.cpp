// Self-tests of devices, and the simulated machines.
#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "device/host_device.h"
#include "device/self_test.h"
#include "device/simulated_device.h"
#include "device/simulated_profiles.h"
#include "halyard/error.h"
#include "loading/device_cases.h"

namespace halyard {
namespace {

SimulatedDeviceOptions with_managed(ManagedMemory managed) {
  SimulatedDeviceOptions options = two_pools(kGiB, kGiB);
  options.pools.push_back(truthful_pool(Pool::kManaged, kGiB));
  options.pools.push_back(truthful_pool(Pool::kHostPinned, kGiB));
  options.managed = managed;
  return options;
}

TEST(SelfTest, C39_ManagedMemoryThatWorksIsTaken) {
  SimulatedDevice device(with_managed(ManagedMemory::kWorks));
  EXPECT_EQ(managed_memory_problem(device), "");
  EXPECT_EQ(pool_for_both_sides(device), Pool::kManaged);
  EXPECT_EQ(device.counters().blocks.n, 0u);
  EXPECT_EQ(device.counters().pinned.n, 0u);
}

TEST(SelfTest, C39_ManagedMemoryThatIsNotSupportedFallsBack) {
  SimulatedDevice device(with_managed(ManagedMemory::kUnsupported));
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kManaged, 1); }), ErrorCode::kUnsupported);
  EXPECT_TRUE(contains(managed_memory_problem(device), "no managed memory"));
  EXPECT_EQ(pool_for_both_sides(device), Pool::kHostPinned);
}

TEST(SelfTest, C39_ManagedMemoryThatFaultsUnderTheProcessorFallsBack) {
  SimulatedDevice device(with_managed(ManagedMemory::kHostFaults));
  EXPECT_TRUE(contains(managed_memory_problem(device), "faults"));
  EXPECT_EQ(pool_for_both_sides(device), Pool::kHostPinned);
  EXPECT_EQ(device.counters().blocks.n, 0u);
  EXPECT_EQ(device.counters().pinned.n, 0u);
  SimulatedDevice plain(two_pools(kGiB, kGiB));
  EXPECT_EQ(pool_for_both_sides(plain), Pool::kShared);
  SimulatedDevice discrete(one_pool());
  EXPECT_EQ(pool_for_both_sides(discrete), Pool::kDedicated);
}

TEST(SelfTest, TheProcessorReachesManagedMemoryOnly) {
  SimulatedDevice device(with_managed(ManagedMemory::kWorks));
  std::vector<std::byte> bytes(10, std::byte{5});
  const DeviceBuffer dedicated(device, Pool::kDedicated, 10), managed(device, Pool::kManaged, 10);
  EXPECT_EQ(code_of([&] { device.write_as_host(dedicated.block().address, bytes); }),
            ErrorCode::kUnsupported);
  device.write_as_host(managed.block().address, bytes);
  EXPECT_EQ(read_back(device, managed.block().address, 10), bytes);
  EXPECT_EQ(code_of([&] { device.write_as_host(managed.block().address + 1, bytes); }), ErrorCode::kDevice);
  HostDevice host(host_of(kGiB));
  EXPECT_EQ(code_of([&] { host.read_as_host(bytes, 0); }), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of([&] { host.write_as_host(0, bytes); }), ErrorCode::kUnsupported);
}

TEST(SelfTest, C40_CopiesOfEachPoolAreCompared) {
  const std::vector<Pool> pools = {Pool::kDedicated, Pool::kShared, Pool::kManaged, Pool::kHostPinned};
  for (const Pool garbled : pools) {
    SimulatedDeviceOptions options = with_managed(ManagedMemory::kWorks);
    options.garbled_pool = garbled;
    SimulatedDevice device(options);
    for (const Pool pool : pools) {
      if (pool != garbled) {
        check_copies(device, pool);
        continue;
      }
      const Error error = error_of([&] { check_copies(device, pool); });
      EXPECT_EQ(error.code(), ErrorCode::kDevice);
      EXPECT_TRUE(contains(error.problem(), std::string(pool_name(pool)) + " memory arrives wrong: byte 0"))
          << error.what();
    }
    EXPECT_EQ(pool_for_both_sides(device), garbled == Pool::kManaged ? Pool::kHostPinned : Pool::kManaged);
  }
  HostDevice host(host_of(kGiB));
  check_copies(host, Pool::kHostPinned);
}

// ---- machines by name

TEST(SimulatedMachines, EachNameGivesADeviceThatSaysWhatTheFactsSay) {
  for (const std::string& name : simulated_machines()) {
    SCOPED_TRACE(name);
    SimulatedDevice device(simulated_options(name));
    const DeviceFacts facts = device.facts(), said = simulated_facts(name);
    ASSERT_EQ(facts.pools.size(), said.pools.size());
    EXPECT_FALSE(facts.name.empty());
    EXPECT_EQ(facts.integrated, said.integrated);
    EXPECT_EQ(facts.host_total_bytes, said.host_total_bytes);
    EXPECT_GT(facts.host_total_bytes, facts.host_available_bytes);
    for (const SimulatedPool& pool : simulated_options(name).pools) {
      const DeviceBuffer block(device, pool.pool, std::min<uint64_t>(pool.size_bytes, kGiB));
      EXPECT_TRUE(pool.said.driver_total_bytes || pool.said.system_total_bytes);
      EXPECT_EQ(pool.said.driver_total_bytes.value_or(pool.size_bytes), pool.size_bytes);
      EXPECT_EQ(pool.said.system_total_bytes.value_or(pool.size_bytes), pool.size_bytes);
    }
  }
}

TEST(SimulatedMachines, AnUnknownNameIsRefusedWithAllNames) {
  for (const char* wrong : {"", "strix", "H200", "strix-halo-96 "}) {
    const Error error = error_of([&] { simulated_options(wrong); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    for (const std::string& name : simulated_machines()) {
      EXPECT_TRUE(contains(error.fix(), name)) << error.what();
    }
  }
  EXPECT_EQ(code_of([] { simulated_facts("none"); }), ErrorCode::kUsage);
}

TEST(SimulatedMachines, C28_WindowsWith96GiBOfCarveOut) {
  const SimulatedDeviceOptions machine = simulated_options("strix-halo-96");
  EXPECT_EQ(machine.system, System::kWindows);
  EXPECT_TRUE(machine.integrated);
  EXPECT_EQ(machine.pools[0].size_bytes, 96 * kGiB);
  EXPECT_EQ(machine.pools[0].size_bytes + machine.pools[1].size_bytes, 120069685248u);
  EXPECT_EQ(machine.pools[1].size_bytes, machine.host_total_bytes / 2 - 34816);
  EXPECT_EQ(machine.host_total_bytes, 33981009920u);
}

TEST(SimulatedMachines, C29_TheSixCarveOutsShareOneMemory) {
  const std::pair<const char*, uint64_t> settings[] = {{"strix-halo-2", 2},   {"strix-halo-8", 8},
                                                       {"strix-halo-16", 16}, {"strix-halo-32", 32},
                                                       {"strix-halo-64", 64}, {"strix-halo-96-linux", 96}};
  uint64_t last_gtt = ~uint64_t{0};
  for (const auto& [name, carve_out_gib] : settings) {
    SCOPED_TRACE(name);
    const SimulatedDeviceOptions machine = simulated_options(name);
    EXPECT_EQ(machine.system, System::kLinux);
    EXPECT_TRUE(machine.integrated);
    ASSERT_EQ(machine.pools.size(), 2u);
    EXPECT_EQ(machine.pools[0].size_bytes, carve_out_gib * kGiB);
    const uint64_t gtt = machine.pools[1].size_bytes;
    EXPECT_LT(gtt, last_gtt);
    EXPECT_LE(machine.pools[0].size_bytes + gtt, 128 * kGiB);
    EXPECT_LE(gtt, machine.host_total_bytes);
    last_gtt = gtt;
  }
  EXPECT_EQ(simulated_options("strix-halo-2").pools[1].size_bytes, 124 * kGiB);
}

TEST(SimulatedMachines, C30_TheBiosSetToAuto) {
  const SimulatedDeviceOptions machine = simulated_options("strix-halo-auto");
  EXPECT_EQ(machine.pools[0].size_bytes, 512 * kMiB);
  EXPECT_EQ(machine.pools[1].size_bytes, 63968 * kMiB);
}

TEST(SimulatedMachines, C33_AnOlderRuntimeHasAnApertureOf64GiB) {
  SimulatedDevice device(simulated_options("strix-halo-96-old"));
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 64 * kGiB + 1); }), ErrorCode::kOutOfMemory);
  const DeviceBuffer block(device, Pool::kDedicated, 64 * kGiB);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kShared, 1); }), ErrorCode::kOutOfMemory);
}

TEST(SimulatedMachines, DiscreteCardsHaveTheirOwnMemoryAndProcessorsTheHosts) {
  for (const auto& [name, bytes] : {std::pair("h200", 143771 * kMiB), std::pair("rtx-5090", 32 * kGiB)}) {
    const DeviceFacts facts = simulated_facts(name);
    EXPECT_FALSE(facts.integrated);
    ASSERT_EQ(facts.pools.size(), 1u);
    EXPECT_EQ(facts.pools[0].pool, Pool::kDedicated);
    EXPECT_EQ(facts.pools[0].driver_total_bytes, bytes);
  }
  EXPECT_EQ(simulated_facts("cpu-32").pools[0].system_free_bytes, 24 * kGiB);    // C38
  EXPECT_EQ(simulated_facts("cpu-128").pools[0].system_free_bytes, 122 * kGiB);  // C43
  EXPECT_EQ(simulated_facts("cpu-128").pools[0].pool, Pool::kHostPinned);
}

}  // namespace
}  // namespace halyard
