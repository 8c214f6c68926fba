// The tables of scalar instructions: opcode -> name -> what it does.
//
// To add one, add a line to the table of its encoding (scalar_binary.cpp: SOP2, scalar_unary.cpp: SOP1,
// scalar_compare.cpp: SOPC, scalar_constant.cpp: SOPK, scalar_flow.cpp: SOPP):
//   binary<uint32_t, uint32_t, uint32_t>(44, "s_mul_i32", [](Wave&, uint32_t a, uint32_t b) { return a * b;
//   }),
// Result type first, then those of the sources: uint32_t one register, uint64_t two. scc is wave.scc.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include "emulator/wave.h"

namespace halyard::emulator {

struct ScalarRow {
  uint16_t opcode;
  const char* name;
  Execute execute;
  uint8_t n_dst = 0, n_src0 = 0, n_src1 = 0;  // registers
  uint8_t flags = 0;
};
constexpr uint8_t kReadsDst = 1;       // the old result is a source
constexpr uint8_t kLiteralAddend = 2;  // s_fmaak, s_fmamk, s_setreg_imm32: a literal always follows
constexpr uint8_t kBranch = 4;
constexpr uint8_t kVccRead = 8;
constexpr uint8_t kWritesExec = 16;

template <class T>
T read_as(const Wave& wave, const Instruction& i, uint16_t operand) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(read_scalar_64(wave, i, operand));
  } else {
    return static_cast<T>(read_scalar(wave, i, operand));
  }
}

template <class T>
void write_as(Wave& wave, uint16_t operand, T value) {
  if constexpr (sizeof(T) == 8) {
    write_scalar_64(wave, operand, static_cast<uint64_t>(value));
  } else {
    write_scalar(wave, operand, static_cast<uint32_t>(value));
  }
}

template <class T>
constexpr uint8_t registers_of() {
  if constexpr (std::is_void_v<T>) {
    return 0;
  } else {
    return sizeof(T) / 4;
  }
}

template <class D, class A, class B, class F>
void execute_binary(Wave& wave, const Instruction& i) {
  const A a = read_as<A>(wave, i, i.src[0]);
  const B b = read_as<B>(wave, i, i.src[1]);
  if constexpr (std::is_void_v<D>) {
    F{}(wave, a, b);
  } else {
    write_as<D>(wave, i.dst, F{}(wave, a, b));
  }
}
template <class D, class A, class B, class F>
constexpr ScalarRow binary(uint16_t opcode, const char* name, F) {
  return {opcode, name, execute_binary<D, A, B, F>, registers_of<D>(), registers_of<A>(), registers_of<B>(),
          0};
}

// The third source is the old result.
template <class D, class A, class B, class F>
void execute_accumulate(Wave& wave, const Instruction& i) {
  const D old = read_as<D>(wave, i, i.dst);
  write_as<D>(wave, i.dst, F{}(wave, read_as<A>(wave, i, i.src[0]), read_as<B>(wave, i, i.src[1]), old));
}
template <class D, class A, class B, class F>
constexpr ScalarRow accumulate(uint16_t opcode, const char* name, F) {
  return {
      opcode,   name, execute_accumulate<D, A, B, F>, registers_of<D>(), registers_of<A>(), registers_of<B>(),
      kReadsDst};
}

template <class D, class A, class F>
void execute_unary(Wave& wave, const Instruction& i) {
  write_as<D>(wave, i.dst, F{}(wave, read_as<A>(wave, i, i.src[0])));
}
template <class D, class A, class F>
constexpr ScalarRow unary(uint16_t opcode, const char* name, F) {
  return {opcode, name, execute_unary<D, A, F>, registers_of<D>(), registers_of<A>(), 0, 0};
}

// The old result is the second argument: for results that may stay as they are.
template <class D, class A, class F>
void execute_update(Wave& wave, const Instruction& i) {
  const D old = read_as<D>(wave, i, i.dst);
  write_as<D>(wave, i.dst, F{}(wave, read_as<A>(wave, i, i.src[0]), old));
}
template <class D, class A, class F>
constexpr ScalarRow update(uint16_t opcode, const char* name, F) {
  return {opcode, name, execute_update<D, A, F>, registers_of<D>(), registers_of<A>(), 0, kReadsDst};
}

// Tables, in no order. SOPK and SOPP rows: SIMM16 is i.offset (SOPK: sign extended).
std::span<const ScalarRow> scalar_binary_rows();
std::span<const ScalarRow> scalar_unary_rows();
std::span<const ScalarRow> scalar_compare_rows();
std::span<const ScalarRow> scalar_constant_rows();
std::span<const ScalarRow> scalar_flow_rows();

}  // namespace halyard::emulator
