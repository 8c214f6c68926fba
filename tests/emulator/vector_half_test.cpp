// 16-bit floating point, packed and mixed, and dot products, against arithmetic in long double rounded once.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

using H = F16;
using H2 = Two<F16>;
using B = BF16;
using B2 = Two<BF16>;

long double value(H x) {
  return half_value(x.bits);
}
long double value(B x) {
  return bfloat_value(x.bits);
}
H near(long double x) {
  return {half_nearest(x)};
}
// Of exact sums of exact products: 64 bits of long double hold them as far as the rounding can see.
H fused(H a, H b, H c) {
  return near(value(a) * value(b) + value(c));
}
bool signalling(H x) {
  return is_nan_16(x.bits) && (x.bits & 0x200) == 0;
}
H smaller(H a, H b) {
  if (signalling(a) || signalling(b)) return {0x7e00};
  if (is_nan_16(a.bits)) return b;
  if (is_nan_16(b.bits)) return a;
  if (value(a) == value(b)) return (a.bits & 0x8000) != 0 ? a : b;
  return value(a) < value(b) ? a : b;
}
H negated(H x) {
  return {static_cast<uint16_t>(x.bits ^ 0x8000)};
}
H larger(H a, H b) {
  return negated(smaller(negated(a), negated(b)));
}
H middle(H a, H b, H c) {
  if (is_nan_16(a.bits) || is_nan_16(b.bits) || is_nan_16(c.bits)) return smaller(smaller(a, b), c);
  const H largest = larger(larger(a, b), c);
  if (value(largest) == value(a)) return larger(b, c);
  return value(largest) == value(b) ? larger(a, c) : larger(a, b);
}

TEST(VectorHalf, ConversionsOfTheTestsThemselves) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t h = static_cast<uint16_t>(bits);
    if (is_nan_16(h)) continue;
    ASSERT_EQ(half_nearest(half_value(h)), h);
    ASSERT_EQ(half_toward_zero(half_value(h)), h);
    ASSERT_EQ(static_cast<long double>(half_to_float(h)), half_value(h));
    ASSERT_EQ(float_to_half(half_to_float(h)), h);
  }
}

TEST(VectorHalf, RoundingFromFloat) {
  Values values;
  for (int n = 0; n < 300000; ++n) {
    const uint32_t bits = n % 2 == 0 ? values.float_bits() : (values.bits() & 0x8fffffffu) | 0x30000000u;
    const float f = std::bit_cast<float>(bits);
    if (std::isnan(f)) continue;
    ASSERT_EQ(float_to_half(f), half_nearest(f)) << f;
    ASSERT_EQ(float_to_half_toward_zero(f), half_toward_zero(f)) << f;
    ASSERT_EQ(float_to_bfloat(f), bfloat_nearest(f)) << f;
  }
}

TEST(VectorHalf, SumsAndProducts) {
  check("v_add_f16", [](H a, H b) { return near(value(a) + value(b)); });
  check("v_sub_f16", [](H a, H b) { return near(value(a) - value(b)); });
  check("v_subrev_f16", [](H a, H b) { return near(value(b) - value(a)); });
  check("v_mul_f16", [](H a, H b) { return near(value(a) * value(b)); });
  check("v_fma_f16", [](H a, H b, H c) { return fused(a, b, c); });
  check("v_fmac_f16", [](H a, H b, H c) { return fused(a, b, c); });
}

TEST(VectorHalf, MinMaxMedian) {
  check("v_min_f16", [](H a, H b) { return smaller(a, b); });
  check("v_max_f16", [](H a, H b) { return larger(a, b); });
  check("v_min3_f16", [](H a, H b, H c) { return smaller(smaller(a, b), c); });
  check("v_max3_f16", [](H a, H b, H c) { return larger(larger(a, b), c); });
  check("v_med3_f16", [](H a, H b, H c) { return middle(a, b, c); });
  check("v_maxmin_f16", [](H a, H b, H c) { return smaller(larger(a, b), c); });
  check("v_minmax_f16", [](H a, H b, H c) { return larger(smaller(a, b), c); });
}

TEST(VectorHalf, RoundingAndParts) {
  check("v_floor_f16", [](H x) { return near(std::floor(value(x))); });
  check("v_ceil_f16", [](H x) { return near(std::ceil(value(x))); });
  check("v_trunc_f16", [](H x) { return near(std::trunc(value(x))); });
  check("v_rndne_f16", [](H x) { return near(std::nearbyint(value(x))); });
  check("v_fract_f16", [](H x) {
    if (std::isinf(value(x))) return H{0x7e00};
    const long double part = value(x) - std::floor(value(x));
    return part >= 0.99975L ? H{0x3bff} : near(part);
  });
  check("v_frexp_mant_f16", [](H x) {
    const long double y = value(x);
    return near(std::isfinite(y) && y != 0 ? std::scalbn(y, -std::ilogb(y) - 1) : y);
  });
  check("v_frexp_exp_i16_f16", [](H x) {
    const long double y = value(x);
    return static_cast<int16_t>(std::isfinite(y) && y != 0 ? std::ilogb(y) + 1 : 0);
  });
  check("v_ldexp_f16", [](H x, int16_t e) { return near(std::scalbn(value(x), e)); });
  check("v_div_fixup_f16", [](H q, H d, H n) {
    const long double x = value(n), y = value(d);
    const uint16_t sign = static_cast<uint16_t>((n.bits ^ d.bits) & 0x8000);
    if (std::isnan(x) || std::isnan(y) || (x == 0 && y == 0) || (std::isinf(x) && std::isinf(y)))
      return H{0x7e00};
    if (y == 0 || std::isinf(x)) return H{static_cast<uint16_t>(sign | 0x7c00)};
    if (x == 0 || std::isinf(y)) return H{sign};
    if (is_nan_16(q.bits)) return H{static_cast<uint16_t>(sign | 0x7c00)};
    return H{static_cast<uint16_t>(sign | (q.bits & 0x7fff))};
  });
}

TEST(VectorHalf, Functions) {
  check("v_rcp_f16", [](H x) { return near(1.0L / value(x)); });
  check("v_sqrt_f16", [](H x) { return near(std::sqrt(value(x))); });
  check("v_rsq_f16", [](H x) { return near(1.0L / std::sqrt(value(x))); });
  check("v_exp_f16", [](H x) { return near(std::exp2(value(x))); });
  check("v_log_f16", [](H x) { return near(std::log2(value(x))); });
  check("v_sin_f16", [](H x) {
    const long double turn = std::isfinite(value(x)) ? std::remainder(value(x), 1.0L) : value(x) * 0;
    if (turn == 0) return H{static_cast<uint16_t>(x.bits & 0x8000)};
    if (std::fabs(turn) == 0.5L) return H{0};
    return near(std::sin(turn * 2 * std::acos(-1.0L)));
  });
  check("v_cos_f16", [](H x) {
    const long double turn = std::isfinite(value(x)) ? std::remainder(value(x), 1.0L) : value(x) * 0;
    return std::fabs(turn) == 0.25L ? H{0} : near(std::cos(turn * 2 * std::acos(-1.0L)));
  });
}

TEST(VectorHalf, Packed) {
  check("v_pk_add_f16",
        [](H2 a, H2 b) { return H2{near(value(a.lo) + value(b.lo)), near(value(a.hi) + value(b.hi))}; });
  check("v_pk_mul_f16",
        [](H2 a, H2 b) { return H2{near(value(a.lo) * value(b.lo)), near(value(a.hi) * value(b.hi))}; });
  check("v_pk_min_f16", [](H2 a, H2 b) { return H2{smaller(a.lo, b.lo), smaller(a.hi, b.hi)}; });
  check("v_pk_max_f16", [](H2 a, H2 b) { return H2{larger(a.lo, b.lo), larger(a.hi, b.hi)}; });
  const auto fma2 = [](H2 a, H2 b, H2 c) { return H2{fused(a.lo, b.lo, c.lo), fused(a.hi, b.hi, c.hi)}; };
  check("v_pk_fma_f16", fma2);
  check("v_pk_fmac_f16", fma2);
}

// opsel chooses what the low result is made of, opsel_hi the same for the high one, neg and neg_hi their
// signs.
TEST(VectorHalf, PackedHalvesCrossed) {
  check(
      "v_pk_fma_f16",
      [](H2 a, H2 b, H2 c) { return H2{fused(a.hi, negated(b.lo), c.lo), fused(a.lo, b.hi, negated(c.lo))}; },
      {.neg = 2, .opsel = 1, .neg_hi = 4, .opsel_hi = 2});
}

TEST(VectorHalf, Mixed) {
  check("v_fma_mix_f32", [](float a, float b, float c) { return std::fma(a, b, c); }, {.opsel_hi = 0});
  check("v_fma_mix_f32",
        [](H2 a, float b, H2 c) {
          return std::fma(static_cast<float>(value(a.hi)), -b, static_cast<float>(std::fabs(value(c.lo))));
        },
        {.neg = 2, .opsel = 1, .neg_hi = 4, .opsel_hi = 5});
  check("v_fma_mixlo_f16",
        [](H2 a, float b, H2 c) {
          return near(std::fma(static_cast<float>(value(a.lo)), b, static_cast<float>(value(c.hi))));
        },
        {.opsel = 4, .opsel_hi = 5});
}

TEST(VectorHalf, MixedToTheHighHalf) {
  note_tested("v_fma_mixhi_f16");
  Machine machine;
  machine.reg(1)[0] = std::bit_cast<uint32_t>(3.0f);
  machine.reg(2)[0] = std::bit_cast<uint32_t>(0.5f);
  machine.reg(3)[0] = 0xabcd1234;
  machine.run(vop3p(34, 3, {v(1), v(2), 242}, {.opsel_hi = 0}));
  EXPECT_EQ(machine.reg(3)[0], 0x41001234u);  // 2.5
}

TEST(VectorHalf, MultiplyAddWithLiteral) {
  note_tested("v_fmamk_f16");
  note_tested("v_fmaak_f16");
  Machine machine;
  Values values;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    machine.reg(1)[lane] = values.half_bits();
    machine.reg(2)[lane] = values.half_bits();
  }
  Words k = vop2(55, 3, v(1), 2);
  Words a = vop2(56, 4, v(1), 2);
  k.push_back(0x4100);
  a.push_back(0x4100);
  machine.run(k);
  machine.run(a);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const H x{static_cast<uint16_t>(machine.reg(1)[lane])};
    const H y{static_cast<uint16_t>(machine.reg(2)[lane])};
    EXPECT_EQ(difference(fused(x, H{0x4100}, y), machine.reg(3)[lane], 0), "");
    EXPECT_EQ(difference(fused(x, y, H{0x4100}), machine.reg(4)[lane], 0), "");
  }
}

// The last bit is free: the hardware's own order of rounding is not published.
template <class T>
void check_dot(const std::string& name) {
  const VectorOp& row = row_named(name);
  Machine machine;
  Values values;
  for (int round = 0; round < 100; ++round) {
    Trial t;
    t.exec = values.bits();
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      t.in[0][lane] = values.of<Two<T>>();
      t.in[1][lane] = values.of<Two<T>>();
      t.in[2][lane] = values.float_bits();
      t.before[lane] = values.bits();
    }
    const bool ran = run_trial(machine, row, 0, {}, t, 0, -1) || run_trial(machine, row, 1, {}, t, 0, -1);
    ASSERT_TRUE(ran);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((t.exec >> lane & 1) == 0) {
        EXPECT_EQ(t.out[lane], t.before[lane]);
        continue;
      }
      const auto a = FromRegister<Two<T>>::get(t.in[0][lane]);
      const auto b = FromRegister<Two<T>>::get(t.in[1][lane]);
      const long double c = std::bit_cast<float>(static_cast<uint32_t>(t.in[2][lane]));
      const long double p = value(a.lo) * value(b.lo), q = value(a.hi) * value(b.hi);
      const long double exact = p + q + c;
      const float found = std::bit_cast<float>(static_cast<uint32_t>(t.out[lane]));
      if (std::isnan(exact)) {
        EXPECT_TRUE(std::isnan(found));
        continue;
      }
      const long double largest = std::max({std::fabs(p), std::fabs(q), std::fabs(c)});
      if (std::isinf(exact) || largest > 3.4e38L) continue;
      EXPECT_LE(std::fabs(exact - found), largest * 0x1p-23L + 0x1p-149L) << name << " seed " << kSeed;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(VectorDot, OfHalves) {
  check_dot<F16>("v_dot2_f32_f16");
  check_dot<F16>("v_dot2acc_f32_f16");
  check_dot<BF16>("v_dot2_f32_bf16");
  check("v_dot2_f16_f16", [](H2 a, H2 b, H c) {
    return near(value(a.lo) * value(b.lo) + value(a.hi) * value(b.hi) + value(c));
  });
}

TEST(VectorDot, OfBfloats) {
  note_tested("v_dot2_bf16_bf16");
  Machine machine;
  machine.reg(1)[0] = 0x3f804000;  // 1, 2
  machine.reg(2)[0] = 0x404040a0;  // 3, 5
  machine.reg(3)[0] = 0x77773f00;  // 0.5
  machine.reg(4)[0] = 0x12345678;
  machine.run(vop3(615, 4, {v(1), v(2), v(3)}));
  EXPECT_EQ(machine.reg(4)[0], 0x12344158u);  // 1 * 3 + 2 * 5 + 0.5 = 13.5
}

template <int kBits>
int64_t sum_of_products(uint32_t a, uint32_t b, bool a_signed, bool b_signed) {
  int64_t sum = 0;
  for (int k = 0; k < 32 / kBits; ++k) {
    int64_t x = a >> (kBits * k) & ((1 << kBits) - 1);
    int64_t y = b >> (kBits * k) & ((1 << kBits) - 1);
    if (a_signed && x >= 1 << (kBits - 1)) x -= 1 << kBits;
    if (b_signed && y >= 1 << (kBits - 1)) y -= 1 << kBits;
    sum += x * y;
  }
  return sum;
}

TEST(VectorDot, OfIntegers) {
  check("v_dot4_u32_u8", [](uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(sum_of_products<8>(a, b, false, false) + c);
  });
  check("v_dot8_u32_u4", [](uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(sum_of_products<4>(a, b, false, false) + c);
  });
  check("v_dot4_i32_iu8",
        [](uint32_t a, uint32_t b, uint32_t c) {
          return static_cast<uint32_t>(sum_of_products<8>(a, b, true, true) + c);
        },
        {.neg = 3});
  check("v_dot4_i32_iu8",
        [](uint32_t a, uint32_t b, uint32_t c) {
          return static_cast<uint32_t>(sum_of_products<8>(a, b, true, false) + c);
        },
        {.neg = 1});
  check("v_dot4_i32_iu8",
        [](uint32_t a, uint32_t b, int32_t c) {
          const int64_t exact = sum_of_products<8>(a, b, false, true) + c;
          return static_cast<int32_t>(std::clamp<int64_t>(exact, INT32_MIN, INT32_MAX));
        },
        {.neg = 2, .clamp = 1});
  check("v_dot8_i32_iu4",
        [](uint32_t a, uint32_t b, uint32_t c) {
          return static_cast<uint32_t>(sum_of_products<4>(a, b, true, false) + c);
        },
        {.neg = 1});
}

TEST(VectorDot, OfBfloatsAsHalfOfAPair) {
  note_tested("v_dual_dot2acc_f32_bf16");
  Machine machine;
  machine.reg(1)[0] = 0x3f804000;
  machine.reg(2)[0] = 0x404040a0;
  machine.reg(4)[0] = std::bit_cast<uint32_t>(0.5f);
  machine.reg(5)[0] = 9;
  // X: v4 += v1 . v2, Y: v7 = v5 & v6
  machine.reg(6)[0] = 1;
  machine.run({0xc8000000u | 13u << 22 | 18u << 17 | 2u << 9 | v(1), 4u << 24 | 3u << 17 | 6u << 9 | v(5)});
  EXPECT_EQ(std::bit_cast<float>(machine.reg(4)[0]), 13.5f);
  EXPECT_EQ(machine.reg(7)[0], 1u);
}

}  // namespace
}  // namespace halyard::emulator::test
