// FLAT, GLOBAL and SCRATCH: addresses in vector registers, with a scalar base or without.
#include <array>
#include <deque>
#include <string>

#include "emulator/atomic.h"
#include "emulator/memory_rows.h"

namespace halyard::emulator {
namespace {

enum Segment : uint32_t { kFlatSegment, kScratchSegment, kGlobalSegment };
constexpr uint16_t kNoScalar = kNull;

const AccessRow& row_of(const Instruction& i) {
  return *static_cast<const AccessRow*>(i.detail);
}

// src: 0 address, 1 data, 2 scalar base or kNull. `number` is 1 when the address register is in use.
void global(Wave& wave, const Instruction& i) {
  const AccessRow& row = row_of(i);
  uint64_t addresses[kLanes];
  const uint32_t* low = wave.vgpr[i.src[0] - kVgpr0];
  const auto offset = static_cast<uint64_t>(int64_t{i.offset});
  const uint64_t base = i.src[2] == kNoScalar ? offset : wave.pair(i.src[2]) + offset;
  const uint32_t* high = i.src[2] == kNoScalar ? low + kLanes : nullptr;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = base + (low[lane] | (high == nullptr ? 0 : uint64_t{high[lane]} << 32));
  }
  Targets to;
  resolve_global(wave, i, addresses, row.bytes, row.access, to);
  row.move(wave, i, to);
}

void flat(Wave& wave, const Instruction& i) {
  const AccessRow& row = row_of(i);
  uint64_t addresses[kLanes];
  const uint32_t* low = wave.vgpr[i.src[0] - kVgpr0];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    addresses[lane] =
        (low[lane] | uint64_t{low[lane + kLanes]} << 32) + static_cast<uint64_t>(int64_t{i.offset});
  }
  Targets to;
  resolve_flat(wave, i, addresses, row.bytes, row.access, to);
  row.move(wave, i, to);
}

void scratch(Wave& wave, const Instruction& i) {
  const AccessRow& row = row_of(i);
  uint32_t offsets[kLanes];
  const uint32_t base = (i.src[2] == kNoScalar ? 0 : wave.sgpr[i.src[2]]) + static_cast<uint32_t>(i.offset);
  const uint32_t* address = wave.vgpr[i.src[0] - kVgpr0];
  for (uint32_t lane = 0; lane < kLanes; ++lane) offsets[lane] = base + (i.number != 0 ? address[lane] : 0);
  Targets to;
  resolve_scratch(wave, i, offsets, row.bytes, row.access, to);
  row.move(wave, i, to);
}

struct Named {
  const AccessRow* row = nullptr;
  std::string flat, global, scratch;
};

const Named* find(uint32_t opcode) {
  static const auto table = [] {
    std::array<Named, 128> named;
    for (const AccessRow& row : vector_memory_rows()) {
      const std::string name = row.name;
      named[row.opcode] = {&row, "flat_" + name, "global_" + name, "scratch_" + name};
    }
    return named;
  }();
  return table[opcode].row == nullptr ? nullptr : &table[opcode];
}

void add_registers(Instruction& i, const AccessRow& row, uint32_t segment) {
  const bool scalar_base = i.src[2] != kNoScalar;
  if (segment == kScratchSegment) {
    if (i.number != 0) add_read(i, i.src[0]);
    if (scalar_base) add_read(i, i.src[2]);
  } else {
    add_read(i, i.src[0], scalar_base ? 1 : 2);
    if (scalar_base) add_read(i, i.src[2], 2);
  }
  if (row.n_data != 0) add_read(i, i.src[1], row.n_data);
  const bool returns = row.access == MemoryUse::kRead || (i.flags & kReturns) != 0;
  if (returns) add_write(i, i.dst, row.n_dst);
  i.counter = !returns ? Counter::kStore : segment == kFlatSegment ? Counter::kFlat : Counter::kVector;
}

}  // namespace

bool decode_flat(const uint32_t* words, size_t, Instruction& i) {
  const uint32_t segment = words[0] >> 16 & 3;
  const Named* named = find(words[0] >> 18 & 0x7f);
  if (named == nullptr || segment > kGlobalSegment) return false;
  const AccessRow& row = *named->row;
  if (segment == kScratchSegment && row.access == MemoryUse::kAtomic) return false;
  i.detail = &row;
  i.size_dwords = 2;
  i.name = (segment == kFlatSegment     ? named->flat
            : segment == kGlobalSegment ? named->global
                                        : named->scratch)
               .c_str();
  i.execute = segment == kFlatSegment ? flat : segment == kGlobalSegment ? global : scratch;
  i.offset = static_cast<int32_t>(words[0] << 19) >> 19;
  if (row.access == MemoryUse::kAtomic && (words[0] >> 14 & 1) != 0) i.flags = kReturns;
  i.src[0] = vgpr(words[1]);
  i.src[1] = vgpr(words[1] >> 8);
  i.src[2] = static_cast<uint16_t>(words[1] >> 16 & 0x7f);
  i.src[3] = kNull;
  i.number = words[1] >> 23 & 1;
  i.dst = vgpr(words[1] >> 24);
  if (segment == kFlatSegment) i.src[2] = kNoScalar;
  add_registers(i, row, segment);
  return true;
}

}  // namespace halyard::emulator
