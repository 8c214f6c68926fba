// What the processor can do and how much of it this process may use.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halyard {

// An instruction set counts when the processor has it and the system saves its registers. All false on a
// processor that is not x86-64.
struct CpuFeatures {
  bool avx = false;
  bool avx2 = false;
  bool fma = false;
  bool f16c = false;
  bool avx_vnni = false;
  bool avx512f = false;
  bool avx512dq = false;
  bool avx512bw = false;
  bool avx512vl = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  std::string brand;  // "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S"; empty when not known

  std::vector<std::string> names() const;  // of those that are true: "AVX2", "AVX512_VNNI"
};

const CpuFeatures& cpu_features();  // asked once

unsigned usable_cores();  // logical cores that this process may run on (affinity counts), at least 1

// The parts of cpu_features(), for tests.
struct CpuidRegisters {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
using Cpuid = std::function<CpuidRegisters(uint32_t leaf, uint32_t subleaf)>;
using EnabledState = std::function<uint64_t()>;  // XCR0; asked only when CPUID says that it can be
CpuFeatures decode_cpu_features(const Cpuid& cpuid, const EnabledState& enabled_state);

}  // namespace halyard
