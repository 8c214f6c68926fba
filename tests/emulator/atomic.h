// Read-modify-write of one lane after the other. Workgroups on other host threads may change the same place.
#pragma once
#include <atomic>
#include <bit>

#include "emulator/access.h"
#include "emulator/vector_float_math.h"

namespace halyard::emulator {

constexpr uint16_t kReturns = 1;  // of Instruction::flags: the old value goes to i.dst

template <class T>
T gather(const Wave& wave, uint16_t operand, uint32_t lane) {
  const uint32_t* low = wave.vgpr[operand - kVgpr0];
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(low[lane] | uint64_t{low[lane + kLanes]} << 32);
  } else {
    return static_cast<T>(low[lane]);
  }
}
template <class T>
void scatter(Wave& wave, uint16_t operand, uint32_t lane, T value) {
  uint32_t* low = wave.vgpr[operand - kVgpr0];
  low[lane] = static_cast<uint32_t>(value);
  if constexpr (sizeof(T) == 8)
    low[lane + kLanes] = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
}

// new = F(old, a, b), where b is the second data operand: i.src[3], or the registers behind a when it is
// kNull.
template <class T, class F>
void atomic(Wave& wave, const Instruction& i, const Targets& to) {
  check_written(wave, i, to, sizeof(T));
  const uint32_t exec = wave.exec();
  const uint16_t second = i.src[3] != kNull ? i.src[3] : static_cast<uint16_t>(i.src[1] + sizeof(T) / 4);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    T old = 0;
    if (to.data[lane] != nullptr) {
      const T a = gather<T>(wave, i.src[1], lane);
      const T b = second < kVgpr0 + 256 - 1 ? gather<T>(wave, second, lane) : T{0};
      std::atomic_ref<T> place(*reinterpret_cast<T*>(to.data[lane]));
      old = place.load();
      while (!place.compare_exchange_weak(old, F{}(old, a, b))) {
      }
    }
    if ((i.flags & kReturns) != 0) scatter<T>(wave, i.dst, lane, old);
  }
}

using U32 = uint32_t;
using U64 = uint64_t;

template <class T>
using SignedOf = std::make_signed_t<T>;

inline constexpr auto kSwap = [](auto, auto a, auto) { return a; };
inline constexpr auto kAdd = [](auto old, auto a, auto) { return old + a; };
inline constexpr auto kSubtract = [](auto old, auto a, auto) { return old - a; };
inline constexpr auto kReverseSubtract = [](auto old, auto a, auto) { return a - old; };
inline constexpr auto kSubtractClamped = [](auto old, auto a, auto) {
  return old > a ? old - a : decltype(old){0};
};
inline constexpr auto kMinSigned = [](auto old, auto a, auto) {
  using S = SignedOf<decltype(old)>;
  return static_cast<S>(a) < static_cast<S>(old) ? a : old;
};
inline constexpr auto kMaxSigned = [](auto old, auto a, auto) {
  using S = SignedOf<decltype(old)>;
  return static_cast<S>(a) > static_cast<S>(old) ? a : old;
};
inline constexpr auto kMinUnsigned = [](auto old, auto a, auto) { return a < old ? a : old; };
inline constexpr auto kMaxUnsigned = [](auto old, auto a, auto) { return a > old ? a : old; };
inline constexpr auto kAndBits = [](auto old, auto a, auto) { return old & a; };
inline constexpr auto kOrBits = [](auto old, auto a, auto) { return old | a; };
inline constexpr auto kXorBits = [](auto old, auto a, auto) { return old ^ a; };
inline constexpr auto kMaskOr = [](auto old, auto a, auto b) { return (old & ~a) | b; };
inline constexpr auto kIncrement = [](auto old, auto a, auto) {
  return old >= a ? decltype(old){0} : old + 1;
};
inline constexpr auto kDecrement = [](auto old, auto a, auto) { return old == 0 || old > a ? a : old - 1; };
inline constexpr auto kCompareSwap = [](auto old, auto a, auto b) { return old == b ? a : old; };
inline constexpr auto kCompareSwapFloat = [](U32 old, U32 a, U32 b) {
  return bits_to_float(old) == bits_to_float(b) ? a : old;
};
inline constexpr auto kAddFloat = [](U32 old, U32 a, U32) {
  return float_to_bits(bits_to_float(old) + bits_to_float(a));
};
inline constexpr auto kMinFloat = [](U32 old, U32 a, U32) {
  return float_to_bits(min_of(true, bits_to_float(old), bits_to_float(a)));
};
inline constexpr auto kMaxFloat = [](U32 old, U32 a, U32) {
  return float_to_bits(max_of(true, bits_to_float(old), bits_to_float(a)));
};

}  // namespace halyard::emulator
