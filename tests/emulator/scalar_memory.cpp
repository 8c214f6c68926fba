// SMEM: loads into scalar registers.
#include <array>

#include "emulator/memory_rows.h"

namespace halyard::emulator {
namespace {

void nothing(Wave&, const Instruction&) {}

void move(Wave& wave, const Instruction& i, uint64_t address, uint32_t n_registers) {
  uint32_t values[16];
  std::memcpy(values, resolve_scalar(wave, i, address & ~uint64_t{3}, n_registers * 4), n_registers * 4);
  for (uint32_t r = 0; r < n_registers; ++r) write_scalar(wave, static_cast<uint16_t>(i.dst + r), values[r]);
}

// src: 0 base, 1 register offset.
uint64_t offset_of(const Wave& wave, const Instruction& i) {
  return static_cast<uint64_t>(int64_t{i.offset}) + read_scalar(wave, i, i.src[1]);
}

template <uint32_t kRegisters>
void load_scalar(Wave& wave, const Instruction& i) {
  move(wave, i, wave.pair(i.src[0]) + offset_of(wave, i), kRegisters);
}

template <uint32_t kRegisters>
void load_from_buffer(Wave& wave, const Instruction& i) {
  const uint32_t* w = wave.sgpr + i.src[0];
  const uint32_t stride = w[1] >> 16 & 0x3fff;
  const uint64_t bytes = uint64_t{w[2]} * (stride == 0 ? 1 : stride),
                 offset = offset_of(wave, i) & ~uint64_t{3};
  const uint64_t base = w[0] | uint64_t{w[1] & 0xffff} << 32;
  for (uint32_t r = 0; r < kRegisters; ++r) {  // each dword beyond the range reads as 0
    const uint64_t at = offset + 4 * r;
    uint32_t value = 0;
    if (at + 4 <= bytes) std::memcpy(&value, resolve_scalar(wave, i, base + at, 4), 4);
    write_scalar(wave, static_cast<uint16_t>(i.dst + r), value);
  }
}

struct Row {
  uint8_t opcode, n_registers, n_base;
  const char* name;
  Execute execute;
};
constexpr auto rows = std::to_array<Row>({
    {0, 1, 2, "s_load_b32", load_scalar<1>},
    {1, 2, 2, "s_load_b64", load_scalar<2>},
    {2, 4, 2, "s_load_b128", load_scalar<4>},
    {3, 8, 2, "s_load_b256", load_scalar<8>},
    {4, 16, 2, "s_load_b512", load_scalar<16>},
    {8, 1, 4, "s_buffer_load_b32", load_from_buffer<1>},
    {9, 2, 4, "s_buffer_load_b64", load_from_buffer<2>},
    {10, 4, 4, "s_buffer_load_b128", load_from_buffer<4>},
    {11, 8, 4, "s_buffer_load_b256", load_from_buffer<8>},
    {12, 16, 4, "s_buffer_load_b512", load_from_buffer<16>},
    {32, 0, 0, "s_gl1_inv", nothing},
    {33, 0, 0, "s_dcache_inv", nothing},
});

}  // namespace

bool decode_scalar_memory(const uint32_t* words, size_t, Instruction& i) {
  const uint32_t opcode = words[0] >> 18 & 0xff;
  for (const Row& row : rows) {
    if (row.opcode != opcode) continue;
    i.name = row.name;
    i.execute = row.execute;
    i.size_dwords = 2;
    if (row.n_registers == 0) return true;
    i.src[0] = static_cast<uint16_t>((words[0] & 0x3f) * 2);
    i.dst = static_cast<uint16_t>(words[0] >> 6 & 0x7f);
    i.offset = static_cast<int32_t>(words[1] << 11) >> 11;
    i.src[1] = static_cast<uint16_t>(words[1] >> 25);
    add_read(i, i.src[0], row.n_base);
    add_read(i, i.src[1]);
    add_write(i, i.dst, row.n_registers);
    i.counter = Counter::kScalar;
    return true;
  }
  return false;
}

}  // namespace halyard::emulator
