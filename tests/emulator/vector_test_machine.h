// For tests of vector instructions: one wave, an encoder, input values, and the comparison of an instruction
// with a plain function of its operands. The encoder is written from AMD's field lists; vector_decode_test
// holds the decoder to an assembler.
#pragma once
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/program.h"
#include "emulator/vector_op.h"
#include "emulator/workgroup.h"

namespace halyard::emulator::test {

constexpr uint32_t kSeed = 20261201;
constexpr uint32_t kKeepDenormals =
    kModeDenorm32In | kModeDenorm32Out | kModeDenorm16_64In | kModeDenorm16_64Out;
constexpr uint32_t kUsualMode = kKeepDenormals | kModeDx10Clamp | kModeIeee;

// ---- numbers, by arithmetic that has nothing in common with vector_half.h

struct F16 {
  uint16_t bits = 0;
};
long double half_value(uint16_t bits);     // exact; NaN for NaN
uint16_t half_nearest(long double value);  // to nearest even, NaN quiet
uint16_t half_toward_zero(long double value);
long double bfloat_value(uint16_t bits);
uint16_t bfloat_nearest(long double value);
bool is_nan_16(uint16_t bits);

template <class T>
struct Two {
  T lo, hi;
};
struct BF16 {
  uint16_t bits = 0;
};

// ---- encoding

struct Modifiers {
  uint32_t neg = 0, abs = 0, opsel = 0, omod = 0, clamp = 0;
  uint32_t neg_hi = 0, opsel_hi = 7;
};

using Words = std::vector<uint32_t>;
Words vop1(uint32_t opcode, uint32_t dst, uint32_t src0);
Words vop2(uint32_t opcode, uint32_t dst, uint32_t src0, uint32_t src1);  // dst and src1: numbers of VGPRs
Words vopc(uint32_t opcode, uint32_t src0, uint32_t src1);
Words vop3(uint32_t opcode, uint32_t dst, const uint32_t (&src)[3], const Modifiers& m = {});
Words vop3sd(uint32_t opcode, uint32_t dst, uint32_t sdst, const uint32_t (&src)[3], const Modifiers& m = {});
Words vop3p(uint32_t opcode, uint32_t dst, const uint32_t (&src)[3], const Modifiers& m = {});
constexpr uint32_t v(uint32_t number) {
  return kVgpr0 + number;
}

// The row of a name in the tables; fails the test when there is none. Notes that the name has been tested.
const VectorOp& row_named(const std::string& name);
void note_tested(const std::string& name);
std::vector<const VectorOp*> all_rows();

// ---- the wave

struct Machine {
  std::unique_ptr<Wave> wave = std::make_unique<Wave>();
  Machine();
  // Decodes and executes; a failure of the test when the decoder does not know it.
  void run(const Words& words);
  // The same with what a report needs around it; returns the report, "" when there is none.
  std::string fault_of(const Words& words);
  Instruction decoded(const Words& words);
  void set_exec(uint32_t mask) { wave->sgpr[kExecLo] = mask; }
  uint32_t* reg(uint32_t number) { return wave->vgpr[number]; }
};

// ---- inputs: every special value, then random ones of all sizes

class Values {
 public:
  explicit Values(uint32_t seed = kSeed) : random_(seed) {}
  uint32_t bits() { return static_cast<uint32_t>(random_()); }
  uint64_t bits_64() { return uint64_t{bits()} << 32 | bits(); }
  uint32_t float_bits();
  uint64_t double_bits();
  uint16_t half_bits();
  uint32_t integer();
  // The operand as the registers hold it (lower register first).
  template <class T>
  uint64_t of();

 private:
  std::mt19937 random_;
};

template <class T>
uint64_t Values::of() {
  if constexpr (std::is_same_v<T, float>)
    return float_bits();
  else if constexpr (std::is_same_v<T, double>)
    return double_bits();
  else if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    // What lies in the other half must not matter.
    return bits() << 16 | (std::is_same_v<T, F16> ? half_bits() : float_bits() >> 16);
  } else if constexpr (std::is_same_v<T, Two<F16>>)
    return uint32_t{half_bits()} << 16 | half_bits();
  else if constexpr (std::is_same_v<T, Two<BF16>>)
    return (float_bits() & 0xffff0000u) | float_bits() >> 16;
  else if constexpr (std::is_same_v<T, bool>)
    return bits() & 1u;
  else if constexpr (sizeof(T) == 8)
    return uint64_t{integer()} << 32 | integer();
  else
    return integer();
}

template <class T>
T from_register(uint64_t raw) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(raw));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(raw);
  else if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>)
    return T{static_cast<uint16_t>(raw)};
  else if constexpr (std::is_same_v<T, bool>)
    return (raw & 1) != 0;
  else
    return static_cast<T>(raw);
}
template <class T>
struct FromRegister {
  static T get(uint64_t raw) { return from_register<T>(raw); }
};
template <class T>
struct FromRegister<Two<T>> {
  static Two<T> get(uint64_t raw) { return {from_register<T>(raw), from_register<T>(raw >> 16)}; }
};

// Expected against found. NaN only has to be a quiet NaN. For 16-bit results `before` is the register before.
template <class T>
std::string difference(T expected, uint64_t found, uint64_t before);

template <class R>
struct WithMask {
  R value;
  bool carry;
};

// Where a test puts things: sources in v10, v20, v30 (and the register after), result in v40, masks in s20
// and s30.
constexpr uint32_t kSourceRegister[3] = {10, 20, 30};
constexpr uint32_t kResultRegister = 40;
constexpr uint32_t kMaskIn = 20;
constexpr uint32_t kMaskOut = 30;

// One execution over 32 lanes: what goes in and what came out.
struct Trial {
  uint64_t in[4][kLanes] = {};
  uint64_t before[kLanes] = {};
  uint64_t out[kLanes] = {};
  uint32_t exec = 0;
  uint32_t mask_out = 0;
};
// Runs the row in the short form (form 0) or as VOP3 (form 1); false when it has no such form. `types_64` bit
// n: source n has two registers, bit 3: the result has. `mask_source`: number of the source that is a mask,
// or -1.
bool run_trial(Machine& machine, const VectorOp& row, int form, const Modifiers& m, Trial& trial,
               uint32_t types_64, int mask_source);

template <class T>
constexpr bool kIs64 = sizeof(T) == 8 && !std::is_same_v<T, Two<F16>>;

template <class R>
struct ResultOf {
  using Value = R;
  static constexpr bool kCarry = false;
};
template <class R>
struct ResultOf<WithMask<R>> {
  using Value = R;
  static constexpr bool kCarry = true;
};

template <class R>
void compare_lane(const std::string& what, const R& expected, const Trial& t, uint32_t lane) {
  const bool on = (t.exec >> lane & 1u) != 0;
  std::string bad;
  if constexpr (std::is_same_v<R, bool>) {
    if ((t.mask_out >> lane & 1u) != (on && expected ? 1u : 0u)) bad = "mask bit is wrong";
  } else {
    if constexpr (ResultOf<R>::kCarry) {
      if ((t.mask_out >> lane & 1u) != (on && expected.carry ? 1u : 0u)) bad = "carry is wrong";
    }
    if (!on && t.out[lane] != t.before[lane]) bad = "a lane that is off has changed";
    if (on && bad.empty()) {
      if constexpr (ResultOf<R>::kCarry)
        bad = difference(expected.value, t.out[lane], t.before[lane]);
      else
        bad = difference(expected, t.out[lane], t.before[lane]);
    }
  }
  if (bad.empty()) return;
  char text[256];
  std::snprintf(text, sizeof text, " lane %u seed %u sources %llx %llx %llx %llx result %llx", lane, kSeed,
                static_cast<unsigned long long>(t.in[0][lane]),
                static_cast<unsigned long long>(t.in[1][lane]),
                static_cast<unsigned long long>(t.in[2][lane]),
                static_cast<unsigned long long>(t.in[3][lane]), static_cast<unsigned long long>(t.out[lane]));
  ADD_FAILURE() << what << ": " << bad << text;
}

template <class R, class... A, size_t... I>
void check_impl(const std::string& name, R (*reference)(A...), const Modifiers& m, uint32_t mode,
                std::index_sequence<I...>) {
  const VectorOp& row = row_named(name);
  Machine machine;
  machine.wave->mode = mode;
  Values values;
  constexpr uint32_t kTypes64 =
      ((kIs64<A> ? 1u << I : 0u) | ... | 0u) | (kIs64<typename ResultOf<R>::Value> ? 8u : 0u);
  constexpr int kMask = std::max({-1, (std::is_same_v<A, bool> ? static_cast<int>(I) : -1)...});
  const bool modified = m.neg != 0 || m.abs != 0 || m.opsel != 0 || m.omod != 0 || m.clamp != 0;
  for (int form = modified ? 1 : 0; form < 2; ++form) {
    for (int round = 0; round < 40; ++round) {
      Trial t;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        ((t.in[I][lane] = values.of<A>()), ...);
        t.before[lane] = values.bits_64();
      }
      t.exec = round == 0 ? ~0u : round == 1 ? 0u : values.bits();
      if (!run_trial(machine, row, form, m, t, kTypes64, kMask)) break;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        compare_lane(name + (form == 0 ? " (short)" : " (VOP3)"),
                     reference(FromRegister<A>::get(t.in[I][lane])...), t, lane);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// The instruction against a plain function, in both encodings, 40 times 32 lanes with changing exec.
template <class L>
void check(const std::string& name, L reference, const Modifiers& m = {}, uint32_t mode = kUsualMode) {
  const auto call = [&]<class R, class... A>(R (*f)(A...)) {
    check_impl(name, f, m, mode, std::index_sequence_for<A...>());
  };
  call(+reference);
}

template <class T>
std::string difference(T expected, uint64_t found, uint64_t before) {
  const auto hex = [](uint64_t x) {
    char text[32];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(x));
    return std::string(text);
  };
  uint64_t want = 0;
  uint64_t mask = ~uint64_t{0} >> 32;
  if constexpr (std::is_same_v<T, float>) {
    const float got = std::bit_cast<float>(static_cast<uint32_t>(found));
    if (std::isnan(expected)) return std::isnan(got) && (found & 0x400000u) != 0 ? "" : "not a quiet NaN";
    want = std::bit_cast<uint32_t>(expected);
  } else if constexpr (std::is_same_v<T, double>) {
    if (std::isnan(expected)) return std::isnan(std::bit_cast<double>(found)) ? "" : "not a NaN";
    want = std::bit_cast<uint64_t>(expected);
    mask = ~uint64_t{0};
  } else if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    const bool nan = std::is_same_v<T, F16> ? is_nan_16(expected.bits) : (expected.bits & 0x7fffu) > 0x7f80u;
    const uint16_t low = static_cast<uint16_t>(found);
    const bool found_nan = std::is_same_v<T, F16> ? is_nan_16(low) : (low & 0x7fffu) > 0x7f80u;
    if ((found ^ before) >> 16 & 0xffffu) return "the other half has changed";
    if (nan) return found_nan ? "" : "not a NaN";
    want = expected.bits;
    mask = 0xffff;
  } else if constexpr (sizeof(T) == 2) {
    if ((found ^ before) >> 16 & 0xffffu) return "the other half has changed";
    want = static_cast<uint16_t>(expected);
    mask = 0xffff;
  } else if constexpr (sizeof(T) == 8) {
    want = static_cast<uint64_t>(expected);
    mask = ~uint64_t{0};
  } else {
    want = static_cast<uint32_t>(expected);
  }
  return (found & mask) == (want & mask) ? "" : "expected " + hex(want & mask);
}
template <class T>
std::string difference(Two<T> expected, uint64_t found, uint64_t) {
  // Each half as a result of its own, the other one as if it had been there before.
  const std::string low = difference(expected.lo, found & 0xffffu, 0);
  const std::string high = difference(expected.hi, found >> 16 & 0xffffu, 0);
  return low.empty() ? high : low;
}

}  // namespace halyard::emulator::test
