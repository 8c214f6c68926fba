// How memory instructions are decoded and found.
#pragma once
#include <span>

#include "emulator/access.h"

namespace halyard::emulator {

// FLAT, GLOBAL, SCRATCH and MUBUF share their opcodes.
std::span<const AccessRow> vector_memory_rows();

bool decode_scalar_memory(const uint32_t* words, size_t n_words, Instruction& i);  // SMEM
bool decode_lds(const uint32_t* words, size_t n_words, Instruction& i);            // DS
bool decode_flat(const uint32_t* words, size_t n_words, Instruction& i);           // FLAT GLOBAL SCRATCH
bool decode_buffer(const uint32_t* words, size_t n_words, Instruction& i);         // MUBUF

constexpr uint16_t vgpr(uint32_t field) {
  return static_cast<uint16_t>(kVgpr0 + (field & 0xff));
}

}  // namespace halyard::emulator
