// The planted faults of tests/emulator/faults: each is caught, and the kernel beside it without the fault is
// not.
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>

#include "emulator/fault.h"
#include "emulator/faults/arguments.h"
#include "emulator/launch.h"

namespace halyard::emulator {
namespace {

using gpu::FaultArguments;

class FaultsTest : public testing::Test {
 protected:
  static constexpr uint32_t kThreads = FaultArguments::kThreads;
  Memory memory{uint64_t{1} << 28};
  std::vector<float> y;

  // Runs a kernel on x (all written) and y (`n_y` values, not written). Returns the report, or "no fault".
  std::string run(const std::string& file, const std::string& kernel, const std::vector<float>& x,
                  uint32_t n_rows, uint32_t n, uint32_t n_y) {
    std::ifstream in(std::string(HALYARD_FAULT_CODE_DIR) + "/" + file + ".co", std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    const Program program = load_program(read_code_object(bytes), memory);
    const KernelInfo* info = program.find(kernel);
    if (info == nullptr) return "no kernel " + kernel;
    Allocation* x_memory = memory.allocate(x.size() * 4, MemoryKind::kDevice);
    Allocation* y_memory = memory.allocate(n_y * 4, MemoryKind::kDevice);
    std::memcpy(x_memory->data(), x.data(), x.size() * 4);
    std::memset(x_memory->written, 1, x.size() * 4);
    const FaultArguments arguments{reinterpret_cast<float*>(y_memory->address),
                                   reinterpret_cast<float*>(x_memory->address), n_rows, n};
    uint8_t packed[sizeof arguments];
    std::memcpy(packed, &arguments, sizeof arguments);
    try {
      launch(program, *info, memory, {{1, 1, 1}, {kThreads, 1, 1}, 0}, packed, Checks());
    } catch (const Fault& fault) {
      return fault.what();
    }
    y.resize(n_y);
    std::memcpy(y.data(), y_memory->data(), n_y * 4);
    return "no fault";
  }
  std::string run(const std::string& file, const std::string& kernel) {
    std::vector<float> x(kThreads);
    std::iota(x.begin(), x.end(), 1.0f);
    return run(file, kernel, x, 0, kThreads, kThreads);
  }
  void expect_report(const std::string& report, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      EXPECT_NE(report.find(part), std::string::npos) << part << "\nin: " << report;
  }
};

TEST_F(FaultsTest, AWrongLaneMakesAWrongSum) {
  EXPECT_EQ(run("wrong_lane", "wrong_lane_right"), "no fault");
  for (uint32_t t = 0; t < kThreads; ++t) ASSERT_EQ(y[t], t < 32 ? 528.0f : 1552.0f) << t;
  for (const char* kernel : {"wrong_lane_wrong", "wrong_lane_off"}) {
    EXPECT_EQ(run("wrong_lane", kernel), "no fault");
    EXPECT_NE(y[0], 528.0f) << kernel << ": the values tell";
  }
}

TEST_F(FaultsTest, AMissingBarrierIsARace) {
  EXPECT_EQ(run("missing_barrier", "missing_barrier_right"), "no fault");
  for (uint32_t t = 0; t < kThreads; ++t) ASSERT_EQ(y[t], static_cast<float>(kThreads - t));
  // Whoever comes first: the reader finds nothing, or the writer finds a reader.
  const std::string wrong = run("missing_barrier", "missing_barrier_wrong");
  EXPECT_TRUE(wrong.find("race: ") != std::string::npos ||
              wrong.find("unwritten memory") != std::string::npos)
      << wrong;
  expect_report(run("missing_barrier", "missing_barrier_reuse"),
                {"kernel missing_barrier_reuse: race: ", "of LDS", "wave"});
}

TEST_F(FaultsTest, AnUnwrittenReadIsReported) {
  EXPECT_EQ(run("unwritten_read", "unwritten_read_right"), "no fault");
  expect_report(run("unwritten_read", "unwritten_read_lds"),
                {"kernel unwritten_read_lds: unwritten memory is read: byte 0xfc of LDS", "wave 0, lane 0"});
  expect_report(run("unwritten_read", "unwritten_read_global"),
                {"kernel unwritten_read_global: unwritten memory is read", "byte 0 of allocation", "lane 0"});
}

TEST_F(FaultsTest, ARowTooFarIsOutOfRange) {
  constexpr uint32_t kRows = 70, kColumns = 8;
  const std::vector<float> x(kRows * kColumns, 1.0f);
  EXPECT_EQ(run("off_by_one_row", "off_by_one_row_right", x, kRows, kColumns, kRows), "no fault");
  for (const float sum : y) ASSERT_EQ(sum, 8.0f);
  expect_report(
      run("off_by_one_row", "off_by_one_row_read", x, kRows, kColumns, kRows),
      {"kernel off_by_one_row_read: reads", "out of range", "behind the end of allocation", "lane 6"});
  expect_report(
      run("off_by_one_row", "off_by_one_row_write", x, kRows, kColumns, kRows),
      {"kernel off_by_one_row_write: writes", "out of range", "behind the end of allocation", "lane 6"});
}

TEST_F(FaultsTest, AMissingWaitIsReported) {
  EXPECT_EQ(run("missing_wait", "missing_wait_right"), "no fault");
  for (uint32_t t = 0; t < kThreads; ++t) ASSERT_EQ(y[t], static_cast<float>(t + 2));
  expect_report(run("missing_wait", "missing_wait_scalar"), {"kernel missing_wait_scalar: missing wait: s6"});
  expect_report(run("missing_wait", "missing_wait_load"), {"kernel missing_wait_load: missing wait: v2"});
  expect_report(run("missing_wait", "missing_wait_second"), {"kernel missing_wait_second: missing wait: v2"});
  expect_report(run("missing_wait", "missing_wait_lds"), {"kernel missing_wait_lds: missing wait: v3"});
}

}  // namespace
}  // namespace halyard::emulator
