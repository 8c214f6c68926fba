#include <array>
#include <stdexcept>

#include "emulator/wave.h"

namespace halyard::emulator {
namespace {

constexpr uint16_t kFirstFloat = kHalf;
constexpr std::array<uint32_t, 9> kFloats = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                             0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::array<uint16_t, 9> kHalves = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                             0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::array<uint64_t, 9> kDoubles = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                              0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                              0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

bool is_float(uint16_t operand) {
  return operand >= kFirstFloat && operand < kFirstFloat + kFloats.size();
}

void add(RegisterRange* ranges, uint8_t& n, size_t capacity, uint16_t operand, uint32_t n_registers) {
  if (!is_register(operand) || operand == kNull || n_registers == 0) return;
  if (n == capacity)
    throw std::logic_error("an instruction with more register ranges than there is room for");
  ranges[n++] = {operand, static_cast<uint16_t>(n_registers)};
}

}  // namespace

void add_read(Instruction& i, uint16_t operand, uint32_t n_registers) {
  add(i.reads, i.n_reads, std::size(i.reads), operand, n_registers);
}

void add_write(Instruction& i, uint16_t operand, uint32_t n_registers) {
  add(i.writes, i.n_writes, std::size(i.writes), operand, n_registers);
}

uint32_t inline_constant(const Wave& wave, const Instruction& i, uint16_t operand) {
  if (operand < kIntMinusOne) return static_cast<uint32_t>(operand - kIntZero);
  if (operand <= 208) return ~static_cast<uint32_t>(operand - kIntMinusOne);
  if (is_float(operand)) return kFloats[operand - kFirstFloat];
  switch (operand) {
    case kLiteral:
      return i.literal;
    case kScc:
      return wave.scc;
    case kVccz:
      return wave.vcc() == 0 ? 1 : 0;
    case kExecz:
      return wave.exec() == 0 ? 1 : 0;
    // Read as 32 bits the apertures give their upper half (the lower is 0).
    case kSharedBase:
    case kSharedLimit:
      return static_cast<uint32_t>(kSharedApertureBase >> 32);
    case kPrivateBase:
    case kPrivateLimit:
      return static_cast<uint32_t>(kPrivateApertureBase >> 32);
    default:
      fault(wave, i, "operand code " + std::to_string(operand) + " is reserved");
  }
}

uint16_t inline_half(uint16_t operand) {
  return kHalves.at(operand - kFirstFloat);
}

uint64_t inline_double(uint16_t operand) {
  return kDoubles.at(operand - kFirstFloat);
}

uint64_t read_scalar_64(const Wave& wave, const Instruction& i, uint16_t operand) {
  if (operand == kNull) return 0;
  if (operand < kIntZero) return wave.pair(operand);
  if (is_float(operand)) return inline_double(operand);
  if (operand == kSharedBase || operand == kPrivateBase) {
    return operand == kSharedBase ? kSharedApertureBase : kPrivateApertureBase;
  }
  if (operand == kSharedLimit || operand == kPrivateLimit) {
    return (operand == kSharedLimit ? kSharedApertureBase : kPrivateApertureBase) | 0xffffffffu;
  }
  const uint32_t low = inline_constant(wave, i, operand);
  const bool negative = operand >= kIntMinusOne && operand <= 208;
  return low | (negative ? uint64_t{0xffffffff} << 32 : 0);
}

}  // namespace halyard::emulator
