// Cures are followed here: the plan that a person gets after doing what the refusal says must fit.
#include "planner/cures.h"

#include <gtest/gtest.h>

#include "device/simulated_profiles.h"
#include "planning/requests.h"

namespace halyard::test {
namespace {

// The number behind `words` in a text; 0 where they do not stand there.
double number_after(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  return at == std::string::npos ? 0 : std::stod(text.substr(at + words.size()));
}

// A machine of 128 GiB; the system lends `shared`, or half of its memory.
DeviceFacts machine(System system, uint64_t carve_out_bytes, uint64_t shared_bytes = 0) {
  DeviceFacts facts = facts_with({}, true, system);
  facts.host_total_bytes = 128 * kGib - carve_out_bytes;
  facts.host_available_bytes = facts.host_total_bytes - 2 * kGib;
  facts.pools = {told(Pool::kDedicated, carve_out_bytes),
                 told(Pool::kShared, shared_bytes != 0 ? shared_bytes : facts.host_total_bytes / 2)};
  return facts;
}

TEST(Cures, RaisingThePagesLimitAsSaidMakesItFit) {
  for (const uint64_t carve_out : {512 * kMib, 2 * kGib, 16 * kGib, 32 * kGib}) {
    DeviceFacts facts = machine(System::kLinux, carve_out);
    const Plan plan = make_plan(request_for(flash(), facts, 65536, 2048));
    ASSERT_FALSE(plan.fits) << describe(plan);
    const auto pages = static_cast<uint64_t>(number_after(plan.fix, "ttm.pages_limit="));
    ASSERT_NE(pages, 0u) << plan.fix;
    EXPECT_EQ(pages % 262144, 0u);
    facts.pools[1] = told(Pool::kShared, pages * 4096);
    const Plan cured = make_plan(request_for(flash(), facts, 65536, 2048));
    EXPECT_TRUE(cured.fits) << describe(cured);
    EXPECT_EQ(cured.slice_tokens, 2048u);
  }
}

TEST(Cures, AnotherCarveOutAsSaidMakesItFit) {
  for (const System system : {System::kLinux, System::kWindows}) {
    for (const uint64_t carve_out : {512 * kMib, 4 * kGib, 16 * kGib, 32 * kGib}) {
      const Plan plan = make_plan(request_for(flash(), machine(system, carve_out), 65536, 2048));
      ASSERT_FALSE(plan.fits) << describe(plan);
      const double gib = number_after(plan.fix, "(UMA frame buffer) to ");
      ASSERT_GT(gib, 0) << plan.fix;
      const DeviceFacts after = machine(system, static_cast<uint64_t>(gib * 1024) * kMib);
      const Plan cured = make_plan(request_for(flash(), after, 65536, 2048));
      EXPECT_TRUE(cured.fits) << describe(cured);
      EXPECT_EQ(cured.slice_tokens, 2048u);
    }
  }
}

TEST(Cures, NothingIsAdvisedThatWouldNotHelp) {
  // 153 GiB of weights: no setting of a machine of 128 holds them.
  for (const System system : {System::kLinux, System::kWindows}) {
    const Plan plan = make_plan(request_for(flash("flash-q4"), machine(system, 96 * kGib), 16384));
    ASSERT_FALSE(plan.fits);
    EXPECT_FALSE(contains(plan.fix, "ttm.pages_limit")) << plan.fix;
    EXPECT_FALSE(contains(plan.fix, "BIOS")) << plan.fix;
    EXPECT_FALSE(contains(plan.fix, "--ctx")) << plan.fix;
    EXPECT_TRUE(contains(plan.fix, "use the q2 file, whose weights take 80.76 GiB")) << plan.fix;
    EXPECT_TRUE(contains(plan.fix, "--backend cpu")) << plan.fix;
  }
}

TEST(Cures, OnADiscreteCardTheSettingsOfUnifiedMemoryAreNotNamed) {
  const Plan plan = make_plan(request_for(flash(), simulated_facts("rtx-5090"), 16384));
  ASSERT_FALSE(plan.fits);
  EXPECT_FALSE(contains(plan.fix, "ttm")) << plan.fix;
  EXPECT_FALSE(contains(plan.fix, "BIOS")) << plan.fix;
  EXPECT_TRUE(contains(plan.fix, "--backend cpu")) << plan.fix;
}

TEST(Cures, ASmallerFileIsAdvisedOnlyWhereItFits) {
  for (const char* machine : {"rtx-5090", "h200"}) {
    const Plan plan = make_plan(request_for(flash("flash-q4"), simulated_facts(machine), 16384));
    ASSERT_FALSE(plan.fits);
    EXPECT_EQ(contains(plan.fix, "q2"), std::string(machine) == "h200") << plan.fix;
  }
}

TEST(Cures, TheProcessorIsToldToMapTheFile) {
  const Plan copied = make_plan(request_for(flash(), simulated_facts("cpu-32"), 16384));
  ASSERT_FALSE(copied.fits);
  EXPECT_TRUE(contains(copied.fix, "leave out --load copy")) << copied.fix;
  EXPECT_FALSE(contains(copied.fix, "--backend cpu")) << copied.fix;
}

TEST(Cures, OtherProgramsAreNamedWhereTheyHoldTheMemory) {
  DeviceFacts facts = machine(System::kLinux, 2 * kGib, 124 * kGib);
  facts.host_available_bytes = 40 * kGib;
  const Plan plan = make_plan(request_for(flash(), facts, 16384));
  ASSERT_FALSE(plan.fits);
  EXPECT_TRUE(contains(plan.fix, "close other programs: 40.00 GiB of 126.00 GiB of memory are free"))
      << plan.fix;
}

TEST(Cures, WindowsHasNoKernelParameter) {
  const Plan plan = make_plan(request_for(flash(), machine(System::kWindows, 2 * kGib), 16384));
  ASSERT_FALSE(plan.fits);
  EXPECT_FALSE(contains(plan.fix, "ttm")) << plan.fix;
}

TEST(Cures, TheVariableIsNamedOnlyWhereItCanMatter) {
  DeviceFacts facts = facts_with({}, true, System::kWindows);
  EXPECT_TRUE(contains(late_failure_fix(facts), "OCL_SET_SVM_SIZE"));
  facts.system = System::kLinux;
  EXPECT_FALSE(contains(late_failure_fix(facts), "OCL_SET_SVM_SIZE"));
  EXPECT_TRUE(contains(late_failure_fix(facts), "ttm.pages_limit"));
  facts.driver = "CUDA 12.8";
  EXPECT_FALSE(contains(late_failure_fix(facts), "ttm"));
  EXPECT_TRUE(contains(late_failure_fix(facts), "CUDA 12.8"));
}

TEST(Cures, SizesAreWrittenInTheUnitThatFits) {
  EXPECT_EQ(size_text(86720111488), "80.76 GiB");
  EXPECT_EQ(size_text(12 * kMib + kMib / 2), "12.50 MiB");
  EXPECT_EQ(size_text(1536), "1.50 KiB");
  EXPECT_EQ(size_text(300), "300 bytes");
  EXPECT_EQ(exact_text(2 * kGib), "2.00 GiB (2147483648 bytes)");
}

}  // namespace
}  // namespace halyard::test
