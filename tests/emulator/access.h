// Memory as the lanes of a wave see it: addresses are checked and turned into places of the host's memory.
#pragma once
#include <cstdint>

#include "emulator/wave.h"
#include "emulator/workgroup.h"

namespace halyard::emulator {

// Where the lanes that are on read or write. data null: a buffer's range ends before it, reads give 0 and
// writes do nothing. written null: all bytes count as written.
struct Targets {
  uint8_t* data[kLanes];
  uint8_t* written[kLanes];
};

// `bytes` are those of one lane. All throw Fault for an address that nothing holds.
void resolve_global(Wave& wave, const Instruction& i, const uint64_t* addresses, uint32_t bytes,
                    MemoryUse access, Targets& to);
void resolve_lds(Wave& wave, const Instruction& i, const uint32_t* offsets, uint32_t bytes, MemoryUse access,
                 Targets& to);
void resolve_scratch(Wave& wave, const Instruction& i, const uint32_t* offsets, uint32_t bytes,
                     MemoryUse access, Targets& to);
// Generic addresses: each lane goes where its address leads.
void resolve_flat(Wave& wave, const Instruction& i, const uint64_t* addresses, uint32_t bytes,
                  MemoryUse access, Targets& to);
// One place for the whole wave (scalar loads); checks that the bytes are written.
const uint8_t* resolve_scalar(Wave& wave, const Instruction& i, uint64_t address, uint32_t bytes);

// Reports the lanes that read bytes which nobody has written.
void check_written(const Wave& wave, const Instruction& i, const Targets& from, uint32_t bytes);

// One row for every kind of access; `move` reads or writes the registers i.dst and i.src[1].
struct AccessRow {
  uint16_t opcode;
  const char* name;  // without global_, buffer_ or ds_
  uint8_t bytes;     // of one lane in memory
  uint8_t n_dst;     // registers
  uint8_t n_data;
  MemoryUse access;
  void (*move)(Wave&, const Instruction&, const Targets&);
};

enum class Extend { kNone, kZero, kSign, kD16LowZero, kD16LowSign, kD16HighZero, kD16HighSign };

template <uint32_t kBytes>
uint32_t read_small(const uint8_t* from) {
  uint32_t value = 0;
  std::memcpy(&value, from, kBytes);
  return value;
}

// One register or a part of one.
template <uint32_t kBytes, Extend kExtend>
uint32_t extended(uint32_t raw, uint32_t old) {
  constexpr bool kSigned =
      kExtend == Extend::kSign || kExtend == Extend::kD16LowSign || kExtend == Extend::kD16HighSign;
  constexpr uint32_t kUp = 32 - 8 * kBytes;
  if constexpr (kSigned) raw = static_cast<uint32_t>(static_cast<int32_t>(raw << kUp) >> kUp);
  if constexpr (kExtend == Extend::kD16LowZero || kExtend == Extend::kD16LowSign) {
    return (old & 0xffff0000u) | (raw & 0xffffu);
  }
  if constexpr (kExtend == Extend::kD16HighZero || kExtend == Extend::kD16HighSign) {
    return (old & 0xffffu) | raw << 16;
  }
  return raw;
}

// Fills registers from `dst` on: what ds_load_2addr needs twice.
template <uint32_t kBytes, Extend kExtend>
void load_into(Wave& wave, const Instruction& i, const Targets& from, uint32_t first_register) {
  check_written(wave, i, from, kBytes);
  const uint32_t exec = wave.exec();
  constexpr uint32_t kRegisters = (kBytes + 3) / 4;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    for (uint32_t r = 0; r < kRegisters; ++r) {
      uint32_t& to = wave.vgpr[first_register + r][lane];
      const uint32_t raw =
          from.data[lane] == nullptr ? 0 : read_small<(kBytes < 4 ? kBytes : 4)>(from.data[lane] + 4 * r);
      to = extended<(kBytes < 4 ? kBytes : 4), kExtend>(raw, to);
    }
  }
}
template <uint32_t kBytes, Extend kExtend>
void load(Wave& wave, const Instruction& i, const Targets& from) {
  load_into<kBytes, kExtend>(wave, i, from, i.dst - kVgpr0);
}

template <uint32_t kBytes, uint32_t kShift>
void store_from(Wave& wave, const Targets& to, uint32_t first_register) {
  const uint32_t exec = wave.exec();
  constexpr uint32_t kRegisters = (kBytes + 3) / 4;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1) == 0 || to.data[lane] == nullptr) continue;
    for (uint32_t r = 0; r < kRegisters; ++r) {
      const uint32_t value = wave.vgpr[first_register + r][lane] >> kShift;
      std::memcpy(to.data[lane] + 4 * r, &value, kBytes < 4 ? kBytes : 4);
    }
    if (to.written[lane] != nullptr) std::memset(to.written[lane], 1, kBytes);
  }
}
template <uint32_t kBytes, uint32_t kShift = 0>
void store(Wave& wave, const Instruction& i, const Targets& to) {
  store_from<kBytes, kShift>(wave, to, i.src[1] - kVgpr0);
}

}  // namespace halyard::emulator
