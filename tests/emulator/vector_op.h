// The table of vector instructions: opcode -> name -> what it does to one lane.
//
// To add an instruction, add one line to the table of the file it belongs to:
//   op<[](float a, float b) { return a + b; }>(Format::kVop2, 3, "v_add_f32"),
// The types of the function tell everything else: which registers are read and written, what an inline
// constant means, which modifiers apply. The opcode is that of the shortest encoding; the VOP3 form of a
// VOP1, VOP2 or VOPC instruction is found by itself (VOP3 opcode = opcode + 384, + 256, + 0).
//
//   parameter or result   operand
//   uint32_t, int32_t     one register; neg and abs act on bit 31
//   float                 one register; denormals follow MODE; omod and clamp apply to a result
//   uint16_t, int16_t     half a register, chosen by opsel
//   half                  the same as binary16 (arithmetic in float, rounded once on the way back)
//   bfloat                the same as bfloat16
//   uint64_t, int64_t     two registers
//   double                two registers
//   Pair<half>, Pair<int16_t>, Pair<uint16_t>, Pair<bfloat>
//                         both halves of a register (VOP3P): opsel, opsel_hi, neg, neg_hi are already applied
//   Mixed                 float, or half chosen by opsel when its opsel_hi is set (v_fma_mix)
//   bool (parameter)      the lane's bit of a scalar mask: vcc, or src2 of VOP3
//   bool (result)         a compare
//   WithCarry<T>          T, and the lane's bit of the mask written to vcc or sdst
//   Context (first)       what is the same for all lanes; see below
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "emulator/vector_half.h"
#include "emulator/wave.h"

namespace halyard::emulator {

// kVopd: instructions that exist only as half of a VOPD.
enum class Format : uint8_t { kVop1, kVop2, kVopc, kVop3, kVop3p, kVopd };

enum class Type : uint8_t {
  kNone,
  kB32,
  kF32,
  kB16,
  kF16,
  kBf16,
  kB64,
  kF64,
  kPairB16,
  kPairF16,
  kPairBf16,
  kMixed,
  kMask,
  kRegisters2,  // of a WaveFunction: so many registers in a row
  kRegisters4,
  kRegisters8,
};

// Flags of a row.
constexpr uint16_t kNoVop3 = 1;          // has no VOP3 form
constexpr uint16_t kAccumulates = 2;     // the result register is also the last source
constexpr uint16_t kMultiplierK = 4;     // v_fmamk: a literal takes the place of src1, src1 comes third
constexpr uint16_t kAddendK = 8;         // v_fmaak: a literal follows the sources
constexpr uint16_t kSigns = 16;          // neg tells which sources are signed (iu8, iu4)
constexpr uint16_t kHighHalf = 32;       // the 16-bit result goes to the high half
constexpr uint16_t kScalarPair = 64;     // VOP3SD layout: the mask goes to sdst, bits 8 to 14
constexpr uint16_t kReadsVcc = 128;      // the mask is vcc in every encoding (v_div_fmas)
constexpr uint16_t kScalarResult = 256;  // the result register is scalar (v_readlane)
constexpr uint16_t kVectorSource = 512;  // src0 must be a VGPR
constexpr uint16_t kExchanges = 1024;    // src0 is written and the result register read (v_swap)

// One lane's source: low and high register of 32 lanes each.
struct Source {
  const uint32_t* lo = nullptr;
  const uint32_t* hi = nullptr;
};

struct Context {
  bool ieee = true;        // MODE: min and max make signalling NaN quiet
  bool clamp = false;      // integers saturate
  uint8_t signed_src = 0;  // kSigns: bit i, src i is signed
};

// All lanes of one execution. Results of lanes that are off are computed and dropped by the caller.
struct LaneArguments {
  Source src[4];
  uint32_t* lo = nullptr;  // result; never overlaps a source
  uint32_t* hi = nullptr;
  uint32_t mask_in = 0;
  uint32_t mask_out = 0;
  Context context;
};

using LaneFunction = void (*)(LaneArguments&);
// For what is not a function of one lane: lane moves, matrices.
using WaveFunction = Execute;

struct VectorOp {
  Format format;
  uint16_t opcode;
  const char* name;
  uint16_t flags;
  uint8_t n_sources;
  Type result;
  Type source[4];
  LaneFunction run;
  WaveFunction run_wave;  // when set, run is not
};

struct half {
  float value;
  operator float() const { return value; }
};
// One rounding of an exact or nearly exact double.
inline half half_from(double value) {
  return half{narrow_to_odd(value)};
}
struct bfloat {
  float value;
  operator float() const { return value; }
};
struct Mixed {
  float value;
  operator float() const { return value; }
};
template <class T>
struct Pair {
  T lo, hi;
};
template <class T>
struct WithCarry {
  T value;
  bool carry;
};

template <class T>
constexpr Type type_of();
template <>
constexpr Type type_of<uint32_t>() {
  return Type::kB32;
}
template <>
constexpr Type type_of<int32_t>() {
  return Type::kB32;
}
template <>
constexpr Type type_of<float>() {
  return Type::kF32;
}
template <>
constexpr Type type_of<uint16_t>() {
  return Type::kB16;
}
template <>
constexpr Type type_of<int16_t>() {
  return Type::kB16;
}
template <>
constexpr Type type_of<half>() {
  return Type::kF16;
}
template <>
constexpr Type type_of<bfloat>() {
  return Type::kBf16;
}
template <>
constexpr Type type_of<uint64_t>() {
  return Type::kB64;
}
template <>
constexpr Type type_of<int64_t>() {
  return Type::kB64;
}
template <>
constexpr Type type_of<double>() {
  return Type::kF64;
}
template <>
constexpr Type type_of<Pair<half>>() {
  return Type::kPairF16;
}
template <>
constexpr Type type_of<Pair<bfloat>>() {
  return Type::kPairBf16;
}
template <>
constexpr Type type_of<Pair<int16_t>>() {
  return Type::kPairB16;
}
template <>
constexpr Type type_of<Pair<uint16_t>>() {
  return Type::kPairB16;
}
template <>
constexpr Type type_of<Mixed>() {
  return Type::kMixed;
}
template <>
constexpr Type type_of<bool>() {
  return Type::kMask;
}

template <class T>
struct result_type {
  static constexpr Type value = type_of<T>();
};
template <>
struct result_type<bool> {
  static constexpr Type value = Type::kNone;
};
template <class T>
struct result_type<WithCarry<T>> {
  static constexpr Type value = type_of<T>();
};

template <class T>
T load(uint32_t mask, const Source& s, uint32_t lane) {
  if constexpr (std::is_same_v<T, bool>) {
    return (mask >> lane & 1u) != 0;
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Mixed>) {
    return T{bits_to_float(s.lo[lane])};
  } else if constexpr (std::is_same_v<T, half>) {
    return half{half_to_float(static_cast<uint16_t>(s.lo[lane]))};
  } else if constexpr (std::is_same_v<T, bfloat>) {
    return bfloat{bfloat_to_float(static_cast<uint16_t>(s.lo[lane]))};
  } else if constexpr (sizeof(T) == 8 && (std::is_integral_v<T> || std::is_same_v<T, double>)) {
    return std::bit_cast<T>(uint64_t{s.hi[lane]} << 32 | s.lo[lane]);
  } else {
    return static_cast<T>(s.lo[lane]);
  }
}

template <class T>
uint16_t bits_16(T value) {
  if constexpr (std::is_same_v<T, half>)
    return float_to_half(value.value);
  else if constexpr (std::is_same_v<T, bfloat>)
    return float_to_bfloat(value.value);
  else
    return static_cast<uint16_t>(value);
}
template <class T>
T from_16(uint32_t bits) {
  if constexpr (std::is_same_v<T, half>)
    return half{half_to_float(static_cast<uint16_t>(bits))};
  else if constexpr (std::is_same_v<T, bfloat>)
    return bfloat{bfloat_to_float(static_cast<uint16_t>(bits))};
  else
    return static_cast<T>(static_cast<uint16_t>(bits));
}

// Overloads for the types that are templates themselves.
template <class T>
struct Access {
  static T get(uint32_t mask, const Source& s, uint32_t lane) { return load<T>(mask, s, lane); }
  static void put(uint32_t* lo, uint32_t* hi, uint32_t lane, T value) {
    if constexpr (std::is_same_v<T, float>) {
      lo[lane] = float_to_bits(value);
    } else if constexpr (sizeof(T) == 8) {
      const uint64_t bits = std::bit_cast<uint64_t>(value);
      lo[lane] = static_cast<uint32_t>(bits);
      hi[lane] = static_cast<uint32_t>(bits >> 32);
    } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat> || sizeof(T) == 2) {
      lo[lane] = bits_16(value);
    } else {
      lo[lane] = static_cast<uint32_t>(value);
    }
  }
};
template <class T>
struct Access<Pair<T>> {
  static Pair<T> get(uint32_t, const Source& s, uint32_t lane) {
    return {from_16<T>(s.lo[lane]), from_16<T>(s.lo[lane] >> 16)};
  }
  static void put(uint32_t* lo, uint32_t*, uint32_t lane, Pair<T> value) {
    lo[lane] = uint32_t{bits_16(value.hi)} << 16 | bits_16(value.lo);
  }
};

template <class R>
constexpr bool kHasCarry = false;
template <class T>
constexpr bool kHasCarry<WithCarry<T>> = true;

// All 32 lanes, on or off.
template <class R, class... A, size_t... I, class F>
void for_each_lane(LaneArguments& x, F f, std::index_sequence<I...>) {
  const Source source[sizeof...(A)] = {x.src[I]...};
  uint32_t* __restrict lo = x.lo;
  uint32_t* __restrict hi = x.hi;
  const uint32_t mask_in = x.mask_in;  // a copy, which no result can overwrite
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const R result = f(Access<A>::get(mask_in, source[I], lane)...);
    if constexpr (std::is_same_v<R, bool>) {
      mask |= (result ? 1u : 0u) << lane;
    } else if constexpr (kHasCarry<R>) {
      Access<decltype(result.value)>::put(lo, hi, lane, result.value);
      mask |= (result.carry ? 1u : 0u) << lane;
    } else {
      Access<R>::put(lo, hi, lane, result);
    }
  }
  if constexpr (std::is_same_v<R, bool> || kHasCarry<R>) x.mask_out = mask;
}

// Taken apart by the type of a captureless lambda.
template <class S>
struct Signature;
template <class L, class R, class... A>
struct Signature<R (L::*)(A...) const> {
  static constexpr uint8_t kSources = sizeof...(A);
  static constexpr Type kResult = result_type<R>::value;
  static constexpr std::array<Type, 4> kTypes = {type_of<A>()...};
  template <auto F>
  static void run(LaneArguments& x) {
    for_each_lane<R, A...>(x, F, std::index_sequence_for<A...>());
  }
};
template <class L, class R, class... A>
struct Signature<R (L::*)(Context, A...) const> {
  static constexpr uint8_t kSources = sizeof...(A);
  static constexpr Type kResult = result_type<R>::value;
  static constexpr std::array<Type, 4> kTypes = {type_of<A>()...};
  template <auto F>
  static void run(LaneArguments& x) {
    const Context context = x.context;
    for_each_lane<R, A...>(
        x, [context](A... a) { return F(context, a...); }, std::index_sequence_for<A...>());
  }
};

template <auto F>
constexpr VectorOp op(Format format, uint16_t opcode, const char* name, uint16_t flags = 0) {
  using S = Signature<decltype(&decltype(F)::operator())>;
  return {format,
          opcode,
          name,
          flags,
          S::kSources,
          S::kResult,
          {S::kTypes[0], S::kTypes[1], S::kTypes[2], S::kTypes[3]},
          S::template run<F>,
          nullptr};
}

// A row for a WaveFunction: the types only say which registers are read and written.
constexpr VectorOp wave_op(Format format, uint16_t opcode, const char* name, WaveFunction run, Type result,
                           std::array<Type, 3> sources, uint16_t flags = 0) {
  const uint8_t n = static_cast<uint8_t>((sources[0] != Type::kNone) + (sources[1] != Type::kNone) +
                                         (sources[2] != Type::kNone));
  return {format,  opcode, name, flags, n, result, {sources[0], sources[1], sources[2], Type::kNone},
          nullptr, run};
}

// The tables, one for each file; decode_vector.cpp joins them.
std::span<const VectorOp> float_ops();    // vector_float.cpp
std::span<const VectorOp> double_ops();   // vector_double.cpp
std::span<const VectorOp> half_ops();     // vector_half.cpp
std::span<const VectorOp> integer_ops();  // vector_integer.cpp
std::span<const VectorOp> short_ops();    // vector_short.cpp
std::span<const VectorOp> convert_ops();  // vector_convert.cpp
std::span<const VectorOp> compare_ops();  // vector_compare.cpp
std::span<const VectorOp> dot_ops();      // vector_dot.cpp
std::span<const VectorOp> lane_ops();     // vector_lanes.cpp
std::span<const VectorOp> matrix_ops();   // wmma.cpp

// dpp.cpp: src0 of a DPP instruction as the lanes see it. `from` may be any register or scratch other than
// `to`. Returns the lanes that may write: exec without those that DPP switches off.
bool is_dpp16_control(uint32_t control);
uint32_t apply_dpp(const Wave& wave, const Instruction& i, const uint32_t* from, uint32_t* to);

// vector_execute.cpp: the Execute of a row with `run`; picks the quick one when there is nothing to modify.
Execute execute_for(const Instruction& i, const VectorOp& row);
void execute_dual(Wave& wave, const Instruction& i);  // VOPD: detail is the row of X, number the opcode of Y

// decode_vector.cpp: the row behind an opcode of VOPD, null when there is none.
const VectorOp* dual_row(uint64_t opcode);

}  // namespace halyard::emulator
