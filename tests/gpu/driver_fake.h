// The fake driver as the tests of the GPU's host side use it.
#pragma once
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gpu/gpu_device.h"
#include "backend/gpu/module.h"
#include "fake_driver/fake_driver.h"
#include "loading/device_cases.h"
#include "platform/library.h"
#include "platform/paths.h"

namespace halyard::test {

inline constexpr GpuVendor kVendors[] = {GpuVendor::kAmd, GpuVendor::kNvidia};

// The library of that kind (tests/fake_driver/CMakeLists.txt).
inline std::string fake_path(GpuVendor vendor, const std::string& kind = "whole") {
  const char* file = vendor == GpuVendor::kAmd ? HALYARD_FAKE_HIP : HALYARD_FAKE_CUDA;
  const auto path = std::filesystem::path(HALYARD_FAKE_DRIVERS) / kind / file;
  return utf8_from_path(std::filesystem::absolute(path).make_preferred());
}

// Opens the whole fake driver of one vendor anew for each test and checks at its end that nothing is left
// of what the test took, and that no call was made that a real driver would have refused.
class FakeGpu : public testing::TestWithParam<GpuVendor> {
 protected:
  FakeGpu() : library_(open(fake_path(GetParam()))) { reset(); }
  void SetUp() override { ASSERT_NE(library_, nullptr) << fake_path(GetParam()); }
  void TearDown() override {
    EXPECT_EQ(fake().bad_calls, 0u) << fake().last_bad_call;
    EXPECT_EQ(fake().contexts, 0u);
    EXPECT_EQ(fake().streams, 0u);
    EXPECT_EQ(fake().events, 0u);
    EXPECT_EQ(fake().modules, 0u);
    EXPECT_EQ(fake().blocks, 0u);
    EXPECT_EQ(fake().host_blocks, 0u);
  }

  static void* open(const std::string& path) {
    const char* text = path.c_str();
    return open_library(std::span(&text, 1));
  }
  void reset() {
    if (library_) reinterpret_cast<fake_driver::Reset>(find_symbol(library_, "fake_driver_reset"))();
  }
  fake_driver::State& fake() {
    return *reinterpret_cast<fake_driver::GetState>(find_symbol(library_, "fake_driver_state"))();
  }
  void hold(bool is_held, int n_inside) {
    reinterpret_cast<fake_driver::Hold>(find_symbol(library_, "fake_driver_hold"))(is_held ? 1 : 0, n_inside);
  }
  std::shared_ptr<const GpuDriver> driver() { return GpuDriver::open(GetParam(), fake_path(GetParam())); }
  bool is_amd() const { return GetParam() == GpuVendor::kAmd; }
  // A module that the fake driver takes.
  std::vector<std::byte> image() const {
    const std::string_view text = is_amd() ? "fake hip" : "fake cuda";
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
  }

 private:
  void* library_;
};

inline std::string vendor_name(const testing::TestParamInfo<GpuVendor>& info) {
  return std::string(gpu_backend_name(info.param));
}

}  // namespace halyard::test
