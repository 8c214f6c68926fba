#include <algorithm>
#include <cstdio>
#include <map>

#include "backend/gpu/device_code.h"
#include "backend/gpu/driver.h"
#include "halyard/error.h"
#include "kernels_test.h"
#include "platform/environment.h"

namespace halyard {
namespace {

std::map<std::string, double>& largest_errors() {
  static std::map<std::string, double> errors;
  return errors;
}

// Prints them when all tests are done.
class ErrorReport : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [kernel, error] : largest_errors()) {
      std::printf("largest error of %-14s %.3g\n", kernel.c_str(), error);
    }
  }
};
[[maybe_unused]] const auto* const kReport = testing::AddGlobalTestEnvironment(new ErrorReport);

KernelDevice open_device(std::string& why) {
  for (const GpuVendor vendor : {GpuVendor::kAmd, GpuVendor::kNvidia}) {
    try {
      auto driver = GpuDriver::open(vendor);
      if (driver->device_count() == 0) continue;
      auto device = std::make_unique<GpuDevice>(driver, 0, GpuDeviceOptions{.try_managed = false});
      const std::string& architecture = device->info().architecture;
      const DeviceCode* code = find_device_code(architecture);
      if (code == nullptr) {
        why += "no device code for " + architecture + "; ";
        continue;
      }
      std::printf("%s, %s, code for %s, %s\n", device->info().name.c_str(), architecture.c_str(),
                  std::string(code->architecture).c_str(), driver->version().c_str());
      auto module = std::make_unique<GpuModule>(*device, code->bytes, std::string(code->architecture));
      return {std::move(device), std::move(module)};
    } catch (const Error& error) {
      why += std::string(error.what()) + "; ";
    }
  }
  if (why.empty()) why = "no GPU";
  return {};
}

}  // namespace

KernelDevice* kernel_device(std::string* why) {
  static std::string reason;
  static KernelDevice opened = open_device(reason);
  if (why != nullptr) *why = reason;
  return opened.device ? &opened : nullptr;
}

void KernelTest::SetUp() {
  std::string why;
  if (kernel_device(&why) != nullptr) return;
  if (environment_switch("HALYARD_KERNELS_MUST_RUN", false)) FAIL() << why;
  GTEST_SKIP() << why;
}

void note_error(std::string_view kernel, double error) {
  double& largest = largest_errors()[std::string(kernel)];
  largest = std::max(largest, error);
}

std::vector<float> random_floats(uint32_t seed, uint64_t n, float scale) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float& v : values) v = (static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f) * scale;
  return values;
}

std::vector<uint8_t> random_bytes(uint32_t seed, uint64_t n) {
  std::mt19937 random(seed);
  std::vector<uint8_t> values(n);
  for (uint8_t& v : values) v = static_cast<uint8_t>(random() >> 24);
  return values;
}

void expect_close(std::string_view kernel, std::span<const float> got, std::span<const double> want,
                  std::span<const double> scale, double limit) {
  ASSERT_EQ(got.size(), want.size());
  ASSERT_EQ(scale.size(), want.size());
  double largest = 0;
  bool all_zero = true;
  for (size_t i = 0; i < got.size(); ++i) {
    all_zero = all_zero && want[i] == 0;
    const double error = std::abs(double{got[i]} - want[i]) / std::max(scale[i], 1e-300);
    ASSERT_LE(error, limit) << kernel << ": element " << i << " of " << got.size() << " is " << got[i]
                            << ", not " << want[i];
    largest = std::max(largest, error);
  }
  EXPECT_FALSE(all_zero) << kernel << ": a reference of zeros proves nothing";
  note_error(kernel, largest);
}

}  // namespace halyard
