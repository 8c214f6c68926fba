// Memory facts and processor features.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "platform/cpu_features.h"
#include "platform/guarded_memory.h"
#include "platform/linux_memory.h"
#include "platform/memory.h"

namespace halyard {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

constexpr const char* kMeminfo =
    "MemTotal:       67108864 kB\n"  // 64 GiB
    "MemFree:         1048576 kB\n"
    "MemAvailable:   50331648 kB\n"   // 48 GiB
    "CommitLimit:    33554432 kB\n"   // 32 GiB
    "Committed_AS:   31457280 kB\n";  // 30 GiB

MemoryFacts facts_of(std::map<std::string, std::string> files) {
  files.emplace("/proc/meminfo", kMeminfo);
  return linux_memory_facts([files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(LinuxMemory, ParsesFields) {
  EXPECT_EQ(parse_field(kMeminfo, "MemTotal:"), 64 * kGiB);
  EXPECT_EQ(parse_field("file 1\ninactive_file 4096\n", "inactive_file"), 4096u);
  EXPECT_EQ(parse_field("file 1\ninactive_file 4096", "file"), 1u);
  EXPECT_EQ(parse_field("inactive_file 4096\n", "file"), std::nullopt);
  EXPECT_EQ(parse_field("MemTotalMore: 1 kB\nMemTotal:\n", "MemTotal:"), std::nullopt);
  EXPECT_EQ(parse_field("MemTotal: many kB\n", "MemTotal:"), std::nullopt);
  EXPECT_EQ(parse_field("MemTotal: 99999999999999999999999 kB\n", "MemTotal:"), std::nullopt);
  EXPECT_EQ(parse_field("MemTotal: 18446744073709551615 kB\n", "MemTotal:"), std::nullopt);
  EXPECT_EQ(parse_field("", "MemTotal:"), std::nullopt);
}

TEST(LinuxMemory, OfAGpuAsItsFilesSay) {
  const std::string folder = "/sys/bus/pci/devices/0000:c5:00.0/mem_info_";
  const auto facts_with = [&](std::map<std::string, std::string> files) {
    return linux_gpu_memory_facts(
        [=](const std::string& path) -> std::optional<std::string> {
          const auto found = files.find(path);
          return found == files.end() ? std::nullopt : std::optional(found->second);
        },
        "0000:c5:00.0");
  };
  GpuMemoryFacts facts = facts_with({{folder + "vram_total", "536870912\n"},
                                     {folder + "vram_used", "100\n"},
                                     {folder + "gtt_total", "120259084288\n"},
                                     {folder + "gtt_used", "120259084289\n"}});
  EXPECT_EQ(facts.dedicated_total_bytes, 536870912u);
  EXPECT_EQ(facts.dedicated_free_bytes, 536870812u);
  EXPECT_EQ(facts.gtt_total_bytes, 120259084288u);
  EXPECT_EQ(facts.gtt_free_bytes, 0u);  // more is used than there is: none is free
  facts =
      facts_with({{folder + "vram_total", "many"}, {folder + "vram_used", "1"}, {folder + "gtt_total", "5"}});
  EXPECT_EQ(facts.dedicated_total_bytes, std::nullopt);
  EXPECT_EQ(facts.dedicated_free_bytes, std::nullopt);
  EXPECT_EQ(facts.gtt_total_bytes, 5u);
  EXPECT_EQ(facts.gtt_free_bytes, std::nullopt);
  EXPECT_EQ(gpu_memory_facts("9999:99:99.9").gtt_total_bytes, std::nullopt);
}

TEST(GuardedMemory, CopiesAndAnswersWhereAnAccessWouldEndTheProcess) {
  std::vector<std::byte> from(100001), to(100001);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7);
  EXPECT_TRUE(read_guarded(to, from.data()));
  EXPECT_EQ(to, from);
  std::fill(to.begin(), to.end(), std::byte{0});
  EXPECT_TRUE(write_guarded(to.data(), from));
  EXPECT_EQ(to, from);
  EXPECT_TRUE(read_guarded({}, nullptr));
  // Neither the first page nor the upper half of the addresses is a program's.
  for (const uint64_t address : {uint64_t{16}, uint64_t{1} << 62}) {
    void* nowhere = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
    EXPECT_FALSE(read_guarded(to, nowhere));
    EXPECT_FALSE(write_guarded(nowhere, from));
  }
}

TEST(LinuxMemory, WithoutLimits) {
  const MemoryFacts facts = facts_of({});
  EXPECT_EQ(facts.total_bytes, 64 * kGiB);
  EXPECT_EQ(facts.available_bytes, 48 * kGiB);
  EXPECT_EQ(facts.commit_limit_bytes, 0u);
  EXPECT_EQ(facts_of({{"/proc/meminfo", "nonsense"}}).total_bytes, 0u);
}

TEST(LinuxMemory, StrictOvercommitLimits) {
  const MemoryFacts facts = facts_of({{"/proc/sys/vm/overcommit_memory", "2\n"}});
  EXPECT_EQ(facts.commit_limit_bytes, 32 * kGiB);
  EXPECT_EQ(facts.available_bytes, 2 * kGiB);
}

TEST(LinuxMemory, Version2LimitOfAnyGroupAround) {
  const MemoryFacts facts = facts_of({
      {"/proc/self/cgroup", "0::/user.slice/session-1.scope\n"},
      {"/sys/fs/cgroup/user.slice/session-1.scope/memory.max", "max\n"},
      {"/sys/fs/cgroup/user.slice/memory.max", std::to_string(16 * kGiB) + "\n"},
      {"/sys/fs/cgroup/user.slice/memory.current", std::to_string(10 * kGiB) + "\n"},
      {"/sys/fs/cgroup/user.slice/memory.stat",
       "anon 5\ninactive_file " + std::to_string(3 * kGiB) + "\nactive_file " + std::to_string(kGiB) + "\n"},
  });
  EXPECT_EQ(facts.total_bytes, 16 * kGiB);
  EXPECT_EQ(facts.available_bytes, 10 * kGiB);  // 16 - (10 - 3 - 1)
}

TEST(LinuxMemory, Version1LimitOfAContainer) {
  // The path is that of the host; in the container the files lie at the root.
  const MemoryFacts facts = facts_of({
      {"/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:hugetlb,memory:/docker/ab12\n0::/\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(8 * kGiB)},
      {"/sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(9 * kGiB)},
  });
  EXPECT_EQ(facts.total_bytes, 8 * kGiB);
  EXPECT_EQ(facts.available_bytes, 0u);
  // Version 1 writes "no limit" as a huge number.
  const MemoryFacts unlimited = facts_of({
      {"/proc/self/cgroup", "4:memory:/\n"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
      {"/sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(9 * kGiB)},
  });
  EXPECT_EQ(unlimited.total_bytes, 64 * kGiB);
  EXPECT_EQ(unlimited.available_bytes, 48 * kGiB);
}

TEST(LinuxMemory, BrokenGroupTextIsNoLimit) {
  for (const char* text : {"", ":", "::", "4:memory", "0::relative", "0::/a//b/", "\n\n"}) {
    EXPECT_EQ(facts_of({{"/proc/self/cgroup", text}}).total_bytes, 64 * kGiB) << text;
  }
}

TEST(Memory, ThisMachine) {
  const MemoryFacts facts = memory_facts();
  EXPECT_GT(facts.total_bytes, 64u << 20);
  EXPECT_GT(facts.available_bytes, 0u);
  EXPECT_LE(facts.available_bytes, facts.total_bytes);
}

TEST(Memory, PeakGrowsWithUse) {
  constexpr size_t kBlock = size_t{256} << 20;
  const std::vector<char> block(kBlock, 'x');
  EXPECT_EQ(block[kBlock / 2], 'x');
  EXPECT_GE(peak_resident_bytes(), kBlock);
}

// A processor with every feature bit set.
CpuidRegisters all_bits(uint32_t leaf, uint32_t) {
  if (leaf == 0) return {7, 0, 0, 0};
  if (leaf == 7) return {1, ~0u, ~0u, ~0u};
  return {~0u, ~0u, ~0u, ~0u};
}

TEST(CpuFeatures, CountOnlyWhenTheSystemSavesTheRegisters) {
  const CpuFeatures all = decode_cpu_features(
      [](uint32_t leaf, uint32_t sub) -> CpuidRegisters {
        if (leaf == 7 && sub == 1) return {~0u, 0, 0, 0};
        return all_bits(leaf, sub);
      },
      [] { return uint64_t{0xe7}; });
  EXPECT_TRUE(all.avx && all.avx2 && all.fma && all.f16c && all.avx_vnni);
  EXPECT_TRUE(all.avx512f && all.avx512dq && all.avx512bw && all.avx512vl && all.avx512_vnni &&
              all.avx512_bf16);

  const CpuFeatures no_zmm = decode_cpu_features(all_bits, [] { return uint64_t{0x07}; });
  EXPECT_TRUE(no_zmm.avx && no_zmm.avx2 && no_zmm.fma && no_zmm.f16c);
  EXPECT_FALSE(no_zmm.avx512f || no_zmm.avx512bw || no_zmm.avx512_vnni || no_zmm.avx512_bf16);

  const CpuFeatures no_ymm = decode_cpu_features(all_bits, [] { return uint64_t{0x03}; });
  EXPECT_FALSE(no_ymm.avx || no_ymm.avx2 || no_ymm.fma || no_ymm.f16c || no_ymm.avx_vnni || no_ymm.avx512f);

  const auto without_osxsave = [](uint32_t leaf, uint32_t sub) {
    CpuidRegisters r = all_bits(leaf, sub);
    if (leaf == 1) r.ecx &= ~(1u << 27);
    return r;
  };
  bool asked = false;
  const CpuFeatures none = decode_cpu_features(without_osxsave, [&] {
    asked = true;
    return uint64_t{0xe7};
  });
  EXPECT_FALSE(none.avx || none.avx2 || none.avx512f);
  EXPECT_FALSE(asked);  // the instruction would be illegal
}

TEST(CpuFeatures, OldOrUnknownProcessorHasNone) {
  const CpuFeatures none =
      decode_cpu_features([](uint32_t, uint32_t) { return CpuidRegisters{}; }, [] { return uint64_t{0}; });
  EXPECT_FALSE(none.avx || none.avx2 || none.avx512f);
  EXPECT_EQ(none.brand, "");
}

#if defined(__GNUC__) && defined(__x86_64__)
TEST(CpuFeatures, AgreeWithTheCompiler) {
  __builtin_cpu_init();
  const CpuFeatures& f = cpu_features();
  EXPECT_EQ(f.avx, __builtin_cpu_supports("avx") != 0);
  EXPECT_EQ(f.avx2, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(f.fma, __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(f.f16c, __builtin_cpu_supports("f16c") != 0);
  EXPECT_EQ(f.avx_vnni, __builtin_cpu_supports("avxvnni") != 0);
  EXPECT_EQ(f.avx512f, __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(f.avx512dq, __builtin_cpu_supports("avx512dq") != 0);
  EXPECT_EQ(f.avx512bw, __builtin_cpu_supports("avx512bw") != 0);
  EXPECT_EQ(f.avx512vl, __builtin_cpu_supports("avx512vl") != 0);
  EXPECT_EQ(f.avx512_vnni, __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_EQ(f.avx512_bf16, __builtin_cpu_supports("avx512bf16") != 0);
  EXPECT_NE(f.brand, "");
}
#endif

TEST(CpuFeatures, SomeCoreIsUsable) {
  EXPECT_GE(usable_cores(), 1u);
}

}  // namespace
}  // namespace halyard
