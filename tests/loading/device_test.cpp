#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "device/host_device.h"
#include "device/simulated_device.h"
#include "halyard/error.h"
#include "loading/device_cases.h"

namespace halyard {
namespace {

void fill(std::span<std::byte> bytes, int value) {
  std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(value));
}

// Time for the copying thread to do what it must not do. Nothing depends on how long it is.
void let_the_device_run() {
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::vector<std::byte> random_bytes(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(n);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFF);
  return bytes;
}

// ---- the host as a device

TEST(HostDevice, BlocksAreAlignedHostMemoryAndCopiesAreDoneAtOnce) {
  HostDevice device(host_of(kGiB));
  const DeviceBuffer buffer(device, Pool::kHostPinned, 100001);
  const uint64_t address = buffer.block().address;
  EXPECT_EQ(address % 4096, 0u);
  const PinnedBuffer pinned(device, 5000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pinned.memory().data()) % 4096, 0u);
  fill(pinned.memory(), 3);
  device.copy_to_device(address + 95001, pinned.memory());
  fill(pinned.memory(), 4);
  EXPECT_EQ(host_pointer(address)[95001], std::byte{3});
  EXPECT_EQ(host_pointer(address)[100000], std::byte{3});
  const Event event = device.record();
  EXPECT_TRUE(device.is_done(event));
  device.wait(event);
  EXPECT_EQ(read_back(device, address + 95001, 5000), std::vector<std::byte>(5000, std::byte{3}));
  EXPECT_EQ(device.facts().pools.at(0).pool, Pool::kHostPinned);
  EXPECT_EQ(device.facts().host_total_bytes, kGiB);
}

TEST(HostDevice, RefusesMoreThanTheMachineHasWithTheNumbers) {
  HostDevice device(host_of(64 * kMiB));
  const Error error = error_of([&] { device.allocate(Pool::kHostPinned, 64 * kMiB + 1); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_TRUE(contains(error.what(), "67108865")) << error.what();
  EXPECT_TRUE(contains(error.what(), "67108864")) << error.what();
  EXPECT_EQ(code_of([&] { device.allocate_pinned(64 * kMiB + 1); }), ErrorCode::kOutOfMemory);
  HostDevice unknown(host_of(0));
  EXPECT_EQ(code_of([&] { unknown.allocate(Pool::kHostPinned, ~uint64_t{0}); }), ErrorCode::kOutOfMemory);
}

TEST(HostDevice, RefusesOtherPoolsEmptyBlocksAndAccessOutside) {
  HostDevice device(host_of(kGiB));
  for (const Pool pool : {Pool::kDedicated, Pool::kShared, Pool::kManaged}) {
    EXPECT_EQ(code_of([&] { device.allocate(pool, 1); }), ErrorCode::kUnsupported);
  }
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kHostPinned, 0); }), ErrorCode::kUsage);
  const Block block = device.allocate(Pool::kHostPinned, 100);
  std::vector<std::byte> bytes(101);
  EXPECT_EQ(code_of([&] { device.copy_to_device(block.address, bytes); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.copy_to_device(block.address - 1, std::span(bytes).first(1)); }),
            ErrorCode::kDevice);
  bytes.pop_back();
  EXPECT_EQ(code_of([&] { device.copy_to_device(block.address + 1, bytes); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.copy_to_host(bytes, block.address + 1); }), ErrorCode::kDevice);
  device.copy_to_device(block.address + 100, {});
  device.release(block);
  EXPECT_EQ(code_of([&] { device.copy_to_host(bytes, block.address); }), ErrorCode::kDevice);
  device.release(block);  // again: nothing happens
}

TEST(HostDevice, WhatIsLeftIsReleasedAtTheEnd) {
  HostDevice device(host_of(kGiB));  // the leak checker of linux-asan watches
  device.allocate(Pool::kHostPinned, 5000);
  device.allocate_pinned(5000);
}

// ---- memory of the simulated device

TEST(SimulatedDevice, KeepsTheBytesOfCopiesAndPoisonsTheRest) {
  SimulatedDevice device(one_pool());
  const DeviceBuffer buffer(device, Pool::kDedicated, 200000);
  const PinnedBuffer pinned(device, 100000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pinned.memory().data()) % 4096, 0u);
  fill(pinned.memory(), 7);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 200000u);
  device.copy_to_device(buffer.block().address + 50000, pinned.memory());
  device.wait(device.record());
  const std::vector<std::byte> out = read_back(device, buffer.block().address, 200000);
  std::vector<std::byte> expected(200000, std::byte{0xA5});
  std::fill(expected.begin() + 50000, expected.begin() + 150000, std::byte{7});
  EXPECT_EQ(out, expected);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 100000u);
}

TEST(SimulatedDevice, KeepsRandomCopiesInTheOrderOfTheCalls) {
  constexpr unsigned kSeed = 20260312;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  SimulatedDevice device(one_pool());
  constexpr size_t kBytes = 300001;
  const DeviceBuffer buffer(device, Pool::kDedicated, kBytes);
  const PinnedBuffer pinned(device, kBytes);
  std::vector<std::byte> expected(kBytes, SimulatedMemory::kPoison);
  std::vector<bool> written(kBytes);
  const std::vector<std::byte> content = random_bytes(kBytes, kSeed);
  std::copy(content.begin(), content.end(), pinned.memory().begin());
  std::fill(pinned.memory().begin(), pinned.memory().begin() + 140000,
            std::byte{0});  // whole pages of zeros too
  uint64_t rewritten = 0;
  for (int i = 0; i < 40; ++i) {
    const size_t from = random() % kBytes, to = random() % kBytes;
    const size_t size = std::min<size_t>(random() % (i % 2 == 0 ? 150000 : 900), kBytes - std::max(from, to));
    device.copy_to_device(buffer.block().address + to, pinned.memory().subspan(from, size));
    std::copy_n(pinned.memory().begin() + static_cast<ptrdiff_t>(from), size,
                expected.begin() + static_cast<ptrdiff_t>(to));
    for (size_t at = to; at < to + size; ++at) {
      rewritten += written[at] ? 1 : 0;
      written[at] = true;
    }
  }
  EXPECT_EQ(read_back(device, buffer.block().address, kBytes), expected);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()),
            static_cast<uint64_t>(std::count(written.begin(), written.end(), false)));
  EXPECT_EQ(device.counters().rewritten_bytes, rewritten);
}

TEST(SimulatedDevice, CountsWrittenBytesWhateverPiecesTouchOrOverlap) {
  constexpr unsigned kSeed = 4242;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    SimulatedMemory memory(Storage::kDrop);
    const uint64_t address = memory.add(40);
    std::vector<bool> written(40);
    for (int i = 0; i < 12; ++i) {
      const std::vector<std::byte> piece(random() % 9);
      const size_t at = random() % (40 - piece.size() + 1);
      uint64_t before = 0;
      for (size_t byte = at; byte < at + piece.size(); ++byte) {
        before += written[byte] ? 1 : 0;
        written[byte] = true;
      }
      ASSERT_EQ(memory.write(address + at, piece), before);
      ASSERT_EQ(memory.unwritten_bytes(address),
                static_cast<uint64_t>(std::count(written.begin(), written.end(), false)));
    }
  }
}

TEST(SimulatedDevice, ABlockOf80GiBCostsWhatIsWrittenAndZerosCostNothing) {
  SimulatedDevice device(one_pool(96 * kGiB));
  const DeviceBuffer buffer(device, Pool::kDedicated, 80 * kGiB);
  const PinnedBuffer pinned(device, kMiB);
  fill(pinned.memory(), 0);
  const uint64_t far = buffer.block().address + 80 * kGiB - kMiB;
  device.copy_to_device(far, pinned.memory());
  device.wait(device.record());
  EXPECT_EQ(device.stored_bytes(), 0u);
  EXPECT_EQ(read_back(device, far, kMiB), std::vector<std::byte>(kMiB));
  fill(pinned.memory(), 1);
  device.copy_to_device(far + 5, pinned.memory().first(10));
  device.wait(device.record());
  EXPECT_EQ(device.stored_bytes(), SimulatedMemory::kPageBytes);
  const std::vector<std::byte> out = read_back(device, far, 20);
  EXPECT_EQ(out[4], std::byte{0});
  EXPECT_EQ(out[5], std::byte{1});
  EXPECT_EQ(out[15], std::byte{0});
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 80 * kGiB - kMiB);
}

TEST(SimulatedDevice, AddressesNeedMoreThan48BitsAndAreNotUsedAgain) {
  SimulatedDevice device(one_pool());
  uint64_t last = uint64_t{1} << 48;
  for (int i = 0; i < 10; ++i) {
    const Block block = device.allocate(Pool::kDedicated, 65537);
    EXPECT_GT(block.address, last + 65537);
    EXPECT_EQ(block.address % 65536, 0u);
    last = block.address;
    device.release(block);
  }
}

TEST(SimulatedDevice, LargeBlocksDoNotTouch) {
  SimulatedDevice device(one_pool(200 * kGiB));
  const DeviceBuffer first(device, Pool::kDedicated, 80 * kGiB);
  const DeviceBuffer second(device, Pool::kDedicated, 80 * kGiB);
  EXPECT_GT(second.block().address, first.block().address + 80 * kGiB);
}

TEST(SimulatedDevice, AccessOutsideOfABlockNamesBothRanges) {
  SimulatedDevice device(one_pool());
  const PinnedBuffer pinned(device, 8192);
  const Block block = device.allocate(Pool::kDedicated, 4096);
  const auto copy = [&](uint64_t address, size_t bytes) {
    return error_of([&] { device.copy_to_device(address, pinned.memory().first(bytes)); });
  };
  const std::string begin = "0x10000000000000", end = "0x10000000001000";
  ASSERT_EQ(block.address, uint64_t{1} << 52);
  for (const Error& error :
       {copy(block.address + 1, 4096), copy(block.address - 1, 4096), copy(block.address, 8192),
        copy(block.address + 4097, 1), copy(block.address & 0xFFFFFFFFu, 1)}) {
    EXPECT_EQ(error.code(), ErrorCode::kDevice);
    EXPECT_TRUE(contains(error.problem(), "outside of the block [" + begin + ", " + end + ")"))
        << error.what();
  }
  EXPECT_TRUE(contains(copy(block.address + 1, 4096).problem(), "[0x10000000000001, 0x10000000001001)"));
  device.copy_to_device(block.address, pinned.memory().first(4096));
  device.wait(device.record());
  device.release(block);
  for (const uint64_t address : {block.address, block.address + 4095}) {
    const Error error = copy(address, 1);
    EXPECT_EQ(error.code(), ErrorCode::kDevice);
    EXPECT_TRUE(contains(error.problem(), "released block [" + begin + ", " + end + ")")) << error.what();
  }
  std::vector<std::byte> out(1);
  EXPECT_EQ(code_of([&] { device.copy_to_host(out, block.address); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.unwritten_bytes(block); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.landed(block); }), ErrorCode::kDevice);
}

TEST(SimulatedDevice, ChecksumsDoNotDependOnPiecesOrOrder) {
  constexpr unsigned kSeed = 77;
  SCOPED_TRACE(kSeed);
  SimulatedDeviceOptions options = one_pool();
  options.storage = Storage::kHash;
  SimulatedDevice device(options);
  constexpr size_t kBytes = 20000;
  const PinnedBuffer pinned(device, kBytes);
  const std::vector<std::byte> content = random_bytes(kBytes, kSeed);
  std::copy(content.begin(), content.end(), pinned.memory().begin());
  const DeviceBuffer buffer(device, Pool::kDedicated, kBytes + 100);
  const uint64_t address = buffer.block().address + 50;
  std::vector<size_t> cuts = {0, 1, 4095, 4096, 4097, 9000, 12345, kBytes};
  for (size_t i = cuts.size() - 1; i > 0; --i) {
    device.copy_to_device(address + cuts[i - 1], pinned.memory().subspan(cuts[i - 1], cuts[i] - cuts[i - 1]));
  }
  device.wait(device.record());
  const uint64_t sum = address_checksum(address, content);
  EXPECT_EQ(device.checksum(buffer.block()), sum);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 100u);
  EXPECT_EQ(device.stored_bytes(), 0u);
  std::vector<std::byte> out(1);
  EXPECT_EQ(code_of([&] { device.copy_to_host(out, address); }), ErrorCode::kUnsupported);

  std::vector<std::byte> wrong = content;
  std::swap(wrong[10], wrong[4106]);  // the same place of another chunk
  EXPECT_NE(address_checksum(address, wrong), sum);
  wrong = content;
  std::swap(wrong[10], wrong[11]);
  EXPECT_NE(address_checksum(address, wrong), sum);
  EXPECT_NE(address_checksum(address + 1, content), sum);
  wrong = content;
  wrong.push_back(std::byte{0});
  EXPECT_NE(address_checksum(address, wrong), sum);
}

TEST(SimulatedDevice, DroppedBytesAreCountedButNotKept) {
  SimulatedDeviceOptions options = one_pool();
  options.storage = Storage::kDrop;
  SimulatedDevice device(options);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100000);
  const PinnedBuffer pinned(device, 70000);
  fill(pinned.memory(), 9);
  device.copy_to_device(buffer.block().address, pinned.memory());
  device.wait(device.record());
  EXPECT_EQ(device.stored_bytes(), 0u);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 30000u);
  EXPECT_EQ(device.counters().copied_bytes, 70000u);
  std::vector<std::byte> out(1);
  EXPECT_EQ(code_of([&] { device.copy_to_host(out, buffer.block().address); }), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of([&] { device.checksum(buffer.block()); }), ErrorCode::kUnsupported);
}

// ---- pools, limits, false reports

TEST(SimulatedDevice, CountsBlocksPinnedMemoryAndRefusals) {
  SimulatedDevice device(two_pools(10 * kMiB, 20 * kMiB));
  const Block a = device.allocate(Pool::kDedicated, 6 * kMiB);
  const Block b = device.allocate(Pool::kShared, 3 * kMiB + 1);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 4 * kMiB + 1); }), ErrorCode::kOutOfMemory);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kHostPinned, 30 * kMiB); }), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kShared, 0); }), ErrorCode::kUsage);
  EXPECT_EQ(device.facts().pools[0].driver_free_bytes, 4 * kMiB);
  EXPECT_EQ(device.facts().pools[0].driver_total_bytes, 10 * kMiB);
  device.release(a);
  const Block c = device.allocate(Pool::kDedicated, 10 * kMiB);
  {
    const PinnedBuffer one(device, 1000);
    const PinnedBuffer two(device, 500);
  }
  const PinnedBuffer three(device, 1200);
  const SimulatedCounters now = device.counters();
  EXPECT_EQ(now.pool(Pool::kDedicated).bytes, 10 * kMiB);
  EXPECT_EQ(now.pool(Pool::kDedicated).n, 1u);
  EXPECT_EQ(now.pool(Pool::kShared).bytes, 3 * kMiB + 1);
  EXPECT_EQ(now.blocks.bytes, 13 * kMiB + 1);
  EXPECT_EQ(now.blocks.n, 2u);
  EXPECT_EQ(now.pinned.bytes, 1200u);
  EXPECT_EQ(now.pinned.peak_bytes, 1500u);
  EXPECT_EQ(now.largest_asked_bytes, 30 * kMiB);
  EXPECT_EQ(now.n_refused, 2u);
  device.release(b);
  device.release(c);
  device.release(c);
  device.release_pinned({});
  EXPECT_EQ(device.counters().blocks.n, 0u);
  EXPECT_EQ(device.counters().blocks.peak_bytes, 13 * kMiB + 1);
  EXPECT_EQ(device.counters().n_bad_releases, 2u);
}

TEST(SimulatedDevice, C41_ReservedAddressSpaceIsCounted) {
  SimulatedDevice device(one_pool(64 * kGiB));
  {
    const DeviceBuffer a(device, Pool::kDedicated, 2 * kGiB);
    const DeviceBuffer b(device, Pool::kDedicated, 100);
    EXPECT_EQ(device.counters().reserved.bytes, 2 * kGiB + SimulatedMemory::kPageBytes);
  }
  EXPECT_EQ(device.counters().reserved.bytes, 0u);
  EXPECT_EQ(device.counters().reserved.peak_bytes, 2 * kGiB + SimulatedMemory::kPageBytes);
}

TEST(SimulatedDevice, C33_ALimitOfAllPoolsAndOfOneBlockWithTheDriverInTheMessage) {
  SimulatedDeviceOptions options = two_pools(96 * kGiB, 16 * kGiB);
  options.driver = "HIP 6.9.1";
  options.total_limit_bytes = 64 * kGiB;
  options.pools[0].largest_block_bytes = 8 * kGiB;
  SimulatedDevice device(options);
  const Error too_large = error_of([&] { device.allocate(Pool::kDedicated, 8 * kGiB + 1); });
  EXPECT_EQ(too_large.code(), ErrorCode::kOutOfMemory);
  EXPECT_TRUE(contains(too_large.problem(), "8589934593 bytes of dedicated memory")) << too_large.what();
  std::vector<DeviceBuffer> blocks;
  for (int i = 0; i < 7; ++i) blocks.emplace_back(device, Pool::kDedicated, 8 * kGiB);
  blocks.emplace_back(device, Pool::kShared, 8 * kGiB);
  for (const Pool pool : {Pool::kDedicated, Pool::kShared}) {
    const Error full = error_of([&] { device.allocate(pool, 1); });
    EXPECT_EQ(full.code(), ErrorCode::kOutOfMemory);
    EXPECT_TRUE(contains(full.problem(), "aperture")) << full.what();
    EXPECT_TRUE(contains(full.where(), "HIP 6.9.1")) << full.what();
  }
}

TEST(SimulatedDevice, C34_MuchIsFreeButNoLargeBlock) {
  SimulatedDevice device([] {
    SimulatedDeviceOptions options = one_pool(110 * kGiB);
    options.pools[0].largest_block_bytes = 4 * kGiB;
    return options;
  }());
  EXPECT_EQ(device.facts().pools[0].largest_block_bytes, 0u);  // nobody says it
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 98988 * kMiB); }), ErrorCode::kOutOfMemory);
  std::vector<DeviceBuffer> blocks;
  for (int i = 0; i < 27; ++i) blocks.emplace_back(device, Pool::kDedicated, 4 * kGiB);
  EXPECT_EQ(device.counters().blocks.bytes, 108 * kGiB);
}

TEST(SimulatedDevice, C35_FalseReportsAreSaidAndNotObeyed) {
  SimulatedDeviceOptions options = two_pools(512 * kMiB, 126976 * kMiB);
  options.pools[0].said = PoolReport{};  // the call fails: nothing is said
  options.pools[1].said.driver_total_bytes = 64077 * kMiB;
  options.pools[1].said.driver_free_bytes = 27 * kGiB;
  SimulatedDevice device(options);
  const DeviceFacts facts = device.facts();
  EXPECT_EQ(facts.pools[0].pool, Pool::kDedicated);
  EXPECT_FALSE(facts.pools[0].driver_total_bytes || facts.pools[0].system_total_bytes);
  EXPECT_EQ(facts.pools[1].pool, Pool::kShared);
  EXPECT_EQ(facts.pools[1].driver_total_bytes, 64077 * kMiB);
  EXPECT_EQ(facts.pools[1].driver_free_bytes, 27 * kGiB);
  EXPECT_EQ(facts.pools[1].system_total_bytes, 126976 * kMiB);
  const DeviceBuffer block(device, Pool::kShared, 120 * kGiB);
  EXPECT_EQ(device.facts().pools[1].driver_free_bytes, 0u);
  EXPECT_EQ(device.facts().pools[1].system_free_bytes, 4 * kGiB);
}

TEST(SimulatedDevice, C36_FreeMemoryIsSaidStillWhenAllocationsFail) {
  SimulatedDeviceOptions options = one_pool(24560 * kMiB);
  options.pools[0].said.driver_free_bytes = 24410 * kMiB;
  options.pools[0].free_is_stale = true;
  options.fail_allocation_at_byte = 24410 * kMiB / 10 * 6;
  SimulatedDevice device(options);
  std::vector<DeviceBuffer> blocks;
  const Error error = error_of([&] {
    for (;;) blocks.emplace_back(device, Pool::kDedicated, kGiB);
  });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_EQ(blocks.size(), 14u);
  EXPECT_EQ(device.facts().pools[0].driver_free_bytes, 24410 * kMiB);
  device.fail_allocation_at_byte(std::nullopt);
  blocks.emplace_back(device, Pool::kDedicated, kGiB);
}

TEST(SimulatedDevice, BlocksMayLandInTheSharedPool) {
  SimulatedDeviceOptions options = two_pools(96 * kGiB, 16 * kGiB);
  options.lands_elsewhere_after_bytes = 32 * kGiB;
  SimulatedDevice device(options);
  const DeviceBuffer first(device, Pool::kDedicated, 31 * kGiB);
  const DeviceBuffer second(device, Pool::kDedicated, 2 * kGiB);
  const DeviceBuffer third(device, Pool::kDedicated, 1 * kGiB);
  EXPECT_EQ(second.block().pool, Pool::kDedicated);  // that was asked for
  EXPECT_EQ(device.landed(first.block()), Pool::kDedicated);
  EXPECT_EQ(device.landed(second.block()), Pool::kShared);
  EXPECT_EQ(device.landed(third.block()), Pool::kDedicated);
  EXPECT_EQ(device.counters().pool(Pool::kShared).bytes, 2 * kGiB);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 15 * kGiB); }), ErrorCode::kOutOfMemory);
}

TEST(SimulatedDevice, PinnedMemoryHasALimit) {
  SimulatedDeviceOptions options = one_pool();
  options.pinned_limit_bytes = kMiB;
  SimulatedDevice device(options);
  const PinnedBuffer half(device, kMiB / 2);
  EXPECT_EQ(code_of([&] { device.allocate_pinned(kMiB / 2 + 1); }), ErrorCode::kOutOfMemory);
  EXPECT_EQ(code_of([&] { device.allocate_pinned(0); }), ErrorCode::kUsage);
  const PinnedBuffer rest(device, kMiB / 2);
  EXPECT_EQ(device.counters().n_refused, 1u);
}

// ---- copies, events, faults

TEST(SimulatedDevice, C07_CopiesFromMemoryThatIsNotPinnedAreRefused) {
  SimulatedDeviceOptions options = one_pool();
  const auto try_all = [](SimulatedDevice& device) {
    const DeviceBuffer buffer(device, Pool::kDedicated, 8192);
    const PinnedBuffer pinned(device, 8192);
    const std::vector<std::byte> pageable(4096);
    const auto memory = pinned.memory();
    device.copy_to_device(buffer.block().address, memory);
    device.copy_to_device(buffer.block().address, memory.subspan(8191));
    device.wait(device.record());
    device.copy_to_device(buffer.block().address, pageable);
    device.wait(device.record());
  };
  SimulatedDevice strict(options);
  const Error error = error_of([&] { try_all(strict); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "not page-locked")) << error.what();
  EXPECT_EQ(strict.counters().n_copies, 2u);
  options.only_pinned_sources = false;
  SimulatedDevice lenient(options);
  try_all(lenient);
  EXPECT_EQ(lenient.counters().n_copies, 3u);
}

TEST(SimulatedDevice, C07_ASourceThatRunsPastPinnedMemoryIsRefused) {
  SimulatedDevice device(one_pool());
  const DeviceBuffer buffer(device, Pool::kDedicated, 8192);
  const PinnedBuffer pinned(device, 4096);
  // Never read: the copy is refused.
  const std::span<const std::byte> past(pinned.memory().data() + 1, 4096);
  EXPECT_EQ(code_of([&] { device.copy_to_device(buffer.block().address, past); }), ErrorCode::kDevice);
  const std::span<const std::byte> before(pinned.memory().data() - 1, 4096);
  EXPECT_EQ(code_of([&] { device.copy_to_device(buffer.block().address, before); }), ErrorCode::kDevice);
}

TEST(SimulatedDevice, ASourceThatChangesTooEarlyShowsWhenCopiesLag) {
  SimulatedDeviceOptions options = one_pool();
  options.lag_copies = kLagForever;
  SimulatedDevice device(options);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100);
  const PinnedBuffer pinned(device, 100);
  fill(pinned.memory(), 1);
  device.copy_to_device(buffer.block().address, pinned.memory());
  const Event copied = device.record();
  let_the_device_run();
  EXPECT_EQ(device.counters().n_queued, 1u);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 100u);
  fill(pinned.memory(), 2);  // the fault of a loader
  device.wait(copied);
  EXPECT_EQ(read_back(device, buffer.block().address, 1)[0], std::byte{2});
  EXPECT_EQ(device.counters().n_queued, 0u);
}

TEST(SimulatedDevice, LaggingCopiesStartWhenTheQueueIsLongerOrWhenSomebodyAsks) {
  SimulatedDeviceOptions options = one_pool();
  options.lag_copies = 2;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<uint64_t> seen;
  options.on_copy = [&](uint64_t address, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex);
    seen.push_back(address * 1000 + bytes.size());
    changed.notify_all();
  };
  SimulatedDevice device(options);
  const DeviceBuffer buffer(device, Pool::kDedicated, 1000);
  const uint64_t address = buffer.block().address;
  const PinnedBuffer pinned(device, 100);
  fill(pinned.memory(), 1);
  std::vector<Event> events;
  for (uint64_t i = 0; i < 4; ++i) {
    device.copy_to_device(address + i, pinned.memory().first(10 + i));
    events.push_back(device.record());
  }
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return seen.size() >= 2; });  // no one has waited for an event
  }
  device.wait(events[1]);
  let_the_device_run();
  EXPECT_EQ(device.counters().n_queued, 2u);
  EXPECT_EQ(device.counters().n_copies, 2u);
  device.wait(events[2]);
  EXPECT_EQ(device.counters().n_copies, 3u);
  while (!device.is_done(events[3])) std::this_thread::yield();
  EXPECT_EQ(device.counters().copied_bytes, 10u + 11 + 12 + 13);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(seen, (std::vector<uint64_t>{address * 1000 + 10, (address + 1) * 1000 + 11,
                                         (address + 2) * 1000 + 12, (address + 3) * 1000 + 13}));
}

TEST(SimulatedDevice, EventsOfAnEmptyQueueAreDoneAndUnknownOnesRefused) {
  SimulatedDevice device(one_pool());
  const Event event = device.record();
  EXPECT_TRUE(device.is_done(event));
  device.wait(event);
  EXPECT_EQ(code_of([&] { device.wait(event + 1); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.is_done(event + 1); }), ErrorCode::kDevice);
}

TEST(SimulatedDevice, TheCopyThatHoldsTheByteFailsAndNoneFollows) {
  SimulatedDeviceOptions options = one_pool();
  options.fail_copy_at_byte = 3000;  // the last of bytes 0 to 3000, the first of the fourth copy
  SimulatedDevice device(options);
  const PinnedBuffer pinned(device, 1000);
  fill(pinned.memory(), 1);
  const Block block = device.allocate(Pool::kDedicated, 10000);
  for (uint64_t i = 0; i < 3; ++i) device.copy_to_device(block.address + i * 1000, pinned.memory());
  device.wait(device.record());
  for (uint64_t i = 3; i < 6; ++i) device.copy_to_device(block.address + i * 1000, pinned.memory());
  const Event event = device.record();
  const Error error = error_of([&] { device.wait(event); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "719")) << error.what();
  EXPECT_EQ(code_of([&] { device.wait(device.record()); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.is_done(event); }), ErrorCode::kDevice);
  device.copy_to_device(block.address, pinned.memory());  // dropped
  EXPECT_EQ(device.counters().n_copies, 3u);
  EXPECT_EQ(device.counters().n_queued, 0u);
  EXPECT_EQ(device.unwritten_bytes(block), 7000u);

  device.clear_fault();
  device.copy_to_device(block.address + 3000, pinned.memory());
  device.wait(device.record());
  EXPECT_EQ(device.counters().n_copies, 4u);
  device.clear_fault(500);
  device.copy_to_device(block.address + 4000, pinned.memory());
  EXPECT_EQ(code_of([&] { device.wait(device.record()); }), ErrorCode::kDevice);
  device.release(block);  // goes on working
  EXPECT_EQ(device.counters().blocks.n, 0u);
}

TEST(SimulatedDevice, ReleasingMemoryUnderAQueuedCopyIsAFault) {
  SimulatedDeviceOptions options = one_pool();
  options.lag_copies = kLagForever;
  for (const bool of_source : {true, false}) {
    SimulatedDevice device(options);
    const Block block = device.allocate(Pool::kDedicated, 1000);
    const DeviceBuffer other(device, Pool::kDedicated, 1000);
    const std::span<std::byte> pinned = device.allocate_pinned(1000);
    fill(pinned, 1);
    device.copy_to_device(block.address, pinned);
    device.copy_to_device(other.block().address, pinned);
    const Event event = device.record();
    if (of_source) {
      device.release_pinned(pinned);
    } else {
      device.release(block);
    }
    const Error error = error_of([&] { device.wait(event); });
    EXPECT_EQ(error.code(), ErrorCode::kDevice);
    EXPECT_TRUE(contains(error.problem(), "released")) << error.what();
    let_the_device_run();
    EXPECT_EQ(device.counters().n_queued, 0u);
    EXPECT_EQ(device.counters().n_copies, 0u);
  }
}

TEST(SimulatedDevice, EndsAtOnceWhateverIsQueued) {
  SimulatedDeviceOptions options = one_pool();
  options.copy_bytes_per_second = 1;  // a copy would take days: the test's own time limit watches
  SimulatedDevice device(options);
  const Block block = device.allocate(Pool::kDedicated, kMiB);
  const std::span<std::byte> pinned = device.allocate_pinned(kMiB);
  fill(pinned, 1);
  device.copy_to_device(block.address, pinned);
  device.copy_to_device(block.address, pinned);
  EXPECT_FALSE(device.is_done(device.record()));
  let_the_device_run();
  EXPECT_EQ(device.counters().n_queued, 2u);
}

// ---- threads

TEST(DeviceThreads, ManyThreadsUseOneSimulatedDevice) {
  SimulatedDeviceOptions options = two_pools(kGiB, kGiB);
  options.lag_copies = 3;
  SimulatedDevice device(options);
  constexpr unsigned kThreads = 4;
  std::vector<int> wrong(kThreads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const Pool pool = t % 2 == 0 ? Pool::kDedicated : Pool::kShared;
      const PinnedBuffer ring(device, 2 * 4096);
      for (int round = 0; round < 40; ++round) {
        const DeviceBuffer buffer(device, pool, 70000);
        const auto slot = ring.memory().subspan(static_cast<size_t>(round % 2) * 4096, 4096);
        fill(slot, round);
        device.copy_to_device(buffer.block().address + 65000, slot);
        const Event event = device.record();
        while (round % 3 == 0 && !device.is_done(event)) std::this_thread::yield();
        device.wait(event);
        std::byte got{};
        device.copy_to_host({&got, 1}, buffer.block().address + 65000 + 4095);
        wrong[t] += got != static_cast<std::byte>(round) ? 1 : 0;
        wrong[t] += device.unwritten_bytes(buffer.block()) != 70000 - 4096 ? 1 : 0;
        wrong[t] += device.facts().pools.size() != 2 ? 1 : 0;
        wrong[t] += device.counters().blocks.n == 0 ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
  const SimulatedCounters now = device.counters();
  EXPECT_EQ(now.n_copies, kThreads * 40);
  EXPECT_EQ(now.copied_bytes, kThreads * 40 * 4096);
  EXPECT_EQ(now.blocks.n, 0u);
  EXPECT_EQ(now.pinned.n, 0u);
  EXPECT_EQ(now.n_queued, 0u);
  EXPECT_EQ(now.n_bad_releases, 0u);
}

TEST(DeviceThreads, ManyThreadsUseTheHost) {
  HostDevice device(host_of(kGiB));
  const DeviceBuffer shared(device, Pool::kHostPinned, 4 * 10000);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 40; ++round) {
        const PinnedBuffer pinned(device, 10000);
        fill(pinned.memory(), static_cast<int>(t));
        device.copy_to_device(shared.block().address + t * 10000, pinned.memory());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (unsigned t = 0; t < 4; ++t) {
    EXPECT_EQ(read_back(device, shared.block().address + t * 10000, 10000),
              std::vector<std::byte>(10000, static_cast<std::byte>(t)));
  }
}

}  // namespace
}  // namespace halyard
