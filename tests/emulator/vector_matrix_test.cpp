// Matrix products against a double loop, with matrices that have no symmetry, through the documented layout.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

constexpr uint32_t kA = 10, kB = 20, kC = 30, kD = 40;
using Matrix = long double[16][16];

// Places element (line, k) of A (line: row) or B (line: column) in both halves of the wave.
void place(Machine& m, uint32_t base, uint32_t line, uint32_t k, uint32_t bits, uint32_t value) {
  const uint32_t per_register = 32 / bits;
  const uint32_t shift = k % per_register * bits;
  const uint32_t mask = ((1u << bits) - 1) << shift;
  for (const uint32_t lane : {line, line + 16}) {
    uint32_t& r = m.reg(base + k / per_register)[lane];
    r = (r & ~mask) | (value << shift & mask);
  }
}
uint32_t& element(Machine& m, uint32_t base, uint32_t row, uint32_t column) {
  return m.reg(base + row / 2)[row % 2 * 16 + column];
}

enum class Kind { kHalf, kBfloat };
long double value_of(Kind kind, uint16_t bits) {
  return kind == Kind::kHalf ? half_value(bits) : bfloat_value(bits);
}
uint16_t bits_of(Kind kind, long double x) {
  return kind == Kind::kHalf ? half_nearest(x) : bfloat_nearest(x);
}

// A and B with random numbers that their kind holds exactly.
void fill(Machine& m, Values& values, Kind kind, Matrix& a, Matrix& b) {
  for (uint32_t line = 0; line < 16; ++line) {
    for (uint32_t k = 0; k < 16; ++k) {
      const auto pick = [&] { return bits_of(kind, static_cast<int>(values.bits() % 2001 - 1000) / 64.0L); };
      const uint16_t x = pick(), y = pick();
      a[line][k] = value_of(kind, x);
      b[line][k] = value_of(kind, y);
      place(m, kA, line, k, 16, x);
      place(m, kB, line, k, 16, y);
    }
  }
}

void check_float_result(Kind kind, uint32_t opcode, const char* name) {
  note_tested(name);
  Values values;
  for (int round = 0; round < 8; ++round) {
    Machine m;
    Matrix a, b, c;
    fill(m, values, kind, a, b);
    for (uint32_t row = 0; row < 16; ++row) {
      for (uint32_t column = 0; column < 16; ++column) {
        const float f = static_cast<float>(row) * 3 - static_cast<float>(column * column) / 7;
        c[row][column] = round == 1 ? 1 : f;
        element(m, kC, row, column) = std::bit_cast<uint32_t>(f);
      }
    }
    m.set_exec(round == 0 ? ~0u : values.bits());  // has no influence
    m.run(vop3p(opcode, kD, {v(kA), v(kB), round == 1 ? 242 : v(kC)}));
    for (uint32_t row = 0; row < 16; ++row) {
      for (uint32_t column = 0; column < 16; ++column) {
        long double sum = c[row][column], size = std::fabs(sum);
        for (uint32_t k = 0; k < 16; ++k) {
          sum += a[row][k] * b[column][k];
          size += std::fabs(a[row][k] * b[column][k]);
        }
        const float found = std::bit_cast<float>(element(m, kD, row, column));
        ASSERT_LE(std::fabs(found - sum), size * 0x1p-23L) << row << ", " << column << " seed " << kSeed;
      }
    }
  }
}

TEST(VectorMatrix, FloatOfHalves) {
  check_float_result(Kind::kHalf, 64, "v_wmma_f32_16x16x16_f16");
}
TEST(VectorMatrix, FloatOfBfloats) {
  check_float_result(Kind::kBfloat, 65, "v_wmma_f32_16x16x16_bf16");
}

// 16-bit results lie in one half of eight registers; the other half stays.
void check_short_result(Kind kind, uint32_t opcode, const char* name, bool high) {
  note_tested(name);
  Values values;
  Machine m;
  Matrix a, b, c;
  fill(m, values, kind, a, b);
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) {
      const uint16_t bits = bits_of(kind, static_cast<long double>(row) * 2 - column);
      c[row][column] = value_of(kind, bits);
      element(m, kC, row, column) = high ? uint32_t{bits} << 16 | 0x1111u : 0x22220000u | bits;
      element(m, kD, row, column) = 0x5555aaaa;
    }
  }
  m.run(vop3p(opcode, kD, {v(kA), v(kB), v(kC)}, {.opsel = high ? 4u : 0u}));
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) {
      long double sum = c[row][column];
      for (uint32_t k = 0; k < 16; ++k) sum += a[row][k] * b[column][k];
      const uint32_t bits = bits_of(kind, sum);
      ASSERT_EQ(element(m, kD, row, column), high ? bits << 16 | 0xaaaau : 0x55550000u | bits)
          << row << ", " << column;
    }
  }
}

TEST(VectorMatrix, ShortResults) {
  for (const bool high : {false, true}) {
    check_short_result(Kind::kHalf, 66, "v_wmma_f16_16x16x16_f16", high);
    check_short_result(Kind::kBfloat, 67, "v_wmma_bf16_16x16x16_bf16", high);
  }
}

void check_integers(uint32_t opcode, uint32_t bits, const char* name, uint32_t signs, bool clamp) {
  note_tested(name);
  Values values;
  Machine m;
  int64_t a[16][16], b[16][16];
  const auto put = [&](uint32_t base, uint32_t line, uint32_t k, bool is_signed) -> int64_t {
    const uint32_t x = values.bits() % (1u << bits);
    place(m, base, line, k, bits, x);
    return is_signed && x >= 1u << (bits - 1) ? int64_t{x} - (1 << bits) : int64_t{x};
  };
  for (uint32_t line = 0; line < 16; ++line) {
    for (uint32_t k = 0; k < 16; ++k) {
      a[line][k] = put(kA, line, k, (signs & 1) != 0);
      b[line][k] = put(kB, line, k, (signs & 2) != 0);
    }
  }
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) element(m, kC, row, column) = values.integer();
  }
  m.run(vop3p(opcode, kD, {v(kA), v(kB), v(kC)}, {.neg = signs, .clamp = clamp ? 1u : 0u}));
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) {
      int64_t sum = static_cast<int32_t>(element(m, kC, row, column));
      for (uint32_t k = 0; k < 16; ++k) sum += a[row][k] * b[column][k];
      if (clamp) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      ASSERT_EQ(element(m, kD, row, column), static_cast<uint32_t>(sum)) << row << ", " << column;
    }
  }
}

TEST(VectorMatrix, Integers) {
  for (uint32_t signs = 0; signs < 4; ++signs) {
    for (const bool clamp : {false, true}) {
      check_integers(68, 8, "v_wmma_i32_16x16x16_iu8", signs, clamp);
      check_integers(69, 4, "v_wmma_i32_16x16x16_iu4", signs, clamp);
    }
  }
}

TEST(VectorMatrix, SignsOfSources) {
  Machine m;
  Values values;
  Matrix a, b;
  fill(m, values, Kind::kHalf, a, b);
  // Odd elements of A negative, C as the negative of its magnitude.
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column)
      element(m, kC, row, column) = std::bit_cast<uint32_t>(-2.0f);
  }
  m.run(vop3p(64, kD, {v(kA), v(kB), v(kC)}, {.neg = 4, .neg_hi = 5}));
  long double sum = -2;
  for (uint32_t k = 0; k < 16; ++k) sum += a[3][k] * b[5][k] * (k % 2 != 0 ? -1 : 1);
  EXPECT_NEAR(std::bit_cast<float>(element(m, kD, 3, 5)), static_cast<double>(sum), 1e-3);
}

// Code that fills only one half of the wave would work by luck; it is reported.
TEST(VectorMatrix, BothHalvesOfTheWaveMustHoldTheSame) {
  Machine m;
  Values values;
  Matrix a, b;
  fill(m, values, Kind::kHalf, a, b);
  m.reg(kB + 3)[20] ^= 1;
  const std::string report = m.fault_of(vop3p(64, kD, {v(kA), v(kB), v(kC)}));
  EXPECT_NE(report.find("matrix B do not repeat"), std::string::npos) << report;
  EXPECT_NE(report.find("lane 20"), std::string::npos) << report;
}

}  // namespace
}  // namespace halyard::emulator::test
