// Modules and launches over the fake driver.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "gpu/driver_fake.h"

namespace halyard::test {
namespace {

class GpuModuleTest : public FakeGpu {
 protected:
  static std::vector<uint32_t> words(GpuDevice& device, uint64_t address, size_t n) {
    const std::vector<std::byte> bytes = read_back(device, address, n * sizeof(uint32_t));
    std::vector<uint32_t> out(n);
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(Both, GpuModuleTest, testing::ValuesIn(kVendors), vendor_name);

TEST_P(GpuModuleTest, KernelsGetTheirArguments) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  const uint64_t address = buffer.block().address;
  device.fill(address, 0, 64);
  std::vector<std::byte> code = image();
  GpuModule loaded(device, code, "test");
  std::fill(code.begin(), code.end(), std::byte{0});  // drivers may read the image later, ours to keep
  GpuModule module(std::move(loaded));                // keeps what is loaded
  GpuKernel add = module.kernel("add"), store = module.kernel("store");
  EXPECT_EQ(add.name(), "add");
  struct Values {
    uint64_t address;
    std::array<uint32_t, 5> words;
  };
  add.launch({{2, 1, 1}, {32, 1, 1}}, address, uint32_t{16}, uint32_t{5});
  store.launch({{1}, {64}}, Values{address + 8, {10, 11, 12, 13, 14}});
  add.launch({{1}, {1024}}, address, uint32_t{3}, uint32_t{1});
  EXPECT_EQ(words(device, address, 8), (std::vector<uint32_t>{6, 6, 11, 11, 12, 13, 14, 5}));
  EXPECT_EQ(fake().launches, 3u);
}

TEST(GpuArguments, EachHasAPlaceOfItsOwnFollowedByZeros) {
  struct Large {
    std::array<uint64_t, 5> values;
  };
  GpuArguments arguments(uint8_t{7}, Large{{1, 2, 3, 4, 5}}, 2.5f, uint64_t{9});
  ASSERT_EQ(arguments.size(), 4u);
  void** at = arguments.pointers();
  uint64_t first = 0, last = 0;
  std::memcpy(&first, at[0], 8);
  std::memcpy(&last, at[3], 8);
  EXPECT_EQ(first, 7u);
  EXPECT_EQ(last, 9u);
  Large large{};
  std::memcpy(&large, at[1], sizeof large);
  EXPECT_EQ(large.values[4], 5u);
  EXPECT_EQ(*static_cast<float*>(at[2]), 2.5f);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(reinterpret_cast<uintptr_t>(at[i]) % 16, 0u);
  EXPECT_EQ(GpuArguments().pointers(), nullptr);
}

TEST_P(GpuModuleTest, ImpossibleShapesAreFaultsOfTheProgram) {
  GpuDevice device(driver(), 0);
  GpuModule module(device, image(), "test");
  GpuKernel add = module.kernel("add");
  const uint32_t lds = static_cast<uint32_t>(device.info().lds_bytes);
  for (const GpuShape& shape :
       {GpuShape{{0}, {32}}, GpuShape{{1}, {0}}, GpuShape{{1, 0, 1}, {32}}, GpuShape{{1}, {1025}},
        GpuShape{{1}, {32, 32, 2}}, GpuShape{{1, 65536, 1}, {32}}, GpuShape{{uint32_t{1} << 31}, {1}},
        GpuShape{{uint32_t{1} << 23}, {1024}}, GpuShape{{1}, {32}, lds + 1},
        GpuShape{{1}, {65536, 65536, 1}}}) {
    const Error error = error_of([&] { add.launch(shape, uint64_t{0}, uint32_t{0}, uint32_t{0}); });
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_TRUE(contains(error.where(), "kernel add")) << error.what();
  }
  device.synchronize();
  EXPECT_EQ(fake().launches, 0u);
}

TEST_P(GpuModuleTest, LdsBeyondWhatIsFreeIsAskedForOnce) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  GpuModule module(device, image(), "test");
  GpuKernel add = module.kernel("add");
  const auto launch = [&](uint32_t lds_bytes) {
    add.launch({{1}, {32}, lds_bytes}, buffer.block().address, uint32_t{1}, uint32_t{1});
  };
  launch(48 * 1024);
  EXPECT_EQ(fake().lds_allowed, 0u);
  launch(64 * 1024);
  EXPECT_EQ(fake().lds_allowed, is_amd() ? 0u : 65536u);
  launch(60 * 1024);
  device.synchronize();
  EXPECT_EQ(fake().launches, 3u);
}

TEST_P(GpuModuleTest, BadCodeIsRefusedWithTheDriversWords) {
  GpuDevice device(driver(), 0);
  const std::string text = "nonsense";
  const std::span bad(reinterpret_cast<const std::byte*>(text.data()), text.size());
  const Error error = error_of([&] { GpuModule(device, bad, "first kernels"); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "module first kernels of 8 bytes for " + device.info().architecture))
      << error.what();
  EXPECT_TRUE(contains(error.problem(), is_amd() ? "hipErrorNoBinaryForGpu" : "line 1; fatal: syntax error"))
      << error.what();
  EXPECT_FALSE(contains(error.problem(), "\n")) << error.what();
  // The device goes on.
  GpuModule module(device, image(), "test");
  const Error missing = error_of([&] { module.kernel("subtract"); });
  EXPECT_EQ(missing.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(missing.problem(), "subtract of module test")) << missing.what();
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  module.kernel("add").launch({{1}, {32}}, buffer.block().address, uint32_t{1}, uint32_t{1});
  device.synchronize();
}

TEST_P(GpuModuleTest, AnOldHipThatRefusesTheCodeIsToldByItsVersion) {
  if (!is_amd()) return;
  fake().version = 60443484;
  GpuDevice device(driver(), 0);
  const Error error = error_of([&] { GpuModule(device, image(), "test"); });
  EXPECT_TRUE(contains(error.where(), "HIP 6.4.43484")) << error.what();
  EXPECT_TRUE(contains(error.fix(), "ROCm 7.2")) << error.what();
}

TEST_P(GpuModuleTest, ALaunchThatIsRefusedThrowsAtOnceAndTheDeviceGoesOn) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  GpuModule module(device, image(), "test");
  GpuKernel add = module.kernel("add");
  const auto launch = [&] { add.launch({{1}, {32}}, buffer.block().address, uint32_t{1}, uint32_t{1}); };
  fake().launch_result = 701;
  const Error error = error_of(launch);
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "launch failed") &&
              contains(error.problem(), "kernel add, grid 1x1x1"))
      << error.what();
  fake().launch_result = 0;
  launch();
  device.synchronize();
}

TEST_P(GpuModuleTest, AKernelThatFaultsMakesTheDeviceLost) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  GpuModule module(device, image(), "test");
  GpuKernel trap = module.kernel("trap");
  trap.launch({{1}, {32}});
  const Error error = error_of([&] { device.synchronize(); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "error 719")) << error.what();
  // From now on all that launches or waits throws the same.
  EXPECT_EQ(error_of([&] { trap.launch({{1}, {32}}); }).problem(), error.problem());
  EXPECT_EQ(error_of([&] { device.fill(buffer.block().address, 0, 1); }).problem(), error.problem());
  EXPECT_EQ(error_of([&] { module.kernel("add"); }).problem(), error.problem());
  EXPECT_EQ(error_of([&] { device.wait(device.record()); }).problem(), error.problem());
}

TEST_P(GpuModuleTest, AnotherCallThatMeetsTheFaultMakesTheDeviceLostToo) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 64);
  GpuModule module(device, image(), "test");
  GpuKernel add = module.kernel("add");
  fake().launch_result = 719;
  EXPECT_EQ(code_of([&] { add.launch({{1}, {32}}, buffer.block().address, uint32_t{1}, uint32_t{1}); }),
            ErrorCode::kDevice);
  EXPECT_EQ(code_of([&] { device.synchronize(); }), ErrorCode::kDevice);
}

TEST_P(GpuModuleTest, ModulesGoWhileTheirKernelsAreQueued) {
  GpuDevice device(driver(), 0);
  const DeviceBuffer buffer(device, Pool::kDedicated, 4);
  device.fill(buffer.block().address, 0, 4);
  {
    GpuModule module(device, image(), "test");
    module.kernel("add").launch({{1}, {32}}, buffer.block().address, uint32_t{1}, uint32_t{3});
  }
  EXPECT_EQ(words(device, buffer.block().address, 1), std::vector<uint32_t>{3});
}

}  // namespace
}  // namespace halyard::test
