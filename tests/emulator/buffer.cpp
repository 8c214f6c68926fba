// MUBUF: a descriptor in four scalar registers, an index and an offset.
#include <array>
#include <string>

#include "emulator/atomic.h"
#include "emulator/memory_rows.h"

namespace halyard::emulator {
namespace {

constexpr uint16_t kOffsetEnabled = 2, kIndexEnabled = 4;  // of flags, beside kReturns
constexpr uint32_t kInvalidateL0 = 43, kInvalidateL1 = 44;

void nothing(Wave&, const Instruction&) {}

struct Descriptor {
  uint64_t base;
  uint32_t stride, n_records, out_of_range_rule;
};

Descriptor read_descriptor(const Wave& wave, const Instruction& i) {
  const uint32_t* w = wave.sgpr + i.src[2];
  if ((w[1] >> 30) != 0 || (w[3] >> 23 & 1) != 0) fault(wave, i, "a swizzled buffer");
  const uint64_t base = w[0] | uint64_t{w[1] & 0xffff} << 32;
  return {base, w[1] >> 16 & 0x3fff, w[2], w[3] >> 28 & 3};
}

bool in_range(const Descriptor& d, uint64_t index, uint64_t offset, uint32_t bytes) {
  switch (d.out_of_range_rule) {
    case 0:
      return index < d.n_records && (d.stride == 0 || offset + bytes <= d.stride);
    case 1:
      return index < d.n_records;
    case 2:
      return d.n_records != 0;
    default:
      return index * d.stride + offset + bytes <= d.n_records;
  }
}

// src: 0 index or offset, 1 data, 2 descriptor, 3 stays free for atomics; the scalar offset's operand is
// `number`.
void buffer(Wave& wave, const Instruction& i) {
  const AccessRow& row = *static_cast<const AccessRow*>(i.detail);
  const Descriptor d = read_descriptor(wave, i);
  const uint32_t scalar = read_scalar(wave, i, static_cast<uint16_t>(i.number));
  const uint32_t* first = wave.vgpr[i.src[0] - kVgpr0];
  const bool indexed = (i.flags & kIndexEnabled) != 0, moved = (i.flags & kOffsetEnabled) != 0;
  Targets to = {};
  uint64_t addresses[kLanes] = {};
  const uint32_t exec = wave.exec();
  uint32_t inside = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1) == 0) continue;
    const uint64_t index = indexed ? first[lane] : 0;
    const uint64_t offset =
        (moved ? (indexed ? first + kLanes : first)[lane] : 0) + static_cast<uint64_t>(i.offset);
    if (!in_range(d, index, offset, row.bytes)) continue;
    inside |= 1u << lane;
    addresses[lane] = d.base + scalar + index * d.stride + offset;
  }
  wave.sgpr[kExecLo] = inside;  // lanes out of the buffer's range have no address to look at
  resolve_global(wave, i, addresses, row.bytes, row.access, to);
  wave.sgpr[kExecLo] = exec;
  row.move(wave, i, to);
}

struct Named {
  const AccessRow* row = nullptr;
  std::string name;
};

const Named* find(uint32_t opcode) {
  static const auto table = [] {
    std::array<Named, 256> named;
    for (const AccessRow& row : vector_memory_rows())
      named[row.opcode] = {&row, std::string("buffer_") + row.name};
    return named;
  }();
  return table[opcode].row == nullptr ? nullptr : &table[opcode];
}

}  // namespace

bool decode_buffer(const uint32_t* words, size_t, Instruction& i) {
  const uint32_t opcode = words[0] >> 18 & 0xff;
  i.size_dwords = 2;
  if (opcode == kInvalidateL0 || opcode == kInvalidateL1) {
    i.name = opcode == kInvalidateL0 ? "buffer_gl0_inv" : "buffer_gl1_inv";
    i.execute = nothing;
    return true;
  }
  const Named* named = find(opcode);
  if (named == nullptr || (words[1] >> 21 & 1) != 0) return false;
  const AccessRow& row = *named->row;
  i.detail = &row;
  i.name = named->name.c_str();
  i.execute = buffer;
  i.offset = static_cast<int32_t>(words[0] & 0xfff);
  if (row.access == MemoryUse::kAtomic && (words[0] >> 14 & 1) != 0) i.flags |= kReturns;
  if ((words[1] >> 22 & 1) != 0) i.flags |= kOffsetEnabled;
  if ((words[1] >> 23 & 1) != 0) i.flags |= kIndexEnabled;
  i.src[0] = vgpr(words[1]);
  i.src[1] = vgpr(words[1] >> 8);
  i.src[2] = static_cast<uint16_t>((words[1] >> 16 & 0x1f) * 4);
  i.src[3] = kNull;
  i.number = words[1] >> 24;
  i.dst = i.src[1];
  if (i.number == kLiteral) return false;
  const uint32_t n_address =
      ((i.flags & kOffsetEnabled) != 0 ? 1u : 0u) + ((i.flags & kIndexEnabled) != 0 ? 1u : 0u);
  add_read(i, i.src[0], n_address);
  add_read(i, i.src[2], 4);
  add_read(i, static_cast<uint16_t>(i.number));
  add_read(i, i.src[1], row.n_data);
  const bool returns = row.access == MemoryUse::kRead || (i.flags & kReturns) != 0;
  if (returns) add_write(i, i.dst, row.n_dst);
  i.counter = returns ? Counter::kVector : Counter::kStore;
  return true;
}

}  // namespace halyard::emulator
