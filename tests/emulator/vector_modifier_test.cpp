// Modifiers of sources and results, constants, halves, and what MODE changes.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

constexpr uint32_t kNoIeee = kKeepDenormals | kModeDx10Clamp;
constexpr uint32_t kFlush = kModeDx10Clamp;  // neither denormals nor IEEE

float clamped(float x) {
  return x > 0 ? std::min(x, 1.0f) : 0.0f;
}
float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

TEST(VectorModifier, AbsAndNeg) {
  check("v_add_f32", [](float a, float b) { return -a + b; }, {.neg = 1});
  check("v_add_f32", [](float a, float b) { return std::fabs(a) - std::fabs(b); }, {.neg = 2, .abs = 3});
  check("v_fma_f32", [](float a, float b, float c) { return std::fma(-std::fabs(a), b, -c); },
        {.neg = 5, .abs = 1});
  check("v_add_f64", [](double a, double b) { return -a + std::fabs(b); }, {.neg = 1, .abs = 2});
  check("v_mov_b32", [](uint32_t x) { return x | 0x80000000u; }, {.neg = 1, .abs = 1});
  check("v_cndmask_b32", [](uint32_t a, uint32_t b, bool m) { return m ? b & 0x7fffffffu : a ^ 0x80000000u; },
        {.neg = 1, .abs = 2});
  check("v_cmp_lt_f32", [](float a, float b) { return std::fabs(a) < -b; }, {.neg = 2, .abs = 1});
  check("v_add_f16",
        [](F16 a, F16 b) { return F16{half_nearest(-half_value(a.bits) + std::fabs(half_value(b.bits)))}; },
        {.neg = 1, .abs = 2});
}

TEST(VectorModifier, ClampOfFloats) {
  check("v_add_f32", [](float a, float b) { return clamped(a + b); }, {.clamp = 1});
  check("v_max_f32",
        [](float a, float b) {
          const bool signalling = (std::isnan(a) && (std::bit_cast<uint32_t>(a) & 0x400000u) == 0) ||
                                  (std::isnan(b) && (std::bit_cast<uint32_t>(b) & 0x400000u) == 0);
          return signalling ? 0.0f : clamped(std::isnan(a) ? b : std::isnan(b) ? a : std::max(a, b));
        },
        {.clamp = 1});
  check(
      "v_add_f32", [](float a, float b) { return std::isnan(a + b) ? a + b : clamped(a + b); }, {.clamp = 1},
      kKeepDenormals | kModeIeee);
  check("v_add_f64", [](double a, double b) { return a + b > 0 ? std::min(a + b, 1.0) : 0.0; }, {.clamp = 1});
  check("v_mul_f16",
        [](F16 a, F16 b) {
          const long double x = half_value(a.bits) * half_value(b.bits);
          return F16{half_nearest(x > 0 ? std::min(x, 1.0L) : 0.0L)};
        },
        {.clamp = 1});
  check("v_pk_mul_f16",
        [](Two<F16> a, Two<F16> b) {
          const long double x = half_value(a.lo.bits) * half_value(b.lo.bits);
          const long double y = half_value(a.hi.bits) * half_value(b.hi.bits);
          return Two<F16>{{half_nearest(x > 0 ? std::min(x, 1.0L) : 0.0L)},
                          {half_nearest(y > 0 ? std::min(y, 1.0L) : 0.0L)}};
        },
        {.clamp = 1});
}

TEST(VectorModifier, OutputFactor) {
  static constexpr float kFactor[4] = {1, 2, 4, 0.5f};
  // Ignored while denormal results are kept, and in IEEE mode.
  check("v_add_f32", [](float a, float b) { return a + b; }, {.omod = 1}, kNoIeee);
  check(
      "v_add_f32", [](float a, float b) { return flushed(flushed(a) + flushed(b)); }, {.omod = 2},
      kFlush | kModeIeee);
  check(
      "v_mul_f32",
      [](float a, float b) {
        const float x = flushed(a) * flushed(b) * kFactor[1];
        return x == 0 ? 0.0f : flushed(x);
      },
      {.omod = 1}, kFlush);
  check(
      "v_mul_f32",
      [](float a, float b) {
        const float x = flushed(a) * flushed(b) * kFactor[2];
        return x == 0 ? 0.0f : flushed(x);
      },
      {.omod = 2}, kFlush);
  check(
      "v_add_f32",
      [](float a, float b) {
        const float x = (flushed(a) + flushed(b)) * kFactor[3];
        return x > 0 ? clamped(flushed(x)) : 0.0f;
      },
      {.omod = 3, .clamp = 1}, kFlush);
}

TEST(VectorModifier, DenormalsByMode) {
  check(
      "v_add_f32", [](float a, float b) { return flushed(flushed(a) + flushed(b)); }, {}, kFlush | kModeIeee);
  check("v_add_f32", [](float a, float b) { return flushed(a + b); }, {}, kUsualMode & ~kModeDenorm32Out);
  check(
      "v_add_f32", [](float a, float b) { return flushed(a) + flushed(b); }, {},
      kUsualMode & ~kModeDenorm32In);
  check(
      "v_add_f16",
      [](F16 a, F16 b) {
        const auto zeroed = [](uint16_t x) {
          return static_cast<uint16_t>((x & 0x7c00) == 0 ? x & 0x8000 : x);
        };
        return F16{zeroed(half_nearest(half_value(zeroed(a.bits)) + half_value(zeroed(b.bits))))};
      },
      {}, kUsualMode & ~(kModeDenorm16_64In | kModeDenorm16_64Out));
  check(
      "v_mul_f64",
      [](double a, double b) {
        const auto zeroed = [](double x) {
          return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0, x) : x;
        };
        return zeroed(zeroed(a) * zeroed(b));
      },
      {}, kUsualMode & ~(kModeDenorm16_64In | kModeDenorm16_64Out));
  // Bits are not numbers: a move keeps them.
  check("v_mov_b32", [](uint32_t x) { return x; }, {}, kFlush);
}

TEST(VectorModifier, DenormalsInDualInstructions) {
  Machine m;
  m.wave->mode = kFlush;
  m.reg(1)[0] = 1;
  m.reg(2)[0] = std::bit_cast<uint32_t>(1.0f);
  m.reg(3)[0] = 0x00800000;
  m.reg(4)[0] = std::bit_cast<uint32_t>(0.5f);
  // X: v6 = v1 + v2; Y: v7 = v3 * v4
  m.run({0xc8000000u | 4u << 22 | 3u << 17 | 2u << 9 | v(1), 6u << 24 | 3u << 17 | 4u << 9 | v(3)});
  EXPECT_EQ(std::bit_cast<float>(m.reg(6)[0]), 1.0f);
  EXPECT_EQ(m.reg(7)[0], 0u);
}

// opsel of VOP3 chooses halves of sources and of the result, whose other half stays.
TEST(VectorModifier, Halves) {
  for (uint32_t opsel = 0; opsel < 16; ++opsel) {
    Machine m;
    Values values;
    uint32_t a[kLanes], b[kLanes], c[kLanes], d[kLanes];
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      a[lane] = m.reg(1)[lane] = values.bits();
      b[lane] = m.reg(2)[lane] = values.bits();
      c[lane] = m.reg(3)[lane] = values.bits();
      d[lane] = m.reg(4)[lane] = values.bits();
    }
    m.run(vop3(577, 4, {v(1), v(2), v(3)}, {.opsel = opsel}));  // v_mad_u16
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto half = [&](uint32_t x, uint32_t bit) {
        return (opsel >> bit & 1) != 0 ? x / 65536 : x % 65536;
      };
      const uint32_t result = (half(a[lane], 0) * half(b[lane], 1) + half(c[lane], 2)) % 65536;
      const uint32_t expected =
          (opsel & 8) != 0 ? result * 65536 + d[lane] % 65536 : d[lane] / 65536 * 65536 + result;
      ASSERT_EQ(m.reg(4)[lane], expected) << opsel;
    }
  }
}

// In the short forms bit 7 of a register number chooses the half.
TEST(VectorModifier, HalvesInShortForms) {
  Machine m;
  m.reg(1)[0] = 0x40003c00;  // 2, 1
  m.reg(2)[0] = 0x48004400;  // 8, 4
  m.reg(3)[0] = 0x12345678;
  m.run(vop2(50, 3 + 128, v(1 + 128), 2));  // v3.h = v1.h + v2.l
  EXPECT_EQ(m.reg(3)[0], 0x46005678u);
  m.run(vop2(54, 3, v(1), 2 + 128));  // v3.l = v1.l * v2.h + v3.l
  EXPECT_EQ(m.reg(3)[0] & 0xffffu, half_nearest(8 + half_value(0x5678)));
  m.run(vop1(11, 4, v(2 + 128)));  // a float register number is not touched by this
  EXPECT_EQ(std::bit_cast<float>(m.reg(4)[0]), 8.0f);
  m.run(vopc(1, v(1 + 128), 2 + 128));  // 2 < 8
  EXPECT_EQ(m.wave->vcc() & 1u, 1u);
}

TEST(VectorModifier, Constants) {
  Machine m;
  m.wave->sgpr[8] = 0x11111111;
  m.wave->sgpr[9] = 0x22222222;
  const auto moved = [&](uint32_t operand) {
    m.run(vop1(1, 1, operand));
    return m.reg(1)[5];
  };
  EXPECT_EQ(moved(128 + 64), 64u);
  EXPECT_EQ(moved(208), static_cast<uint32_t>(-16));
  EXPECT_EQ(std::bit_cast<float>(moved(247)), -4.0f);
  EXPECT_EQ(moved(8), 0x11111111u);
  m.reg(2)[5] = 0x3c003c00;
  m.run(vop2(50, 3, 244, 2));  // 16-bit: 2.0 is a half
  EXPECT_EQ(m.reg(3)[5] & 0xffffu, 0x4200u);
  m.run(vop3p(15, 3, {242, v(2), 0},
              {.opsel_hi = 6}));  // packed: the constant is in the low half, here for both
  EXPECT_EQ(m.reg(3)[5], 0x40004000u);
  m.run(vop3p(15, 3, {242, v(2), 0}));
  EXPECT_EQ(m.reg(3)[5], 0x3c004000u);
  m.run(vop3p(10, 3, {193, v(2), 0}));  // packed integers: -1 fills both
  EXPECT_EQ(m.reg(3)[5], 0x3bff3bffu);
  m.run(vop3p(32, 3, {242, 244, 240}, {.opsel_hi = 0}));  // mixed: floats
  EXPECT_EQ(std::bit_cast<float>(m.reg(3)[5]), 2.5f);
  m.run(vop3p(32, 3, {242, 244, 240}, {.opsel_hi = 7}));  // and halves
  EXPECT_EQ(std::bit_cast<float>(m.reg(3)[5]), 2.5f);
  // 64 bits: a scalar pair, a floating constant, a literal as the upper half, integers with their sign.
  m.run(vop3(828, 4, {128, 8, 0}));
  EXPECT_EQ(m.reg(4)[5], 0x11111111u);
  EXPECT_EQ(m.reg(5)[5], 0x22222222u);
  Words sum = vop3(807, 4, {242, 255, 0});
  sum.push_back(0x40080000);  // 3.0
  m.run(sum);
  EXPECT_EQ(m.reg(5)[5], 0x40100000u);
  EXPECT_EQ(m.reg(4)[5], 0u);
  m.run(vop3(830, 4, {129, 195, 0}));  // -3 >> 1
  EXPECT_EQ(m.reg(4)[5], 0xfffffffeu);
  EXPECT_EQ(m.reg(5)[5], 0xffffffffu);
}

// A source may be the result register.
TEST(VectorModifier, ResultOverSource) {
  Machine m;
  m.reg(1)[3] = 5;
  m.reg(2)[3] = 7;
  m.run(vop2(37, 1, v(1), 1));
  EXPECT_EQ(m.reg(1)[3], 10u);
  // v[2:3] = v1 * v2 + v[1:2]
  m.run(vop3sd(766, 2, kNull, {v(1), v(2), v(1)}));
  EXPECT_EQ(m.reg(2)[3], 80u);
  EXPECT_EQ(m.reg(3)[3], 7u);
}

TEST(VectorModifier, UnknownEncodings) {
  const Words unknown[] = {
      {0x7e000000u | 200u << 9 | 1u},                                   // VOP1 without such an opcode
      {0xd4000000u | 1000u << 16, 0},                                   // VOP3
      {0xcc000000u | 100u << 16, 0},                                    // VOP3P
      {0xc8000000u | 14u << 22, 0},                                     // VOPD
      {0x7e000000u | 1u << 17 | 1u << 9 | 209u},                        // reserved source
      {0x7e000000u | 1u << 17 | 1u << 9 | 255u},                        // the literal is missing
      {0xd5320001u},                                                    // the second dword is missing
      {0xd4000000u | 828u << 16 | 255u, v(1) | v(2) << 9},              // v[255:256]
      {0xd4000000u | 828u << 16 | 2u, v(1) | v(255) << 9},              // a source of v[255:256]
      {0xcc000000u | 64u << 16 | 250u, v(0) | v(8) << 9 | v(16) << 18}  // a matrix beyond v255
  };
  for (const Words& words : unknown) {
    Instruction i;
    EXPECT_FALSE(decode_vector(words.data(), words.size(), i)) << std::hex << words[0];
  }
}

}  // namespace
}  // namespace halyard::emulator::test
