// The exported functions, called as a program would: memory, modules, launches, errors, and the end of a
// device.
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "emulator/faults/arguments.h"
#include "platform/library.h"

namespace halyard {
namespace {

using gpu::FaultArguments;

std::string library_path() {
  // Wine shows the Linux root as drive Z.
  const std::string path = HALYARD_EMULATOR_LIBRARY;
  return path.ends_with(".dll") && path.starts_with("/") ? "Z:" + path : path;
}

template <class F>
F* function(const char* name) {
  static void* const library = [] {
    const std::string path = library_path();
    const char* const names[] = {path.c_str()};
    return open_library(names);
  }();
  void* symbol = library == nullptr ? nullptr : find_symbol(library, name);
  EXPECT_NE(symbol, nullptr) << name << " of " << library_path();
  return reinterpret_cast<F*>(symbol);
}

int allocate(void** out, size_t bytes) {
  return function<int(void**, size_t)>("hipMalloc")(out, bytes);
}
int release(void* data) {
  return function<int(void*)>("hipFree")(data);
}
int to_device(void* to, const void* from, size_t n) {
  return function<int(void*, const void*, size_t)>("hipMemcpyHtoD")(to, from, n);
}
int to_host(void* to, void* from, size_t n) {
  return function<int(void*, void*, size_t)>("hipMemcpyDtoH")(to, from, n);
}
int load_module(void** out, const void* image) {
  return function<int(void**, const void*)>("hipModuleLoadData")(out, image);
}

std::vector<char> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(HipTest, DescribesTheDevice) {
  int count = 0, value = 0;
  EXPECT_EQ(function<int(int*)>("hipGetDeviceCount")(&count), 0);
  EXPECT_EQ(count, 1);
  char name[64] = {};
  EXPECT_EQ(function<int(char*, int, int)>("hipDeviceGetName")(name, sizeof name, 0), 0);
  EXPECT_STREQ(name, "gfx1151 (emulated)");
  EXPECT_EQ(function<int(int*, int, int)>("hipDeviceGetAttribute")(&value, 87, 0), 0);
  EXPECT_EQ(value, 32);
  EXPECT_EQ(function<int(int*, int, int)>("hipDeviceGetAttribute")(&value, 87, 1), 101);
  std::vector<char> properties(4096);
  EXPECT_EQ(function<int(void*, int)>("hipGetDevicePropertiesR0600")(properties.data(), 0), 0);
  EXPECT_STREQ(properties.data() + 1160, "gfx1151");
}

TEST(HipTest, MemoryIsBounded) {
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(allocate(&a, 1000), 0);
  EXPECT_EQ(allocate(&b, size_t{5} << 30), 2) << "more than the device has";
  std::vector<char> bytes(1001, 'x');
  EXPECT_EQ(to_device(a, bytes.data(), 1000), 0);
  EXPECT_EQ(to_device(a, bytes.data(), 1001), 1);
  std::vector<char> back(1000);
  EXPECT_EQ(to_host(back.data(), a, 1000), 0);
  EXPECT_EQ(std::memcmp(back.data(), bytes.data(), 1000), 0);
  EXPECT_EQ(to_host(back.data(), bytes.data(), 1000), 1) << "no memory of the device";
  EXPECT_EQ(release(a), 0);
  EXPECT_EQ(release(a), 1) << "released twice";
  EXPECT_EQ(function<int()>("hipGetLastError")(), 1);
  EXPECT_EQ(function<int()>("hipGetLastError")(), 0);
}

TEST(HipTest, ModulesOfOtherChipsAreRefused) {
  void* module = nullptr;
  std::vector<char> image = read_file(std::string(HALYARD_FAULT_CODE_DIR) + "/wrong_lane.co");
  ASSERT_GT(image.size(), 64u);
  image[48] = 0x48;  // gfx1200
  EXPECT_EQ(load_module(&module, image.data()), 209);
  image[48] = 0x4a;
  image[18] = 62;  // x86-64
  EXPECT_EQ(load_module(&module, image.data()), 200);
  image[18] = static_cast<char>(224);
  EXPECT_EQ(load_module(&module, image.data()), 0);
  void* kernel = nullptr;
  EXPECT_EQ(function<int(void**, void*, const char*)>("hipModuleGetFunction")(&kernel, module, "nobody"),
            500);
  EXPECT_EQ(function<int(void*)>("hipModuleUnload")(module), 0);
}

// Last of the file: the device is lost afterwards.
TEST(HipTest, ZAFaultLosesTheDevice) {
  void *module = nullptr, *kernel = nullptr, *x = nullptr, *y = nullptr;
  const std::vector<char> image = read_file(std::string(HALYARD_FAULT_CODE_DIR) + "/unwritten_read.co");
  ASSERT_EQ(load_module(&module, image.data()), 0);
  std::vector<float> values(64);
  std::iota(values.begin(), values.end(), 0.0f);
  ASSERT_EQ(allocate(&x, 256), 0);
  ASSERT_EQ(allocate(&y, 256), 0);
  ASSERT_EQ(to_device(x, values.data(), 256), 0);
  FaultArguments arguments{static_cast<float*>(y), static_cast<float*>(x), 0, 64};
  void* pointers[] = {&arguments};
  using Launch =
      int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  auto* get_function = function<int(void**, void*, const char*)>("hipModuleGetFunction");
  auto* launch = function<Launch>("hipModuleLaunchKernel");
  ASSERT_EQ(get_function(&kernel, module, "unwritten_read_right"), 0);
  EXPECT_EQ(launch(kernel, 1, 1, 1, 2048, 1, 1, 0, nullptr, pointers, nullptr), 1) << "too many threads";
  ASSERT_EQ(launch(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, pointers, nullptr), 0);
  ASSERT_EQ(to_host(values.data(), y, 256), 0);
  EXPECT_EQ(values[5], 58.0f);
  ASSERT_EQ(get_function(&kernel, module, "unwritten_read_lds"), 0);
  EXPECT_EQ(launch(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, pointers, nullptr), 719);
  EXPECT_STREQ(function<const char*(int)>("hipGetErrorName")(719), "hipErrorLaunchFailure");
  EXPECT_STREQ(
      function<const char*(int)>("hipGetErrorString")(719),
      "unspecified launch failure: kernel unwritten_read_lds: unwritten memory is read: byte 0xfc of LDS");
  EXPECT_EQ(to_host(values.data(), y, 256), 719);
  EXPECT_EQ(function<int(void*)>("hipStreamSynchronize")(nullptr), 719);
  EXPECT_EQ(release(x), 719) << "done, and yet an error";
  EXPECT_EQ(function<int(void*)>("hipModuleUnload")(module), 719);
}

}  // namespace
}  // namespace halyard
