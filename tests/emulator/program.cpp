#include "emulator/program.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>

#include "emulator/wave.h"
#include "halyard/error.h"

namespace halyard::emulator {
namespace {

[[noreturn]] void unknown_instruction(Wave& wave, const Instruction& i) {
  fault(wave, i, fmt::format("unknown instruction {:08x} {:08x}", i.words[0], i.words[1]));
}

[[noreturn]] void end_of_code(Wave& wave, const Instruction& i) {
  fault(wave, i, "the wave has run out of the code");
}

// From 0xc8000000 on encodings have two dwords, whatever they mean.
uint8_t guess_size(uint32_t word) {
  return word >> 26 >= 0x32 ? 2 : 1;
}

bool within_registers(const Instruction& i) {
  const auto outside = [](const RegisterRange& r) {
    return r.first >= kVgpr0 ? r.first + r.count > kVgpr0 + 256 : r.first + r.count > 128;
  };
  return std::none_of(i.reads, i.reads + i.n_reads, outside) &&
         std::none_of(i.writes, i.writes + i.n_writes, outside);
}

void decode_text(Program& p) {
  p.index_of.assign(p.text.size() + 1, Program::kNoInstruction);
  for (size_t place = 0; place < p.text.size();) {
    const uint32_t* words = p.text.data() + place;
    const size_t n_words = p.text.size() - place;
    Instruction i;
    const bool known = decode_scalar(words, n_words, i) || decode_memory(words, n_words, i) ||
                       decode_vector(words, n_words, i);
    if (!known || !within_registers(i)) {
      i = {};
      i.execute = unknown_instruction;
      i.name = "unknown";
      i.size_dwords = guess_size(words[0]);
    }
    for (size_t w = 0; w < std::size(i.words) && w < n_words; ++w) i.words[w] = words[w];
    p.index_of[place] = static_cast<uint32_t>(p.instructions.size());
    p.place_of.push_back(static_cast<uint32_t>(place));
    p.instructions.push_back(i);
    place += i.size_dwords;
  }
  Instruction end;
  end.execute = end_of_code;
  end.name = "end of code";
  p.index_of.back() = static_cast<uint32_t>(p.instructions.size());
  p.place_of.push_back(static_cast<uint32_t>(p.text.size()));
  p.instructions.push_back(end);
  for (size_t n = 0; n + 1 < p.instructions.size(); ++n) {
    Instruction& i = p.instructions[n];
    if (!i.branches) continue;
    const int64_t to = int64_t{p.place_of[n]} + i.size_dwords + i.offset;
    const bool inside = to >= 0 && to < static_cast<int64_t>(p.index_of.size());
    const uint32_t index = inside ? p.index_of[static_cast<size_t>(to)] : Program::kNoInstruction;
    i.target = index != Program::kNoInstruction ? index : static_cast<uint32_t>(p.instructions.size() - 1);
  }
}

void place_image(const CodeObject& object, Memory& memory, Program& p) {
  Allocation* image = memory.allocate(object.size_bytes, MemoryKind::kCode);
  if (image == nullptr) {
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("no room for a code object of {} bytes", object.size_bytes),
                "device memory of the emulator", "release other allocations");
  }
  for (const Segment& s : object.segments) {
    std::memcpy(image->data() + s.address, s.bytes.data(), s.bytes.size());
    std::memset(image->written + s.address, 1, s.bytes.size());
  }
  for (const Relocation& r : object.relocations) {
    const uint64_t value = image->address + static_cast<uint64_t>(r.value);
    std::memcpy(image->data() + r.place, &value, sizeof value);
  }
  p.image_address = image->address;
}

}  // namespace

const KernelInfo* Program::find(const std::string& kernel) const {
  for (const KernelInfo& k : kernels) {
    if (k.name == kernel) return &k;
  }
  return nullptr;
}

const Instruction* Program::at(uint64_t address) const {
  const uint64_t distance = address - text_address;
  if (address < text_address || distance % 4 != 0 || distance / 4 >= index_of.size()) return nullptr;
  const uint32_t index = index_of[distance / 4];
  return index == kNoInstruction ? nullptr : &instructions[index];
}

Program load_program(const CodeObject& object, Memory& memory) {
  Program p;
  p.target = object.target;
  p.text = object.text;
  place_image(object, memory, p);
  p.text_address = p.image_address + object.text_address;
  p.kernels = object.kernels;
  decode_text(p);
  for (KernelInfo& k : p.kernels) {
    k.entry_address += p.image_address;
    if (p.at(k.entry_address) == nullptr) {
      throw Error(ErrorCode::kBadFile, "the kernel does not begin at an instruction", k.name,
                  "build the code object anew");
    }
  }
  return p;
}

Program decode_program(std::span<const uint32_t> text) {
  Program p;
  p.target = "gfx1151";
  p.text.assign(text.begin(), text.end());
  KernelInfo kernel;
  kernel.name = "test";
  kernel.rsrc1 = 0x00af0000;  // denormals kept, DX10 clamp, IEEE: what compilers ask for
  kernel.rsrc2 = 2 << 1 | 1 << 7;
  kernel.properties = 0x408;  // kernel arguments in s[0:1], 32 lanes
  p.kernels.push_back(kernel);
  decode_text(p);
  return p;
}

}  // namespace halyard::emulator
