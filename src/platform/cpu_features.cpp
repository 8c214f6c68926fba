#include "platform/cpu_features.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(_M_X64)
#include <immintrin.h>
#include <intrin.h>
#endif

namespace halyard {
namespace {

#if defined(__x86_64__)

CpuidRegisters cpuid(uint32_t leaf, uint32_t subleaf) {
  CpuidRegisters r;
  __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
  return r;
}

// By hand: the intrinsic needs -mxsave for the whole file.
uint64_t enabled_state() {
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

#elif defined(_M_X64)

CpuidRegisters cpuid(uint32_t leaf, uint32_t subleaf) {
  int r[4];
  __cpuidex(r, static_cast<int>(leaf), static_cast<int>(subleaf));
  return {static_cast<uint32_t>(r[0]), static_cast<uint32_t>(r[1]), static_cast<uint32_t>(r[2]),
          static_cast<uint32_t>(r[3])};
}

uint64_t enabled_state() {
  return _xgetbv(0);
}

#else

CpuidRegisters cpuid(uint32_t, uint32_t) {
  return {};
}
uint64_t enabled_state() {
  return 0;
}

#endif

bool bit(uint32_t word, unsigned index) {
  return (word >> index) & 1;
}

std::string brand_string(const Cpuid& ask) {
  constexpr uint32_t kFirst = 0x80000002, kLast = 0x80000004;
  if (ask(0x80000000, 0).eax < kLast) return {};
  std::string brand;
  for (uint32_t leaf = kFirst; leaf <= kLast; ++leaf) {
    const CpuidRegisters r = ask(leaf, 0);
    for (const uint32_t word : {r.eax, r.ebx, r.ecx, r.edx}) {
      char bytes[4];
      std::memcpy(bytes, &word, 4);
      brand.append(bytes, 4);
    }
  }
  brand.resize(std::min(brand.find('\0'), brand.size()));
  const size_t first = brand.find_first_not_of(' '), last = brand.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : brand.substr(first, last - first + 1);
}

}  // namespace

// Bits as in the processor vendors' manuals, instruction CPUID, and XCR0 in the chapter on XSAVE.
CpuFeatures decode_cpu_features(const Cpuid& ask, const EnabledState& enabled) {
  CpuFeatures f;
  f.brand = brand_string(ask);
  const uint32_t last_leaf = ask(0, 0).eax;
  if (last_leaf < 7) return f;

  const CpuidRegisters leaf1 = ask(1, 0);
  const bool has_xgetbv = bit(leaf1.ecx, 27);
  const uint64_t state = has_xgetbv ? enabled() : 0;
  constexpr uint64_t kYmm = 0x06;  // SSE and AVX registers
  constexpr uint64_t kZmm = 0xe6;  // and mask registers, upper halves, registers 16 to 31
  if ((state & kYmm) != kYmm) return f;

  const CpuidRegisters leaf7 = ask(7, 0);
  const CpuidRegisters leaf7_1 = leaf7.eax >= 1 ? ask(7, 1) : CpuidRegisters{};
  f.avx = bit(leaf1.ecx, 28);
  f.fma = bit(leaf1.ecx, 12);
  f.f16c = bit(leaf1.ecx, 29);
  f.avx2 = bit(leaf7.ebx, 5);
  f.avx_vnni = bit(leaf7_1.eax, 4);
  if ((state & kZmm) != kZmm || !bit(leaf7.ebx, 16)) return f;

  f.avx512f = true;
  f.avx512dq = bit(leaf7.ebx, 17);
  f.avx512bw = bit(leaf7.ebx, 30);
  f.avx512vl = bit(leaf7.ebx, 31);
  f.avx512_vnni = bit(leaf7.ecx, 11);
  f.avx512_bf16 = bit(leaf7_1.eax, 5);
  return f;
}

std::vector<std::string> CpuFeatures::names() const {
  std::vector<std::string> found;
  const auto add = [&found](bool there, const char* name) {
    if (there) found.push_back(name);
  };
  add(avx, "AVX");
  add(avx2, "AVX2");
  add(fma, "FMA");
  add(f16c, "F16C");
  add(avx_vnni, "AVX_VNNI");
  add(avx512f, "AVX512F");
  add(avx512dq, "AVX512DQ");
  add(avx512bw, "AVX512BW");
  add(avx512vl, "AVX512VL");
  add(avx512_vnni, "AVX512_VNNI");
  add(avx512_bf16, "AVX512_BF16");
  return found;
}

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = decode_cpu_features(cpuid, enabled_state);
  return features;
}

}  // namespace halyard
