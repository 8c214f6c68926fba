// The table of device code inside the program, and which of its rows a device gets.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "backend/gpu/device_code.h"

namespace halyard {
namespace {

std::string architecture_of(std::string_view device) {
  const DeviceCode* code = find_device_code(device);
  return code == nullptr ? "none" : std::string(code->architecture);
}

// What the build was asked for: the names, one after the other, each with a comma.
std::vector<std::string> expected() {
  std::vector<std::string> names;
  for (const char* at = HALYARD_TEST_ARCHS; *at != 0;) {
    const char* end = std::strchr(at, ',');
    names.emplace_back(at, end);
    at = end + 1;
  }
  return names;
}

bool is_expected(const std::string& name) {
  const auto names = expected();
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(DeviceCode, HasARowForEachArchitectureOfTheBuild) {
  std::vector<std::string> names;
  for (const DeviceCode& code : device_code()) names.emplace_back(code.architecture);
  EXPECT_EQ(names, expected());
}

TEST(DeviceCode, IsAnElfFileOrText) {
  for (const DeviceCode& code : device_code()) {
    ASSERT_GT(code.bytes.size(), 1000u) << code.architecture;
    const std::string_view text(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
    if (code.architecture.starts_with("gfx")) {
      EXPECT_EQ(text.substr(0, 4),
                "\x7f"
                "ELF")
          << code.architecture;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(text.data()) % 64, 0u) << code.architecture;
    } else {
      EXPECT_NE(text.find(".target " + std::string(code.architecture)), text.npos) << code.architecture;
      EXPECT_EQ(text.find('\0'), text.npos) << code.architecture;
      EXPECT_EQ(text.data()[text.size()], '\0') << code.architecture;
    }
  }
}

TEST(DeviceCode, OnAmdIsOfTheVerySameChip) {
  for (const DeviceCode& code : device_code()) {
    EXPECT_EQ(architecture_of(code.architecture), code.architecture);
  }
  EXPECT_EQ(architecture_of("gfx906"), "none");
  EXPECT_EQ(architecture_of("gfx115"), "none");
  EXPECT_EQ(architecture_of("gfx11511"), "none");
  EXPECT_EQ(architecture_of(""), "none");
}

TEST(DeviceCode, OnNvidiaIsTheNewestThatIsNotNewer) {
  if (!is_expected("sm_80") || !is_expected("sm_90")) GTEST_SKIP() << "built without code for sm_80 or sm_90";
  EXPECT_EQ(architecture_of("sm_75"), "none");
  EXPECT_EQ(architecture_of("sm_80"), "sm_80");
  EXPECT_EQ(architecture_of("sm_89"), "sm_80");
  EXPECT_EQ(architecture_of("sm_90"), "sm_90");
  EXPECT_EQ(architecture_of("sm_120"), "sm_90");
  EXPECT_EQ(architecture_of("sm_"), "none");
  EXPECT_EQ(architecture_of("sm_90x"), "none");
}

}  // namespace
}  // namespace halyard
