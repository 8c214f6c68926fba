// One decoded instruction of RDNA 3 / 3.5. Decoded once when the code object is loaded, executed many times.
//
// Who calls what: program.cpp walks the code of a code object and asks decode_scalar, decode_memory and
// decode_vector in this order; the first that returns true owns the instruction. The scheduler then calls
//   instruction.execute(wave, instruction)
// for one wave at a time. Before the call, with checks on, it looks at reads and writes: a register that an
// outstanding load has yet to fill is a missing s_waitcnt. wave.next already points at the following
// instruction.
#pragma once
#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

struct Wave;
struct Instruction;
using Execute = void (*)(Wave&, const Instruction&);

constexpr uint32_t kLanes = 32;

// Operand codes of gfx11, as in the encodings. Registers have the same number in RegisterRange.
enum Operand : uint16_t {
  kSgpr0 = 0,  // to s105
  kVccLo = 106,
  kVccHi = 107,
  kTtmp0 = 108,  // to ttmp15
  kNull = 124,   // reads as 0, swallows writes
  kM0 = 125,
  kExecLo = 126,
  kExecHi = 127,
  kIntZero = 128,      // 128 to 192: 0 to 64
  kIntMinusOne = 193,  // 193 to 208: -1 to -16
  kDpp8 = 233,         // as src0 of VOP1/VOP2/VOPC: a DPP8 word follows
  kDpp8Fi = 234,       // the same, and lanes that are off are read
  kSharedBase = 235,
  kSharedLimit = 236,
  kPrivateBase = 237,
  kPrivateLimit = 238,
  kHalf = 240,   // 240 to 248: 0.5 -0.5 1 -1 2 -2 4 -4 1/(2 pi)
  kDpp16 = 250,  // as src0: a DPP word follows
  kVccz = 251,
  kExecz = 252,
  kScc = 253,
  kLiteral = 255,
  kVgpr0 = 256,  // to v255 = 511
};

constexpr bool is_vgpr(uint16_t operand) {
  return operand >= kVgpr0;
}
constexpr bool is_register(uint16_t operand) {
  return operand < kIntZero || operand >= kVgpr0;
}

// `count` registers from operand code `first` on; scalar below 128, vector from 256.
struct RegisterRange {
  uint16_t first;
  uint16_t count;
};

// The counter of s_waitcnt that an instruction raises. kFlat raises two: vmcnt and lgkmcnt.
enum class Counter : uint8_t { kNone, kVector, kLds, kScalar, kFlat, kStore };

struct Instruction {
  // ---- what every decoder fills
  Execute execute = nullptr;
  const char* name = "";    // static text: the mnemonic, for reports
  uint32_t words[3] = {};   // the encoding, for reports (decoders need not fill it: program.cpp does)
  uint8_t size_dwords = 1;  // 1 to 3, literal and DPP word included
  uint8_t n_reads = 0;
  uint8_t n_writes = 0;
  RegisterRange reads[7] =
      {};  // every register of src, implicit ones too (vcc, exec is left out); see add_read
  RegisterRange writes[4] = {};

  Counter counter = Counter::kNone;  // what counts it until it is done; only memory instructions have one

  // ---- operands: gfx11 operand codes; VGPR fields of 8 bits get kVgpr0 added
  uint16_t src[4] = {};   // src0, src1, src2, and a fourth for memory instructions
  uint16_t dst = 0;       // vdst (with kVgpr0) or sdst of a scalar instruction
  uint16_t sdst = kNull;  // second result: VOP3SD, compares
  uint32_t literal = 0;   // the 32 bits behind the instruction when an operand is kLiteral

  // ---- modifiers: bit i belongs to src i; bit 3 of opsel to the result
  uint8_t neg = 0;     // VOP3 neg, VOP3P neg (low half)
  uint8_t neg_hi = 0;  // VOP3P
  uint8_t abs = 0;
  uint8_t opsel = 0;
  uint8_t opsel_hi = 0;
  uint8_t omod = 0;  // 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;

  // ---- DPP: kind 0 none, 8 or 16
  uint8_t dpp_kind = 0;
  bool dpp_bound_control = false;
  bool dpp_fetch_inactive = false;
  uint8_t dpp_row_mask = 15;
  uint8_t dpp_bank_mask = 15;
  uint16_t dpp_control = 0;   // DPP16: the 9 bits
  uint32_t dpp8_selects = 0;  // DPP8: eight selects of 3 bits, lane 0 lowest

  // ---- second half of VOPD; both halves read their sources before either writes
  Execute execute_y = nullptr;
  uint16_t src_y[3] = {};
  uint16_t dst_y = 0;

  // ---- scalar and memory instructions
  int32_t offset = 0;     // memory: signed byte offset; branches: distance in dwords; others: SIMM16
  bool branches = false;  // `offset` is a distance to a target
  uint32_t target = 0;    // branches: index of the target in Program::instructions, program.cpp fills it
  uint16_t flags = 0;     // of the file that decoded it

  // ---- free for the file that decoded it: an inner function, an opcode, a precomputed number
  const void* detail = nullptr;
  uint64_t number = 0;
};

// Adds registers to reads or writes. Constants, literals and null are ignored.
void add_read(Instruction& i, uint16_t operand, uint32_t n_registers = 1);
void add_write(Instruction& i, uint16_t operand, uint32_t n_registers = 1);

// Each decodes the instruction at words[0] when it is of its kind and known: fills `i` (which comes
// default-made) and returns true. False: not of its kind, or of its kind with an unknown opcode: the program
// then holds an instruction that fails with its encoding and address when it is reached. Never reads at or
// behind words + n_words (n_words >= 1).
bool decode_scalar(const uint32_t* words, size_t n_words, Instruction& i);  // SOP1 SOP2 SOPK SOPC SOPP
bool decode_memory(const uint32_t* words, size_t n_words,
                   Instruction& i);  // SMEM DS FLAT GLOBAL SCRATCH MUBUF
bool decode_vector(const uint32_t* words, size_t n_words, Instruction& i);  // VOP1 VOP2 VOPC VOP3 VOP3P VOPD

}  // namespace halyard::emulator
