// The driver table over the fake driver: what opens, what does not, and what is said then.
#include <gtest/gtest.h>

#include "gpu/driver_fake.h"
#include "unit/child_process.h"

namespace halyard::test {
namespace {

class GpuDriverTest : public FakeGpu {};
INSTANTIATE_TEST_SUITE_P(Both, GpuDriverTest, testing::ValuesIn(kVendors), vendor_name);

TEST_P(GpuDriverTest, OpensAndDescribesItsDevices) {
  fake().devices = 2;
  fake().integrated = 1;
  const auto opened = driver();
  EXPECT_EQ(opened->vendor(), GetParam());
  EXPECT_EQ(opened->library(), fake_path(GetParam()));
  EXPECT_EQ(opened->version(), is_amd() ? "HIP 7.2.53211" : "CUDA 13.0");
  EXPECT_EQ(opened->note(), "");
  ASSERT_EQ(opened->device_count(), 2);
  const GpuInfo info = opened->device_info(1);
  EXPECT_EQ(info.ordinal, 1);
  EXPECT_EQ(info.name, is_amd() ? "Fake Radeon 1" : "Fake GeForce 1");
  EXPECT_EQ(info.architecture, is_amd() ? "gfx1151" : "sm_90");
  EXPECT_EQ(info.pci_id, "0000:c6:00.0");
  EXPECT_TRUE(info.integrated);
  EXPECT_EQ(info.warp_size, 32);
  EXPECT_EQ(info.n_multiprocessors, 20);
  EXPECT_EQ(info.max_threads_per_block, 1024);
  EXPECT_EQ(info.lds_bytes, is_amd() ? 65536u : 232448u);
  EXPECT_EQ(info.total_bytes, kGiB);
  EXPECT_EQ(gpu_problem(info), "");
}

TEST_P(GpuDriverTest, WavesOfAnotherSizeAreAReason) {
  fake().warp_size = 64;
  const GpuInfo info = driver()->device_info(0);
  EXPECT_EQ(info.architecture, is_amd() ? "gfx90a" : "sm_90");  // without the features that HIP adds
  EXPECT_TRUE(contains(gpu_problem(info), "has 64")) << gpu_problem(info);
}

TEST_P(GpuDriverTest, NoDeviceIsNoError) {
  fake().devices = 0;
  EXPECT_EQ(driver()->device_count(), 0);
  fake().version_result = 100;
  EXPECT_EQ(driver()->device_count(), 0);
  EXPECT_EQ(driver()->version(), is_amd() ? "HIP" : "CUDA");
  fake().version_result = 719;
  EXPECT_EQ(code_of([&] { driver(); }), ErrorCode::kDevice);
}

TEST_P(GpuDriverTest, EveryMissingFunctionIsNamed) {
  const Error error = error_of([&] { GpuDriver::open(GetParam(), fake_path(GetParam(), "lacks_required")); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  for (const char* name : is_amd() ? std::vector{"hipMalloc,", "hipModuleLaunchKernel"}
                                   : std::vector{"cuMemAlloc_v2", "cuLaunchKernel"})
    EXPECT_TRUE(contains(error.problem(), name)) << error.problem();
  EXPECT_FALSE(contains(error.problem(), is_amd() ? "hipFree" : "cuMemFree")) << error.problem();
  EXPECT_TRUE(contains(error.where(), fake_path(GetParam(), "lacks_required"))) << error.where();
}

TEST_P(GpuDriverTest, OptionalFunctionsMayBeMissing) {
  const auto opened = GpuDriver::open(GetParam(), fake_path(GetParam(), "lacks_optional"));
  EXPECT_EQ(opened->functions().allocate_managed, nullptr);
  EXPECT_FALSE(opened->has_graphs());
  EXPECT_NE(opened->functions().get_elapsed_ms, nullptr);  // by its older name
  GpuDevice device(opened, 0);
  for (const PoolReport& pool : device.facts().pools) EXPECT_NE(pool.pool, Pool::kManaged);
  EXPECT_EQ(code_of([&] { device.allocate(Pool::kManaged, 1); }), ErrorCode::kUnsupported);
}

TEST_P(GpuDriverTest, OldVersionsAreRefusedWithTheNumber) {
  fake().version = is_amd() ? 50731921 : 11080;
  const Error error = error_of([&] { driver(); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(contains(error.problem(), is_amd() ? "HIP 5.7.31921 is too old" : "CUDA 11.8 is too old"))
      << error.what();
  EXPECT_TRUE(contains(error.fix(), is_amd() ? "7.2" : "12")) << error.fix();
}

TEST_P(GpuDriverTest, VersionsAtTheLimitAreTaken) {
  fake().version = is_amd() ? 60000000 : 12000;
  EXPECT_EQ(driver()->version(), is_amd() ? "HIP 6.0.0" : "CUDA 12.0");
  EXPECT_EQ(driver()->note().empty(), !is_amd());
  if (!is_amd()) return;
  fake().version = 70200000;
  EXPECT_EQ(driver()->note(), "");
  fake().version = 70199999;
  EXPECT_TRUE(contains(driver()->note(), "7.1.99999")) << driver()->note();
}

TEST_P(GpuDriverTest, ADriverThatDoesNotStartSaysWhy) {
  fake().start_result = 719;
  const Error error = error_of([&] { driver(); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(error.problem(), "start the driver failed")) << error.what();
  EXPECT_TRUE(contains(error.problem(), "unspecified launch failure (error 719)")) << error.what();
}

TEST_P(GpuDriverTest, ErrorsHaveOperationNameTextVersionAndCure) {
  const auto opened = driver();
  const Error error = opened->error(2, "allocate 5 bytes", "GPU 0, X", "more");
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  EXPECT_EQ(error.problem(), std::string("allocate 5 bytes failed: ") +
                                 (is_amd() ? "hipErrorOutOfMemory" : "CUDA_ERROR_OUT_OF_MEMORY") +
                                 ": out of memory (error 2); more");
  EXPECT_EQ(error.where(), "GPU 0, X, " + opened->version() + " (" + opened->library() + ")");
  EXPECT_TRUE(contains(error.fix(), "--ctx")) << error.fix();
  // A number that no driver knows.
  EXPECT_TRUE(contains(opened->error(4711, "x").problem(), "(error 4711)"));
  EXPECT_EQ(opened->error(209, "load module").code(), ErrorCode::kDevice);
  EXPECT_TRUE(contains(opened->error(209, "load module").fix(), is_amd() ? "ROCm 7.2" : "CUDA 12"));
}

TEST_P(GpuDriverTest, DeviceNumbersAreChecked) {
  const auto opened = driver();
  EXPECT_EQ(code_of([&] { opened->device_info(1); }), ErrorCode::kDevice);
  for (const int ordinal : {-1, 1}) {
    const Error error = error_of([&] { GpuDevice device(opened, ordinal); });
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_TRUE(contains(error.problem(), "has 1")) << error.problem();
  }
}

TEST_P(GpuDriverTest, TheVariableNamesTheLibraryAndNothingElseIsTried) {
  const char* variable = is_amd() ? "HALYARD_HIP_LIBRARY" : "HALYARD_CUDA_LIBRARY";
  set_environment(variable, fake_path(GetParam()));
  EXPECT_EQ(GpuDriver::open(GetParam())->library(), fake_path(GetParam()));
  set_environment(variable, fake_path(GetParam(), "no_such_folder"));
  Error error = error_of([&] { GpuDriver::open(GetParam()); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_TRUE(contains(error.where(), "no_such_folder")) << error.what();
  set_environment(variable, "libm.so.6");
  error = error_of([&] { GpuDriver::open(GetParam()); });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_TRUE(contains(error.where(), variable)) << error.what();
  set_environment(variable, "");
}

TEST(GpuDriver, VersionsAsText) {
  EXPECT_EQ(gpu_version_text(GpuVendor::kAmd, 60443484), "HIP 6.4.43484");
  EXPECT_EQ(gpu_version_text(GpuVendor::kAmd, 100003661), "HIP 10.0.3661");
  EXPECT_EQ(gpu_version_text(GpuVendor::kNvidia, 12080), "CUDA 12.8");
}

}  // namespace
}  // namespace halyard::test
