// Binary32 and binary64 instructions against plain arithmetic.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

bool signalling(float x) {
  return std::isnan(x) && (std::bit_cast<uint32_t>(x) & 0x400000u) == 0;
}
float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
// The numbers of an IEEE minimum in the usual mode, with -0 below 0.
float smaller(float a, float b) {
  if (signalling(a) || signalling(b)) return std::nanf("");
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return std::min(a, b);
}
float larger(float a, float b) {
  return -smaller(-a, -b);
}
float middle(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return smaller(smaller(a, b), c);
  // In the order of the published text, which decides the sign of a zero among zeros of both signs.
  const float largest = larger(larger(a, b), c);
  if (largest == a) return larger(b, c);
  return largest == b ? larger(a, c) : larger(a, b);
}
float once(long double x) {
  return flushed(static_cast<float>(x));
}

TEST(VectorFloat, SumsAndProducts) {
  check("v_add_f32", [](float a, float b) { return a + b; });
  check("v_sub_f32", [](float a, float b) { return a - b; });
  check("v_subrev_f32", [](float a, float b) { return b - a; });
  check("v_mul_f32", [](float a, float b) { return a * b; });
  check("v_mul_dx9_zero_f32", [](float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; });
  check("v_fma_f32", [](float a, float b, float c) { return std::fma(a, b, c); });
  check("v_fmac_f32", [](float a, float b, float c) { return std::fma(a, b, c); });
  check("v_fma_dx9_zero_f32", [](float a, float b, float c) {
    return a == 0 || b == 0 ? (std::isnan(c) ? std::nanf("") : c) : std::fma(a, b, c);
  });
}

TEST(VectorFloat, FmacWithZeroTimesAnything) {
  Machine machine;
  const float in[5][3] = {{0, HUGE_VALF, 3}, {2, 3, 4}, {-0.0f, 5, -1}, {HUGE_VALF, 0, 2}, {1.5f, 2, -3}};
  const float out[5] = {3, 10, -1, 2, 0};
  for (uint32_t lane = 0; lane < 5; ++lane) {
    machine.reg(1)[lane] = std::bit_cast<uint32_t>(in[lane][0]);
    machine.reg(2)[lane] = std::bit_cast<uint32_t>(in[lane][1]);
    machine.reg(3)[lane] = std::bit_cast<uint32_t>(in[lane][2]);
  }
  machine.run(vop2(row_named("v_fmac_dx9_zero_f32").opcode, 3, v(1), 2));
  for (uint32_t lane = 0; lane < 5; ++lane)
    EXPECT_EQ(std::bit_cast<float>(machine.reg(3)[lane]), out[lane]) << lane;
}

TEST(VectorFloat, MinMaxMedian) {
  check("v_min_f32", [](float a, float b) { return smaller(a, b); });
  check("v_max_f32", [](float a, float b) { return larger(a, b); });
  check("v_min3_f32", [](float a, float b, float c) { return smaller(smaller(a, b), c); });
  check("v_max3_f32", [](float a, float b, float c) { return larger(larger(a, b), c); });
  check("v_maxmin_f32", [](float a, float b, float c) { return smaller(larger(a, b), c); });
  check("v_minmax_f32", [](float a, float b, float c) { return larger(smaller(a, b), c); });
  check("v_med3_f32", [](float a, float b, float c) { return middle(a, b, c); });
}

TEST(VectorFloat, MinWithoutIeeeModeIgnoresSignallingNan) {
  Machine machine;
  machine.wave->mode = kKeepDenormals | kModeDx10Clamp;
  machine.reg(1)[0] = 0x7f800001;
  machine.reg(2)[0] = std::bit_cast<uint32_t>(5.0f);
  machine.run(vop2(15, 3, v(1), 2));
  EXPECT_EQ(std::bit_cast<float>(machine.reg(3)[0]), 5.0f);
}

TEST(VectorFloat, Rounding) {
  check("v_trunc_f32", [](float x) { return std::trunc(x); });
  check("v_ceil_f32", [](float x) { return std::ceil(x); });
  check("v_floor_f32", [](float x) { return std::floor(x); });
  check("v_rndne_f32", [](float x) { return std::nearbyint(x); });
  check("v_fract_f32", [](float x) {
    if (std::isinf(x)) return std::nanf("");
    return std::min(x - std::floor(x), std::nextafter(1.0f, 0.0f)) + (std::isnan(x) ? x : 0.0f);
  });
  check("v_ldexp_f32", [](float x, int32_t e) { return std::scalbn(x, std::max(-500, std::min(500, e))); });
  check("v_frexp_exp_i32_f32", [](float x) { return std::isfinite(x) && x != 0 ? std::ilogb(x) + 1 : 0; });
  check("v_frexp_mant_f32",
        [](float x) { return std::isfinite(x) && x != 0 ? std::scalbn(x, -std::ilogb(x) - 1) : x + x; });
}

TEST(VectorFloat, Functions) {
  check("v_rcp_f32", [](float x) { return once(1.0L / static_cast<long double>(flushed(x))); });
  check("v_rcp_iflag_f32", [](float x) { return once(1.0L / static_cast<long double>(flushed(x))); });
  check("v_rsq_f32", [](float x) { return once(1.0L / std::sqrt(static_cast<long double>(flushed(x)))); });
  check("v_sqrt_f32", [](float x) { return std::sqrt(flushed(x)); });
  check("v_exp_f32", [](float x) { return once(std::exp2(static_cast<long double>(flushed(x)))); });
  check("v_log_f32", [](float x) { return once(std::log2(static_cast<long double>(flushed(x)))); });
}

// Quarter turns are exact, everything else is close to the library's long double.
TEST(VectorFloat, SineAndCosineOfTurns) {
  Machine machine;
  Values values;
  const float exact[6][3] = {{0, 0, 1},       {0.25f, 1, 0},     {0.5f, 0, -1},
                             {-0.25f, -1, 0}, {1024.75f, -1, 0}, {0x1.fffffep127f, 0, 1}};
  for (int round = 0; round < 100; ++round) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      machine.reg(1)[lane] = lane < 6 ? std::bit_cast<uint32_t>(exact[lane][0]) : values.float_bits();
    }
    machine.run(vop1(row_named("v_sin_f32").opcode, 2, v(1)));
    machine.run(vop1(row_named("v_cos_f32").opcode, 3, v(1)));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const float x = std::bit_cast<float>(machine.reg(1)[lane]);
      const float sine = std::bit_cast<float>(machine.reg(2)[lane]);
      const float cosine = std::bit_cast<float>(machine.reg(3)[lane]);
      if (lane < 6) {
        EXPECT_EQ(sine, exact[lane][1]) << x;
        EXPECT_EQ(cosine, exact[lane][2]) << x;
      } else if (!std::isfinite(x)) {
        EXPECT_TRUE(std::isnan(sine) && std::isnan(cosine)) << x;
      } else {
        const long double turn = std::remainder(static_cast<long double>(x), 1.0L) * 2 * std::acos(-1.0L);
        EXPECT_NEAR(sine, static_cast<double>(std::sin(turn)), 2e-7) << x;
        EXPECT_NEAR(cosine, static_cast<double>(std::cos(turn)), 2e-7) << x;
      }
    }
  }
}

// The steps that a compiler makes of a division give the quotient rounded once, for every pair.
TEST(VectorFloat, DivisionInSteps) {
  for (const char* name : {"v_div_scale_f32", "v_div_fmas_f32", "v_div_fixup_f32"}) note_tested(name);
  Machine machine;
  Values values;
  constexpr uint32_t kOne = 242;
  for (int round = 0; round < 400; ++round) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      machine.reg(1)[lane] = round % 2 == 0 ? values.float_bits() : values.bits();
      machine.reg(2)[lane] = round % 2 == 0 ? values.float_bits() : values.bits();
    }
    const uint32_t n = v(1), d = v(2);
    machine.run(vop3sd(764, 3, kNull, {d, d, n}));              // v3: denominator, scaled
    machine.run(vop3sd(764, 4, kVccLo, {n, d, n}));             // v4: numerator, scaled; vcc
    machine.run(vop1(42, 5, v(3)));                             // v5 = 1 / v3, roughly
    machine.run(vop3(531, 6, {v(3), v(5), kOne}, {.neg = 1}));  // two Newton steps and a correction
    machine.run(vop3(531, 5, {v(6), v(5), v(5)}));
    machine.run(vop3(264, 6, {v(4), v(5), 0}));
    machine.run(vop3(531, 7, {v(3), v(6), v(4)}, {.neg = 1}));
    machine.run(vop3(531, 6, {v(7), v(5), v(6)}));
    machine.run(vop3(531, 7, {v(3), v(6), v(4)}, {.neg = 1}));
    machine.run(vop3(567, 6, {v(7), v(5), v(6)}));
    machine.run(vop3(551, 6, {v(6), d, n}));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const float a = std::bit_cast<float>(machine.reg(1)[lane]);
      const float b = std::bit_cast<float>(machine.reg(2)[lane]);
      const std::string bad = difference(a / b, machine.reg(6)[lane], 0);
      EXPECT_EQ(bad, "") << a << " / " << b << " seed " << kSeed;
    }
    if (HasFailure()) return;
  }
}

TEST(VectorFloat, MultiplyAddWithLiteral) {
  note_tested("v_fmamk_f32");
  note_tested("v_fmaak_f32");
  Machine machine;
  Values values;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    machine.reg(1)[lane] = values.float_bits();
    machine.reg(2)[lane] = values.float_bits();
  }
  Words k = vop2(44, 3, v(1), 2);
  Words a = vop2(45, 4, v(1), 2);
  k.push_back(std::bit_cast<uint32_t>(2.5f));
  a.push_back(std::bit_cast<uint32_t>(2.5f));
  machine.run(k);
  machine.run(a);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const float x = std::bit_cast<float>(machine.reg(1)[lane]);
    const float y = std::bit_cast<float>(machine.reg(2)[lane]);
    EXPECT_EQ(difference(std::fma(x, 2.5f, y), machine.reg(3)[lane], 0), "") << x << " " << y;
    EXPECT_EQ(difference(std::fma(x, y, 2.5f), machine.reg(4)[lane], 0), "") << x << " " << y;
  }
}

double smaller(double a, double b) {
  if (std::isnan(a) && (std::bit_cast<uint64_t>(a) & 0x8000000000000u) == 0) return a;
  if (std::isnan(b) && (std::bit_cast<uint64_t>(b) & 0x8000000000000u) == 0) return b;
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return std::min(a, b);
}

TEST(VectorDouble, Arithmetic) {
  check("v_add_f64", [](double a, double b) { return a + b; });
  check("v_mul_f64", [](double a, double b) { return a * b; });
  check("v_fma_f64", [](double a, double b, double c) { return std::fma(a, b, c); });
  check("v_min_f64", [](double a, double b) { return smaller(a, b); });
  check("v_max_f64", [](double a, double b) { return -smaller(-a, -b); });
  check("v_rcp_f64", [](double x) { return 1 / x; });
  check("v_sqrt_f64", [](double x) { return std::sqrt(x); });
  check("v_rsq_f64", [](double x) { return 1 / std::sqrt(x); });
  check("v_trunc_f64", [](double x) { return std::trunc(x); });
  check("v_ceil_f64", [](double x) { return std::ceil(x); });
  check("v_floor_f64", [](double x) { return std::floor(x); });
  check("v_rndne_f64", [](double x) { return std::nearbyint(x); });
  check("v_fract_f64", [](double x) {
    if (!std::isfinite(x)) return std::nan("");
    return std::min(x - std::floor(x), std::nextafter(1.0, 0.0));
  });
  check("v_ldexp_f64",
        [](double x, int32_t e) { return std::scalbn(x, std::max(-4000, std::min(4000, e))); });
  check("v_frexp_exp_i32_f64", [](double x) { return std::isfinite(x) && x != 0 ? std::ilogb(x) + 1 : 0; });
  check("v_frexp_mant_f64",
        [](double x) { return std::isfinite(x) && x != 0 ? std::scalbn(x, -std::ilogb(x) - 1) : x + x; });
}

TEST(VectorDouble, DivisionInSteps) {
  for (const char* name : {"v_div_scale_f64", "v_div_fmas_f64", "v_div_fixup_f64"}) note_tested(name);
  Machine machine;
  Values values;
  constexpr uint32_t kOne = 242;
  for (int round = 0; round < 200; ++round) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t r = 10; r < 14; r += 2) {
        const uint64_t bits = values.double_bits();
        machine.reg(r)[lane] = static_cast<uint32_t>(bits);
        machine.reg(r + 1)[lane] = static_cast<uint32_t>(bits >> 32);
      }
    }
    const uint32_t n = v(10), d = v(12);
    machine.run(vop3sd(765, 20, kNull, {d, d, n}));
    machine.run(vop3sd(765, 22, kVccLo, {n, d, n}));
    machine.run(vop1(47, 24, v(20)));
    for (int step = 0; step < 2; ++step) {
      machine.run(vop3(532, 26, {v(20), v(24), kOne}, {.neg = 1}));
      machine.run(vop3(532, 24, {v(24), v(26), v(24)}));
    }
    machine.run(vop3(808, 26, {v(22), v(24), 0}));
    machine.run(vop3(532, 28, {v(20), v(26), v(22)}, {.neg = 1}));
    machine.run(vop3(568, 26, {v(28), v(24), v(26)}));
    machine.run(vop3(552, 26, {v(26), d, n}));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto value = [&](uint32_t r) {
        return std::bit_cast<double>(uint64_t{machine.reg(r + 1)[lane]} << 32 | machine.reg(r)[lane]);
      };
      const double expected = value(10) / value(12);
      const double found = value(26);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(found));
      } else if (std::fpclassify(expected) == FP_SUBNORMAL) {
        // The last step rounds a second time there.
        EXPECT_LE(std::fabs(expected - found), 0x1p-1074) << value(10) << " / " << value(12);
      } else {
        EXPECT_EQ(std::bit_cast<uint64_t>(expected), std::bit_cast<uint64_t>(found))
            << value(10) << " / " << value(12) << " seed " << kSeed;
      }
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace halyard::emulator::test
