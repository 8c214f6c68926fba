// A code object made ready to run: placed in device memory, every instruction decoded once.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emulator/code_object.h"
#include "emulator/instruction.h"
#include "emulator/memory.h"

namespace halyard::emulator {

struct Program {
  static constexpr uint32_t kNoInstruction = UINT32_MAX;

  std::string target;
  uint64_t text_address = 0;  // on the device
  std::vector<uint32_t> text;
  std::vector<Instruction> instructions;  // in order of address; the last one reports that the code has ended
  std::vector<uint32_t> place_of;         // dword of `text` of each instruction
  std::vector<uint32_t> index_of;         // the other way round; kNoInstruction inside an instruction
  std::vector<KernelInfo> kernels;        // entry_address is on the device
  uint64_t image_address = 0;             // 0 when there is no image

  const KernelInfo* find(const std::string& kernel) const;
  uint64_t address_of(const Instruction& i) const {
    return text_address + uint64_t{4} * place_of[static_cast<size_t>(&i - instructions.data())];
  }
  // The instruction at a device address; null when none begins there.
  const Instruction* at(uint64_t address) const;
};

// Places the segments in `memory` and decodes. Throws kOutOfMemory.
Program load_program(const CodeObject& object, Memory& memory);

// Decodes plain code, for tests: one kernel "test" at its beginning, without an image.
Program decode_program(std::span<const uint32_t> text);

}  // namespace halyard::emulator
