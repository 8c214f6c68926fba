// GpuDevice over the fake driver: the contract of Device, faults, two GPUs, and the loader.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <optional>
#include <thread>

#include "device/self_test.h"
#include "gpu/driver_fake.h"
#include "loader/load.h"
#include "loading/pattern_source.h"

namespace halyard::test {
namespace {

void fill(std::span<std::byte> bytes, int value) {
  std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(value));
}

std::vector<std::byte> bytes_of(size_t n, int value) {
  return std::vector<std::byte>(n, static_cast<std::byte>(value));
}

class GpuDeviceTest : public FakeGpu {
 protected:
  Pool host_pool() { return fake().integrated != 0 ? Pool::kShared : Pool::kHostPinned; }
  const PoolReport* pool_of(const DeviceFacts& facts, Pool pool) {
    const auto found = std::find_if(facts.pools.begin(), facts.pools.end(),
                                    [&](const PoolReport& report) { return report.pool == pool; });
    return found == facts.pools.end() ? nullptr : &*found;
  }
};
INSTANTIATE_TEST_SUITE_P(Both, GpuDeviceTest, testing::ValuesIn(kVendors), vendor_name);

TEST_P(GpuDeviceTest, EveryPoolTakesCopiesInOrder) {
  for (const int integrated : {0, 1}) {
    fake().integrated = integrated;
    GpuDevice device(driver(), 0);
    for (const Pool pool : {Pool::kDedicated, host_pool(), Pool::kManaged}) {
      SCOPED_TRACE(pool_name(pool));
      check_copies(device, pool);
      const DeviceBuffer buffer(device, pool, 100000);
      EXPECT_EQ(buffer.block().pool, pool);
      const PinnedBuffer first(device, 100000), second(device, 1000);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(first.memory().data()) % 4096, 0u);
      fill(first.memory(), 1);
      fill(second.memory(), 2);
      device.copy_to_device(buffer.block().address, first.memory());
      device.copy_to_device(buffer.block().address + 500, second.memory());
      std::vector<std::byte> expected = bytes_of(100000, 1);
      std::fill_n(expected.begin() + 500, 1000, std::byte{2});
      EXPECT_EQ(read_back(device, buffer.block().address, 100000), expected);
    }
  }
}

TEST_P(GpuDeviceTest, FactsAreWhatTheDriverSays) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 4096);
  const DeviceFacts facts = device.facts();
  EXPECT_EQ(facts.name, device.info().name);
  EXPECT_EQ(facts.driver, device.driver().version());
  EXPECT_FALSE(facts.integrated);
  EXPECT_GT(facts.host_total_bytes, 0u);
  const PoolReport* dedicated = pool_of(facts, Pool::kDedicated);
  ASSERT_TRUE(dedicated);
  EXPECT_EQ(dedicated->driver_total_bytes, kGiB);
  EXPECT_EQ(dedicated->driver_free_bytes, kGiB - 4096);
  EXPECT_TRUE(pool_of(facts, Pool::kHostPinned));
  EXPECT_FALSE(pool_of(facts, Pool::kShared));
  EXPECT_TRUE(pool_of(facts, Pool::kManaged));
}

TEST_P(GpuDeviceTest, WhatTheDriverCannotSayIsNotKnown) {
  GpuDevice device(driver(), 0);
  fake().free_says_zero = 1;
  EXPECT_EQ(pool_of(device.facts(), Pool::kDedicated)->driver_free_bytes, std::nullopt);
  fake().memory_info_result = 999;
  EXPECT_EQ(pool_of(device.facts(), Pool::kDedicated)->driver_free_bytes, std::nullopt);
  EXPECT_EQ(pool_of(device.facts(), Pool::kDedicated)->driver_total_bytes, kGiB);
  device.synchronize();
}

TEST_P(GpuDeviceTest, IntegratedGpusHaveASharedPool) {
  fake().integrated = 1;
  GpuDevice device(driver(), 0);
  EXPECT_TRUE(device.facts().integrated);
  EXPECT_TRUE(pool_of(device.facts(), Pool::kShared));
  EXPECT_FALSE(pool_of(device.facts(), Pool::kHostPinned));
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kHostPinned, 1); }), ErrorCode::kUnsupported);
}

TEST_P(GpuDeviceTest, ManagedMemoryIsOfferedOnlyWhereItWorks) {
  for (int64_t fake_driver::State::* wrong :
       {&fake_driver::State::managed_result, &fake_driver::State::managed_faults,
        &fake_driver::State::managed_is_wrong}) {
    reset();
    fake().*wrong = wrong == &fake_driver::State::managed_result ? 801 : 1;
    GpuDevice device(driver(), 0);
    EXPECT_FALSE(pool_of(device.facts(), Pool::kManaged));
    EXPECT_EQ(code_of([&] { device.allocate(Pool::kManaged, 1); }), ErrorCode::kUnsupported);
    device.synchronize();  // the device has not suffered
  }
  reset();
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kManaged, 8);
  device.write_as_host(buffer.block().address, bytes_of(8, 5));
  EXPECT_EQ(read_back(device, buffer.block().address, 8), bytes_of(8, 5));
  const DeviceBuffer other(device, Pool::kDedicated, 8);
  std::vector<std::byte> out(8);
  EXPECT_EQ(code_of([&] { device.read_as_host(out, other.block().address); }), ErrorCode::kUnsupported);
  fake().managed_faults = 1;  // from now on: a driver that is right at first
  const DeviceBuffer faulting(device, Pool::kManaged, 8);
  EXPECT_EQ(code_of([&] { device.read_as_host(out, faulting.block().address); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.write_as_host(faulting.block().address, out); }), ErrorCode::kDevice);
  GpuDevice untried(driver(), 0, {.try_managed = false});
  EXPECT_FALSE(pool_of(untried.facts(), Pool::kManaged));
}

TEST_P(GpuDeviceTest, RefusedAllocationsSayHowMuchOfWhatAndTheDriversText) {
  GpuDevice device(driver(), 0);
  fake().fail_allocation_at_byte = 10000;
  const Block block = device.allocate(Pool::kDedicated, 6000);
  for (const Pool pool : {Pool::kDedicated, Pool::kHostPinned, Pool::kManaged}) {
    const Error error = error_of([&] { device.allocate(pool, 6001); });
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_TRUE(contains(error.problem(), "6001 bytes of " + std::string(pool_name(pool)))) << error.what();
    EXPECT_TRUE(contains(error.problem(), "out of memory (error 2)")) << error.what();
  }
  EXPECT_EQ(code_of([&] { device.allocate_pinned(6001); }), ErrorCode::kOutOfMemory);
  // Nothing of it lasts.
  GpuModule module(device, image(), "test");
  GpuKernel kernel = module.kernel("add");
  kernel.launch({{1}, {32}}, block.address, uint32_t{1}, uint32_t{1});
  device.synchronize();
  device.release(block);
  device.release(device.allocate(Pool::kDedicated, 9999));
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 0); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { device.allocate_pinned(0); }), ErrorCode::kUsage);
}

TEST_P(GpuDeviceTest, PinnedMemoryIsAlignedWhateverTheDriverGives) {
  fake().host_memory_is_misaligned = 1;
  GpuDevice device(driver(), 0);
  for (const Pool pool : {Pool::kDedicated, Pool::kHostPinned}) check_copies(device, pool);
  const PinnedBuffer pinned(device, 5000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pinned.memory().data()) % 4096, 0u);
  fill(pinned.memory(), 1);  // all of it is there
}

TEST_P(GpuDeviceTest, CopiesTakePinnedMemoryAndStayInsideOneBlock) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100), neighbour(device, Pool::kDedicated, 100);
  const PinnedBuffer pinned(device, 101);
  const uint64_t address = buffer.block().address;
  std::vector<std::byte> plain(100);
  EXPECT_EQ(code_of([&] { device.copy_to_device(address, plain); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.copy_to_device(address, pinned.memory()); }), ErrorCode::kDevice);
  const auto whole = pinned.memory().first(100);
  for (const uint64_t wrong : {address + 1, address - 1, uint64_t{0}, ~uint64_t{0}})
    EXPECT_EQ(code_of([&] { device.copy_to_device(wrong, whole); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.copy_to_host(plain, address + 1); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.fill(address, 0, 101); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.copy_on_device(address, neighbour.block().address + 1, 100); }),
            ErrorCode::kDevice);
  device.copy_to_device(address + 100, {});
  // Released memory counts no more.
  const Block block = device.allocate(Pool::kDedicated, 10);
  device.release(block);
  device.release(block);  // again: nothing happens
  EXPECT_EQ(code_of([&] { device.fill(block.address, 0, 1); }), ErrorCode::kDevice);
}

TEST_P(GpuDeviceTest, EventsAreDoneInOrderAndNotReadyIsNoError) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100);
  const PinnedBuffer pinned(device, 100);
  fill(pinned.memory(), 1);
  const uint64_t copies = fake().copies;
  device.copy_to_device(buffer.block().address, pinned.memory());
  const Event first = device.record();
  device.copy_to_device(buffer.block().address, pinned.memory());
  const Event second = device.record();
  fake().not_ready = 2;
  EXPECT_FALSE(device.is_done(first));
  EXPECT_FALSE(device.is_done(second));
  EXPECT_EQ(fake().copies, copies);
  // What the driver keeps of that must not hit the next launch.
  GpuModule module(device, image(), "test");
  GpuKernel kernel = module.kernel("add");
  kernel.launch({{1}, {32}}, buffer.block().address, uint32_t{1}, uint32_t{0});
  EXPECT_TRUE(device.is_done(first));
  EXPECT_EQ(fake().copies, copies + 1);  // and no more
  device.wait(second);
  EXPECT_EQ(fake().copies, copies + 2);
  const uint64_t waits = fake().waits;
  device.wait(first);  // known: the driver is not asked
  EXPECT_TRUE(device.is_done(second));
  EXPECT_EQ(fake().waits, waits);
  EXPECT_EQ(code_of([&] { device.wait(second + 1); }), ErrorCode::kDevice);
}

TEST_P(GpuDeviceTest, ManyEventsTakeFewOfTheDrivers) {
  GpuDevice device(driver(), 0);
  std::vector<Event> events;
  for (int i = 0; i < 1000; ++i) events.push_back(device.record());
  EXPECT_LT(fake().events, 200u);
  device.wait(events.back());
  for (const Event event : events) EXPECT_TRUE(device.is_done(event));
  const uint64_t before = fake().events;
  for (int i = 0; i < 1000; ++i) device.wait(device.record());
  EXPECT_EQ(fake().events, before);
}

TEST_P(GpuDeviceTest, AnEventThatAThreadWaitsForIsNotUsedAnew) {
  GpuDevice device(driver(), 0);
  const Event first = device.record();
  hold(true, 0);
  std::thread waiter([&] { device.wait(first); });
  hold(true, 1);
  EXPECT_TRUE(device.is_done(device.record()));  // and so is the first
  std::array<Event, 3> others{};
  for (Event& other : others) other = device.record();
  EXPECT_TRUE(device.is_done(others.back()));
  hold(false, 0);
  waiter.join();
}  // TearDown looks

TEST_P(GpuDeviceTest, AThreadMayWaitWhileOthersCopy) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 4096);
  const PinnedBuffer pinned(device, 4096);
  fill(pinned.memory(), 7);
  std::mutex mutex;
  std::condition_variable changed;
  Event newest = 0;
  bool stop = false;
  std::thread waiter([&] {  // this thread has no context of its own yet
    std::unique_lock lock(mutex);
    for (Event seen = 0; !stop; seen = newest) {
      changed.wait(lock, [&] { return stop || newest != seen; });
      const Event event = newest;
      lock.unlock();
      device.wait(event);
      EXPECT_TRUE(device.is_done(event));
      lock.lock();
    }
  });
  for (int i = 0; i < 500; ++i) {
    device.copy_to_device(buffer.block().address, pinned.memory());
    const std::lock_guard lock(mutex);
    newest = device.record();
    changed.notify_all();
  }
  {
    const std::lock_guard lock(mutex);
    stop = true;
    changed.notify_all();
  }
  waiter.join();
  EXPECT_EQ(read_back(device, buffer.block().address, 4096), bytes_of(4096, 7));
}

TEST_P(GpuDeviceTest, AfterAFailedCopyWhatWaitsThrowsAndMemoryIsReleased) {
  GpuDevice device(driver(), 0);
  const Block block = device.allocate(Pool::kDedicated, 100);
  const std::span<std::byte> pinned = device.allocate_pinned(100);
  device.copy_to_device(block.address, pinned);
  device.synchronize();
  const uint64_t copies = fake().copies;
  fake().fail_copy_at = copies + 1;
  for (int i = 0; i < 4; ++i) device.copy_to_device(block.address, pinned);
  const Event event = device.record();
  const Error error = error_of([&] { device.wait(event); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "unspecified launch failure (error 719)")) << error.what();
  EXPECT_TRUE(contains(error.where(), device.driver().version())) << error.what();
  EXPECT_EQ(fake().copies, copies + 1);
  device.copy_to_device(block.address, pinned);  // not done, and no error
  EXPECT_EQ(code_of([&] { device.wait(device.record()); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.is_done(event); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.synchronize(); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kDedicated, 1); }), ErrorCode::kDevice);
  std::vector<std::byte> out(100);
  EXPECT_EQ(error_of([&] { device.copy_to_host(out, block.address); }).problem(), error.problem());
  EXPECT_EQ(code_of([&] { GpuModule(device, image(), "test"); }), ErrorCode::kDevice);
  EXPECT_EQ(fake().copies, copies + 1);
  EXPECT_EQ(fake().queued_after_fault, 0u);
  device.release(block);
  device.release_pinned(pinned);
  EXPECT_EQ(fake().blocks, 0u);
  EXPECT_EQ(fake().host_blocks, 0u);
}

TEST_P(GpuDeviceTest, MemoryThatRunsOutInTheQueueIsAFaultOfTheDevice) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100);
  const PinnedBuffer pinned(device, 100);
  fake().fault_result = 2;
  fake().fail_copy_at = fake().copies;
  device.copy_to_device(buffer.block().address, pinned.memory());
  EXPECT_EQ(code_of([&] { device.wait(device.record()); }), ErrorCode::kDevice);
}

TEST_P(GpuDeviceTest, ADeviceWorksAgainWhenItIsOpenedAnew) {
  if (is_amd()) return;  // HIP keeps the fault for the life of the process
  const auto opened = driver();
  {
    GpuDevice device(opened, 0);
    const DeviceBuffer buffer(device, Pool::kDedicated, 100);
    const PinnedBuffer pinned(device, 100);
    fake().fail_copy_at = fake().copies;
    device.copy_to_device(buffer.block().address, pinned.memory());
    EXPECT_EQ(code_of([&] { device.synchronize(); }), ErrorCode::kDevice);
  }
  GpuDevice device(opened, 0);
  check_copies(device, Pool::kDedicated);
}

TEST_P(GpuDeviceTest, TwoGpusSideBySide) {
  fake().devices = 2;
  const auto opened = driver();
  GpuDevice first(opened, 0), second(opened, 1);
  const DeviceBuffer a(first, Pool::kDedicated, 100), b(second, Pool::kDedicated, 100);
  EXPECT_EQ(fake().bytes_of_device[0], 100u);
  EXPECT_EQ(fake().bytes_of_device[1], 100u);
  const PinnedBuffer for_a(first, 100), for_b(second, 100);
  fill(for_a.memory(), 1);
  fill(for_b.memory(), 2);
  GpuModule module_a(first, image(), "test"), module_b(second, image(), "test");
  GpuKernel add_a = module_a.kernel("add"), add_b = module_b.kernel("add");
  first.copy_to_device(a.block().address, for_a.memory());
  second.copy_to_device(b.block().address, for_b.memory());
  const Event event_a = first.record(), event_b = second.record();
  add_a.launch({{1}, {32}}, a.block().address, uint32_t{25}, uint32_t{0x01010101});
  add_b.launch({{1}, {32}}, b.block().address, uint32_t{25}, uint32_t{0x02020202});
  second.wait(event_b);
  first.wait(event_a);
  EXPECT_EQ(read_back(first, a.block().address, 100), bytes_of(100, 2));
  EXPECT_EQ(read_back(second, b.block().address, 100), bytes_of(100, 4));
  // A block of one is none of the other's.
  EXPECT_EQ(code_of([&] { first.copy_to_device(b.block().address, for_a.memory()); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { first.copy_to_device(a.block().address, for_b.memory()); }), ErrorCode::kDevice);
}

TEST_P(GpuDeviceTest, ReleasingWaitsForWhatIsQueued) {
  GpuDevice device(driver(), 0);
  const PinnedBuffer pinned(device, 100);
  for (const Pool pool : {Pool::kDedicated, Pool::kHostPinned, Pool::kManaged}) {
    const uint64_t copies = fake().copies;
    const Block block = device.allocate(pool, 100);
    device.copy_to_device(block.address, pinned.memory());
    device.release(block);
    EXPECT_EQ(fake().copies, copies + 1);
  }
  device.synchronize();
}

TEST_P(GpuDeviceTest, WhatIsLeftIsReleasedAtTheEndAndOnAFailedStart) {
  {
    GpuDevice device(driver(), 0);
    device.allocate(Pool::kDedicated, 10);
    device.allocate(Pool::kHostPinned, 10);
    device.allocate(Pool::kManaged, 10);
    device.allocate_pinned(10);
    device.record();
  }
  fake().warp_size = 64;
  EXPECT_EQ(code_of([&] { GpuDevice device(driver(), 0); }), ErrorCode::kUnsupported);
}  // TearDown looks

TEST_P(GpuDeviceTest, FillUploadAndCopyOnDevice) {
  GpuDevice device(driver(), 0);
  constexpr size_t kBytes = (size_t{1} << 20) * 2 + 77;  // several pieces of the staging
  const DeviceBuffer from(device, Pool::kDedicated, kBytes), to(device, Pool::kDedicated, kBytes + 1);
  std::vector<std::byte> content(kBytes);
  for (size_t i = 0; i < kBytes; ++i) content[i] = pattern_byte(1, i);
  device.upload(from.block().address, content);
  device.fill(to.block().address, 0xEE, kBytes + 1);
  device.copy_on_device(to.block().address + 1, from.block().address, kBytes);
  const std::vector<std::byte> out = read_back(device, to.block().address, kBytes + 1);
  EXPECT_EQ(out[0], std::byte{0xEE});
  EXPECT_TRUE(std::equal(content.begin(), content.end(), out.begin() + 1));
  device.fill(to.block().address, 1, 0);
  device.upload(to.block().address, {});
}

TEST_P(GpuDeviceTest, TimersMeasureBetweenTwoPlacesOfTheQueue) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 100);
  GpuTimer timer(device);
  device.fill(buffer.block().address, 0, 100);
  timer.begin();
  for (int i = 0; i < 3; ++i) device.fill(buffer.block().address, 0, 100);
  timer.end();
  EXPECT_EQ(timer.elapsed_ms(), 4.0);  // the fake driver's clock counts the queue: three and the event
}

// ---- the loader

struct Loaded {
  std::array<PatternFile, 2> files;
  std::vector<LoadFile> load_files;
  std::vector<LoadTensor> tensors;
  LoadOptions options;

  explicit Loaded(uint64_t address) {
    options.ring_bytes = 256 * 1024;
    options.window_bytes = 64 * 1024;
    options.n_readers = 3;
    for (size_t i = 0; i < files.size(); ++i) {
      files[i].number = i + 1;
      files[i].bytes = 900001;
      files[i].alignment = 4096;
      load_files.push_back({open_pattern(files[i]), ""});
    }
    std::mt19937 random(20261203);
    for (uint32_t file = 0; file < 2; ++file) {
      for (uint64_t at = 100; at < 890000;) {
        const uint64_t bytes = std::min<uint64_t>(1 + random() % 200000, 900001 - at);
        tensors.push_back({std::to_string(tensors.size()).insert(0, 1, 't'), file, at, bytes, address});
        address += bytes;
        at += bytes + random() % 999;
      }
    }
  }
};

TEST_P(GpuDeviceTest, TheStagedLoaderLoadsThroughIt) {
  for (const Pool pool : {Pool::kDedicated, Pool::kManaged, Pool::kHostPinned}) {
    GpuDevice device(driver(), 0);
    const DeviceBuffer buffer(device, pool, 2 * 900001);
    Loaded load(buffer.block().address);
    fake().not_ready = 5;
    load_tensors(load.load_files, load.tensors, device, load.options);
    EXPECT_EQ(fake().host_blocks, pool == Pool::kHostPinned ? 1u : 0u);  // the ring is gone
    for (const LoadTensor& tensor : load.tensors) {
      const std::vector<std::byte> got = read_back(device, tensor.address, tensor.bytes);
      for (uint64_t i = 0; i < tensor.bytes; ++i)
        ASSERT_EQ(got[i], pattern_byte(tensor.file + 1, tensor.file_offset + i))
            << tensor.name << " byte " << i;
    }
  }
}

TEST_P(GpuDeviceTest, ALoadThatTheDeviceFailsReleasesAll) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 2 * 900001);
  Loaded load(buffer.block().address);
  fake().fail_copy_at = fake().copies + 7;
  const Error error = error_of([&] { load_tensors(load.load_files, load.tensors, device, load.options); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.what(), "error 719")) << error.what();
  EXPECT_EQ(fake().host_blocks, 0u);
}

}  // namespace
}  // namespace halyard::test
