// State of one wave of 32 lanes, and reading and writing of its operands.
//
// Lane loops are written over all 32 lanes and blended with exec at the end, so that the compiler makes
// vector code:
//   const uint32_t* a = read_lanes(wave, i, 0, scratch_a);
//   for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = f(a[lane]);
//   write_lanes(wave, i.dst, result);
// A wave is used by one thread at a time.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "emulator/instruction.h"

namespace halyard::emulator {

class Memory;      // memory.h: allocations of the device
struct Workgroup;  // workgroup.h: LDS, barrier, ids
struct Program;    // program.h: decoded code

using Lanes = uint32_t[kLanes];

struct Outstanding;  // waits.h

// Bits of MODE, as s_getreg reads them.
constexpr uint32_t kModeRound32 = 0x3;  // 0 nearest even, 1 up, 2 down, 3 to zero
constexpr uint32_t kModeRound16_64 = 0xc;
constexpr uint32_t kModeDenorm32In = 0x10;  // set: denormal inputs are kept
constexpr uint32_t kModeDenorm32Out = 0x20;
constexpr uint32_t kModeDenorm16_64In = 0x40;
constexpr uint32_t kModeDenorm16_64Out = 0x80;
constexpr uint32_t kModeDx10Clamp = 0x100;  // clamp turns NaN into 0
constexpr uint32_t kModeIeee = 0x200;       // signalling NaN are quieted by min and max

struct alignas(64) Wave {
  alignas(64) uint32_t vgpr[256][kLanes];
  alignas(64) uint32_t
      sgpr[144];     // by operand number: vcc 106/107, m0 125, exec 126/127; 124 stays 0, 128 on is slack
  uint32_t scc = 0;  // 0 or 1
  uint32_t mode = 0;
  const Instruction* next = nullptr;  // what comes after the one in execution; branches set it
  const Program* program = nullptr;
  Workgroup* workgroup = nullptr;
  Memory* memory = nullptr;
  uint32_t index = 0;      // of this wave in its workgroup
  uint32_t n_vgprs = 256;  // allocated: use of one above is a fault
  bool ended = false;
  bool at_barrier = false;
  Outstanding* outstanding = nullptr;  // loads under way
  uint8_t* scratch = nullptr;          // private memory: [lane][scratch_bytes]
  uint8_t* scratch_written = nullptr;  // one byte for each
  uint32_t scratch_bytes = 0;          // of one lane

  uint32_t exec() const { return sgpr[kExecLo]; }
  uint32_t vcc() const { return sgpr[kVccLo]; }
  uint64_t pair(uint16_t operand) const { return sgpr[operand] | uint64_t{sgpr[operand + 1]} << 32; }
};

// Ends the launch with a report: what, the kernel, workgroup, wave, lane (if >= 0), instruction and its
// address.
[[noreturn]] void fault(const Wave& wave, const Instruction& i, const std::string& what, int lane = -1);

constexpr uint64_t kSharedApertureBase = uint64_t{1}
                                         << 48;  // generic addresses of LDS; above what a host hands out
constexpr uint64_t kPrivateApertureBase = uint64_t{2} << 48;  // and of private memory

// An inline constant, literal or special register as 32 bits. Floating constants come as float32; a 16-bit
// operation uses inline_half instead. Not for VGPRs.
uint32_t inline_constant(const Wave& wave, const Instruction& i, uint16_t operand);
// The binary16 bits of operands 240 to 248.
uint16_t inline_half(uint16_t operand);
// The binary64 bits of operands 240 to 248.
uint64_t inline_double(uint16_t operand);

// A scalar source: SGPR, constant or literal, 32 bits.
inline uint32_t read_scalar(const Wave& wave, const Instruction& i, uint16_t operand) {
  return operand < kIntZero ? wave.sgpr[operand] : inline_constant(wave, i, operand);
}
// 64 bits as integer operations see them: integers are sign extended, literals zero extended, floats are
// binary64.
uint64_t read_scalar_64(const Wave& wave, const Instruction& i, uint16_t operand);

inline void write_scalar(Wave& wave, uint16_t operand, uint32_t value) {
  if (operand != kNull) wave.sgpr[operand] = value;
}
inline void write_scalar_64(Wave& wave, uint16_t operand, uint64_t value) {
  if (operand == kNull) return;
  wave.sgpr[operand] = static_cast<uint32_t>(value);
  wave.sgpr[operand + 1] = static_cast<uint32_t>(value >> 32);
}

// A source as 32 lanes of 32 bits: the VGPR itself, or `scratch` filled with the scalar. Valid until the
// register or scratch is written. No modifiers, no DPP, floats as float32.
inline const uint32_t* read_lanes(const Wave& wave, const Instruction& i, uint16_t operand, Lanes& scratch) {
  if (operand >= kVgpr0) return wave.vgpr[operand - kVgpr0];
  const uint32_t value = read_scalar(wave, i, operand);
  for (uint32_t& lane : scratch) lane = value;
  return scratch;
}

// Lanes that are on take `values`; the others keep what they have. `values` may not overlap the register.
inline void write_lanes(Wave& wave, uint16_t operand, const uint32_t* values) {
  uint32_t* to = wave.vgpr[operand - kVgpr0];
  const uint32_t exec = wave.exec();
  if (exec == 0xffffffffu) {
    std::memcpy(to, values, sizeof(Lanes));
    return;
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    to[lane] = (exec >> lane & 1u) != 0 ? values[lane] : to[lane];
  }
}

}  // namespace halyard::emulator
