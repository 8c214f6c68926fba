#include "emulator/vector_test_machine.h"

#include <set>

#include "emulator/fault.h"

namespace halyard::emulator::test {
namespace {

std::set<std::string>& tested() {
  static std::set<std::string> names;
  return names;
}

// Every row of the tables must have been compared with something, unless a filter left tests out.
class EveryRow : public testing::Environment {
  void TearDown() override {
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    if (all.test_to_run_count() != all.total_test_count() - all.reportable_disabled_test_count() ||
        all.Failed())
      return;
    for (const VectorOp* row : all_rows()) {
      if (tested().count(row->name) == 0) ADD_FAILURE() << row->name << " has no test";
    }
  }
};
const testing::Environment* const kEveryRow = testing::AddGlobalTestEnvironment(new EveryRow);

// value / unit to an integer, half to even.
long double nearest_even(long double x) {
  const long double below = std::floor(x);
  const long double rest = x - below;
  if (rest != 0.5L) return rest < 0.5L ? below : below + 1;
  return std::fmod(below, 2.0L) == 0 ? below : below + 1;
}

// Magnitude with 10 bits behind the point, exponents from -14, in units of 2^-24 below.
uint16_t half_magnitude(long double x, bool to_nearest) {
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - 1, -14);
  const long double scaled = std::ldexp(x, 10 - exponent);
  const long double units = to_nearest ? nearest_even(scaled) : std::floor(scaled);
  const long double result = std::ldexp(units, exponent - 10);
  if (result >= 65536.0L) return to_nearest ? 0x7c00 : 0x7bff;
  // Bits follow from the rounded number: 1024 per binade.
  std::frexp(result, &exponent);
  if (result < std::ldexp(1.0L, -14)) return static_cast<uint16_t>(std::ldexp(result, 24));
  const long double mantissa = std::ldexp(result, 10 - (exponent - 1));
  return static_cast<uint16_t>((exponent - 1 + 15) * 1024 + static_cast<int>(mantissa) - 1024);
}

uint16_t half_of(long double value, bool to_nearest) {
  if (std::isnan(value)) return 0x7e00;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7c00);
  return static_cast<uint16_t>(sign | (value == 0 ? 0 : half_magnitude(std::fabs(value), to_nearest)));
}

}  // namespace

bool is_nan_16(uint16_t bits) {
  return (bits & 0x7fff) > 0x7c00;
}

long double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  long double x = 0;
  if (exponent == 31) {
    x = mantissa != 0 ? std::nanl("") : HUGE_VALL;
  } else {
    x = exponent == 0 ? std::ldexp(static_cast<long double>(mantissa), -24)
                      : std::ldexp(static_cast<long double>(1024 + mantissa), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -x : x;
}
uint16_t half_nearest(long double value) {
  return half_of(value, true);
}
uint16_t half_toward_zero(long double value) {
  return half_of(value, false);
}

long double bfloat_value(uint16_t bits) {
  return static_cast<long double>(std::bit_cast<float>(uint32_t{bits} << 16));
}
uint16_t bfloat_nearest(long double value) {
  if (std::isnan(value)) return 0x7fc0;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const long double magnitude = std::fabs(value);
  if (std::isinf(value)) return static_cast<uint16_t>(sign | 0x7f80);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, -126);
  const long double result = std::ldexp(nearest_even(std::ldexp(magnitude, 7 - exponent)), exponent - 7);
  if (result >= std::ldexp(1.0L, 128)) return static_cast<uint16_t>(sign | 0x7f80);
  return static_cast<uint16_t>(sign | std::bit_cast<uint32_t>(static_cast<float>(result)) >> 16);
}

Words vop1(uint32_t opcode, uint32_t dst, uint32_t src0) {
  return {0x7e000000u | dst << 17 | opcode << 9 | src0};
}
Words vop2(uint32_t opcode, uint32_t dst, uint32_t src0, uint32_t src1) {
  return {opcode << 25 | dst << 17 | src1 << 9 | src0};
}
Words vopc(uint32_t opcode, uint32_t src0, uint32_t src1) {
  return {0x7c000000u | opcode << 17 | src1 << 9 | src0};
}
static uint32_t source_word(const uint32_t (&src)[3], uint32_t neg, uint32_t bits_27) {
  return src[0] | src[1] << 9 | src[2] << 18 | bits_27 << 27 | neg << 29;
}
Words vop3(uint32_t opcode, uint32_t dst, const uint32_t (&src)[3], const Modifiers& m) {
  return {0xd4000000u | opcode << 16 | m.clamp << 15 | m.opsel << 11 | m.abs << 8 | dst,
          source_word(src, m.neg, m.omod)};
}
Words vop3sd(uint32_t opcode, uint32_t dst, uint32_t sdst, const uint32_t (&src)[3], const Modifiers& m) {
  return {0xd4000000u | opcode << 16 | m.clamp << 15 | sdst << 8 | dst, source_word(src, m.neg, m.omod)};
}
Words vop3p(uint32_t opcode, uint32_t dst, const uint32_t (&src)[3], const Modifiers& m) {
  return {0xcc000000u | opcode << 16 | m.clamp << 15 | (m.opsel_hi >> 2) << 14 | (m.opsel & 7u) << 11 |
              m.neg_hi << 8 | dst,
          source_word(src, m.neg, m.opsel_hi & 3u)};
}

std::vector<const VectorOp*> all_rows() {
  std::vector<const VectorOp*> rows;
  for (const auto& table : {float_ops(), double_ops(), half_ops(), integer_ops(), short_ops(), convert_ops(),
                            compare_ops(), dot_ops(), lane_ops(), matrix_ops()}) {
    for (const VectorOp& row : table) rows.push_back(&row);
  }
  return rows;
}

void note_tested(const std::string& name) {
  tested().insert(name);
}

const VectorOp& row_named(const std::string& name) {
  note_tested(name);
  for (const VectorOp* row : all_rows()) {
    if (name == row->name) return *row;
  }
  throw std::runtime_error("no instruction is called " + name);
}

Machine::Machine() {
  wave->mode = kUsualMode;
  wave->sgpr[kExecLo] = ~0u;
}

Instruction Machine::decoded(const Words& words) {
  Instruction i;
  EXPECT_TRUE(decode_vector(words.data(), words.size(), i)) << std::hex << words[0];
  EXPECT_EQ(i.size_dwords, words.size());
  return i;
}

void Machine::run(const Words& words) {
  const Instruction i = decoded(words);
  if (i.execute != nullptr) i.execute(*wave, i);
}

std::string Machine::fault_of(const Words& words) {
  const std::string kernel = "test";
  const Program program = decode_program(words);
  Workgroup group;
  group.kernel_name = &kernel;
  wave->program = &program;
  wave->workgroup = &group;
  try {
    program.instructions[0].execute(*wave, program.instructions[0]);
  } catch (const Fault& f) {
    return f.what();
  }
  return "";
}

uint32_t Values::float_bits() {
  static constexpr uint32_t kSpecial[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
      0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
      0x7f800001, 0xffbfffff, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x4b000000, 0x4effffff,
      0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x3e800000, 0x3f7fffff, 0xb3000000, 0x477fe000,
      0x477ff000, 0x33000000, 0x387fc000, 0x38800000};
  const uint32_t kind = bits() % 8;
  if (kind < 2) return kSpecial[bits() % std::size(kSpecial)];
  if (kind == 2) return kSpecial[bits() % 2];  // zeros of both signs often enough to meet each other
  if (kind == 3) return bits();
  // Of moderate size, so that sums and products are neither lost nor infinite; some with few digits, to make
  // ties.
  const uint32_t exponent = 127 - 12 + bits() % 24;
  const uint32_t mantissa = kind == 4 ? bits() & 0x7ff000u : bits() & 0x7fffffu;
  return (bits() & 0x80000000u) | exponent << 23 | mantissa;
}

uint64_t Values::double_bits() {
  if (bits() % 4 != 0) {
    const float f = std::bit_cast<float>(float_bits());
    return std::bit_cast<uint64_t>(static_cast<double>(f)) | (bits() % 2 == 0 ? bits() % 64 : 0);
  }
  static constexpr uint64_t kSpecial[] = {0,
                                          1,
                                          0x8000000000000001,
                                          0x000fffffffffffff,
                                          0x0010000000000000,
                                          0x7fefffffffffffff,
                                          0x7ff0000000000001,
                                          0x7ff8000000000000};
  return bits() % 2 == 0 ? kSpecial[bits() % std::size(kSpecial)] : bits_64();
}

uint16_t Values::half_bits() {
  static constexpr uint16_t kSpecial[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x83ff,
                                          0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
                                          0x7c01, 0xfdff, 0x3800, 0x3400, 0x4200, 0x3bff};
  const uint32_t kind = bits() % 4;
  if (kind == 0) return kSpecial[bits() % std::size(kSpecial)];
  if (kind == 1) return static_cast<uint16_t>(bits() % 4 == 0 ? bits() & 0x8000u : bits());
  return static_cast<uint16_t>((bits() & 0x83ffu) | (15 - 6 + bits() % 12) << 10);
}

uint32_t Values::integer() {
  static constexpr uint32_t kSpecial[] = {0,          1,          2,          31,         32,
                                          0xffffffff, 0x80000000, 0x7fffffff, 0x00ffffff, 0x8000,
                                          0x7fff,     0xffff,     0x00800000, 0x10000,    0x80008000,
                                          0x7fff7fff, 63,         0x00008000, 0xfffffffe, 0x01010101};
  const uint32_t kind = bits() % 4;
  if (kind == 0) return kSpecial[bits() % std::size(kSpecial)];
  return kind == 1 ? bits() % 64 : bits();
}

static Words encode_trial(const VectorOp& row, int form, const Modifiers& m, int mask_source, bool& exists) {
  uint32_t src[3] = {v(kSourceRegister[0]), v(kSourceRegister[1]), v(kSourceRegister[2])};
  const bool accumulates = (row.flags & kAccumulates) != 0;
  if (mask_source >= 0 && mask_source < 3) src[mask_source] = kMaskIn;
  exists = true;
  if (form == 0) {
    switch (row.format) {
      case Format::kVop1:
        return vop1(row.opcode, kResultRegister, src[0]);
      case Format::kVop2: {
        Words words = vop2(row.opcode, kResultRegister, src[0], kSourceRegister[1]);
        if ((row.flags & (kMultiplierK | kAddendK)) != 0) exists = false;  // a test of its own
        return words;
      }
      case Format::kVopc:
        return vopc(row.opcode, src[0], kSourceRegister[1]);
      default:
        exists = false;
        return {};
    }
  }
  if (row.format == Format::kVop3p) return vop3p(row.opcode, kResultRegister, src, m);
  exists = (row.flags & kNoVop3) == 0 && row.format != Format::kVopd;
  const uint32_t base = row.format == Format::kVop1 ? 384 : row.format == Format::kVop2 ? 256 : 0;
  if (accumulates) src[2] = 0;
  if (row.n_sources < 2) src[1] = 0;
  if (row.n_sources < 3) src[2] = 0;
  if ((row.flags & kScalarPair) != 0) return vop3sd(base + row.opcode, kResultRegister, kMaskOut, src, m);
  const bool compare = row.format == Format::kVopc;
  return vop3(base + row.opcode, compare ? kMaskOut : kResultRegister, src, m);
}

bool run_trial(Machine& machine, const VectorOp& row, int form, const Modifiers& m, Trial& t,
               uint32_t types_64, int mask_source) {
  bool exists = false;
  const Words words = encode_trial(row, form, m, mask_source, exists);
  if (!exists) return false;
  Wave& wave = *machine.wave;
  wave.sgpr[kExecLo] = t.exec;
  const bool implicit_vcc = form == 0 || (row.flags & kReadsVcc) != 0;
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((row.flags & kAccumulates) != 0) t.before[lane] = t.in[row.n_sources - 1][lane];
    for (uint32_t n = 0; n < 3; ++n) {
      machine.reg(kSourceRegister[n])[lane] = static_cast<uint32_t>(t.in[n][lane]);
      if ((types_64 >> n & 1) != 0) {
        machine.reg(kSourceRegister[n] + 1)[lane] = static_cast<uint32_t>(t.in[n][lane] >> 32);
      }
    }
    machine.reg(kResultRegister)[lane] = static_cast<uint32_t>(t.before[lane]);
    machine.reg(kResultRegister + 1)[lane] = static_cast<uint32_t>(t.before[lane] >> 32);
    if (mask_source >= 0 && (t.in[mask_source][lane] & 1) != 0) mask |= 1u << lane;
  }
  wave.sgpr[kVccLo] = implicit_vcc ? mask : ~mask;
  wave.sgpr[kMaskIn] = mask;
  wave.sgpr[kMaskOut] = 0x5a5a5a5a;
  machine.run(words);
  const bool writes_vcc = form == 0;
  t.mask_out = wave.sgpr[writes_vcc ? static_cast<uint32_t>(kVccLo) : kMaskOut];
  const uint64_t top = (types_64 & 8) != 0 ? ~uint64_t{0} : 0xffffffffu;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    t.before[lane] &= top;
    t.out[lane] = machine.reg(kResultRegister)[lane];
    if ((types_64 & 8) != 0) t.out[lane] |= uint64_t{machine.reg(kResultRegister + 1)[lane]} << 32;
  }
  return true;
}

}  // namespace halyard::emulator::test
