// The GPUs that this machine really has, through their own drivers: all of it is skipped where there is none.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include "backend/gpu/gpu_device.h"
#include "backend/gpu/module.h"
#include "device/self_test.h"
#include "loading/device_cases.h"

namespace halyard::test {
namespace {

// words[i] += value for i < n, and a kernel that accesses what is no memory.
constexpr std::string_view kPtx = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry add(.param .u64 words, .param .u32 n, .param .u32 value) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [words]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [value];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p, %r2, %r0; @%p bra done;
  mul.wide.u32 %d1, %r2, 4; add.s64 %d1, %d0, %d1;
  ld.global.u32 %r5, [%d1]; add.u32 %r5, %r5, %r1; st.global.u32 [%d1], %r5;
done: ret;
}
.visible .entry wild() {
  .reg .b64 %d; mov.u64 %d, 16; st.global.u32 [%d], 1; ret;
}
)";

std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

class RealGpu : public testing::TestWithParam<GpuVendor> {
 protected:
  void SetUp() override {
    try {
      driver_ = GpuDriver::open(GetParam());
    } catch (const Error& error) {
      GTEST_SKIP() << error.problem();
    }
    if (driver_->device_count() == 0) GTEST_SKIP() << driver_->version() << " finds no GPU";
  }
  std::shared_ptr<const GpuDriver> driver_;
};
INSTANTIATE_TEST_SUITE_P(Each, RealGpu, testing::Values(GpuVendor::kAmd, GpuVendor::kNvidia),
                         [](const auto& each) { return std::string(gpu_backend_name(each.param)); });

TEST_P(RealGpu, EveryPoolOfEveryDeviceTakesCopies) {
  for (int ordinal = 0; ordinal < driver_->device_count(); ++ordinal) {
    GpuDevice device(driver_, ordinal);
    const GpuInfo& info = device.info();
    fmt::print("{} {} {} {}, {} multiprocessors, LDS {}, integrated {}\n", driver_->version(), info.name,
               info.architecture, info.pci_id, info.n_multiprocessors, info.lds_bytes, info.integrated);
    for (const PoolReport& pool : device.facts().pools) {
      fmt::print("  {}: driver {}, free {}; system {}, free {}\n", pool_name(pool.pool),
                 pool.driver_total_bytes.value_or(0), pool.driver_free_bytes.value_or(0),
                 pool.system_total_bytes.value_or(0), pool.system_free_bytes.value_or(0));
      check_copies(device, pool.pool);
    }
  }
}

TEST_P(RealGpu, ManyCopiesAndEventsKeepTheirOrder) {
  constexpr unsigned kSeed = 20261207;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  GpuDevice device(driver_, 0);
  constexpr size_t kBytes = 3'000'001;
  const DeviceBuffer buffer(device, Pool::kDedicated, kBytes);
  const PinnedBuffer pinned(device, kBytes);
  for (std::byte& byte : pinned.memory()) byte = static_cast<std::byte>(random() & 0xFF);
  std::vector<std::byte> expected(kBytes, std::byte{9});
  device.fill(buffer.block().address, 9, kBytes);
  Event last = 0;
  for (int i = 0; i < 500; ++i) {
    const size_t from = random() % kBytes, to = random() % kBytes;
    const size_t size = std::min<size_t>(random() % 50000, kBytes - std::max(from, to));
    device.copy_to_device(buffer.block().address + to, pinned.memory().subspan(from, size));
    std::copy_n(pinned.memory().begin() + static_cast<ptrdiff_t>(from), size,
                expected.begin() + static_cast<ptrdiff_t>(to));
    last = device.record();
    device.is_done(last);
  }
  device.wait(last);
  EXPECT_TRUE(device.is_done(last));
  EXPECT_EQ(read_back(device, buffer.block().address, kBytes), expected);
}

TEST_P(RealGpu, MoreThanThereIsIsRefusedWithTheDriversTextAndNothingLasts) {
  GpuDevice device(driver_, 0);
  const Error error = error_of([&] { device.allocate(Pool::kDedicated, uint64_t{1} << 50); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory) << error.what();
  fmt::print("{}\n", error.what());
  check_copies(device, Pool::kDedicated);
}

class RealNvidia : public RealGpu {};
INSTANTIATE_TEST_SUITE_P(Each, RealNvidia, testing::Values(GpuVendor::kNvidia));

TEST_P(RealNvidia, LaunchesPtxAndMeasures) {
  GpuDevice device(driver_, 0);
  GpuModule module(device, as_bytes(kPtx), "test");
  GpuKernel add = module.kernel("add");
  constexpr uint32_t kWords = 1'000'003;
  const DeviceBuffer buffer(device, Pool::kDedicated, kWords * 4);
  device.fill(buffer.block().address, 0, kWords * 4);
  GpuTimer timer(device);
  timer.begin();
  for (uint32_t i = 0; i < 3; ++i)
    add.launch({{(kWords + 255) / 256}, {256}, i * 100 * 1024}, buffer.block().address, kWords - 1, i + 5);
  timer.end();
  EXPECT_GT(timer.elapsed_ms(), 0.0);
  const std::vector<std::byte> bytes = read_back(device, buffer.block().address, kWords * 4);
  std::vector<uint32_t> words(kWords);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  for (uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(words[i], i == kWords - 1 ? 0u : 18u) << i;
}

TEST_P(RealNvidia, BadPtxIsRefusedWithTheCompilersWords) {
  GpuDevice device(driver_, 0);
  const Error error = error_of([&] { GpuModule(device, as_bytes(".version 7.0\nnonsense"), "bad"); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "line 2")) << error.what();
  fmt::print("{}\n", error.what());
  check_copies(device, Pool::kDedicated);
}

// Last: the fault may stay for the life of the process.
TEST_P(RealNvidia, ZWildAccessMakesTheDeviceLostAndMemoryIsReleased) {
  GpuDevice device(driver_, 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 4096);
  const PinnedBuffer pinned(device, 4096);
  GpuModule module(device, as_bytes(kPtx), "test");
  module.kernel("wild").launch({{1}, {32}});
  const Error error = error_of([&] { device.synchronize(); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "error 700")) << error.what();
  fmt::print("{}\n", error.what());
  device.copy_to_device(buffer.block().address, pinned.memory());
  EXPECT_EQ(error_of([&] { device.wait(device.record()); }).problem(), error.problem());
}

}  // namespace
}  // namespace halyard::test
