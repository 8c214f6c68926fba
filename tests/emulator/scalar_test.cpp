// Every scalar instruction of the tables against plain arithmetic.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "emulator/machine.h"
#include "emulator/scalar_op.h"
#include "emulator/vector_half.h"

namespace halyard::emulator {
namespace {

constexpr uint32_t kSeed = 20261201;

struct Expected {
  uint64_t value = 0;
  int scc = -1;  // -1: stays
};
using Reference = std::function<Expected(uint64_t a, uint64_t b, uint32_t scc, uint64_t old)>;

Expected nonzero_32(uint64_t value) {
  return {value & 0xffffffffu, (value & 0xffffffffu) != 0 ? 1 : 0};
}
Expected nonzero_64(uint64_t value) {
  return {value, value != 0 ? 1 : 0};
}
int32_t s32(uint64_t value) {
  return static_cast<int32_t>(value);
}
int64_t wide(uint64_t value) {
  return static_cast<int32_t>(value);
}
float f32(uint64_t value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value));
}
float f16(uint64_t value) {
  return half_to_float(static_cast<uint16_t>(value));
}
uint32_t of_float(float x) {
  return std::bit_cast<uint32_t>(std::isnan(x) ? std::bit_cast<float>(std::bit_cast<uint32_t>(x) | 0x400000u)
                                               : x);
}
uint32_t of_half(double x) {
  return float_to_half(static_cast<float>(x));
}
uint64_t bit_field(uint64_t a, uint64_t b, uint32_t bits, bool is_signed) {
  const uint64_t first = b & (bits - 1), n = std::min<uint64_t>(b >> 16 & 127, bits);
  uint64_t out = 0;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    const uint64_t from = first + std::min(bit, n == 0 ? 0 : n - 1);
    const bool inside = bit < n;
    uint64_t value = 0;
    if (n != 0 && (inside || is_signed)) {
      // Beyond the top of the register: zeros, or the sign for a signed shift.
      value = from < bits ? a >> from & 1 : is_signed ? a >> (bits - 1) & 1 : 0;
    }
    out |= value << bit;
  }
  return out;
}
template <class F>
Expected checked_add(F wide_result) {
  const int64_t r = wide_result;
  return {static_cast<uint32_t>(r), r != static_cast<int32_t>(r) ? 1 : 0};
}
float lesser(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
float greater(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

#define BINARY(name, expression)                                              \
  {name, [](uint64_t a, uint64_t b, uint32_t scc, uint64_t old) -> Expected { \
     (void)a, (void)b, (void)scc, (void)old;                                  \
     return expression;                                                       \
   }}

const std::map<std::string, Reference>& integer_references() {
  static const std::map<std::string, Reference> references = {
      BINARY("s_add_u32", (Expected{(a + b) & 0xffffffffu, a + b > 0xffffffffu ? 1 : 0})),
      BINARY("s_sub_u32", (Expected{(a - b) & 0xffffffffu, b > a ? 1 : 0})),
      BINARY("s_add_i32", checked_add(wide(a) + wide(b))),
      BINARY("s_sub_i32", checked_add(wide(a) - wide(b))),
      BINARY("s_addc_u32", (Expected{(a + b + scc) & 0xffffffffu, a + b + scc > 0xffffffffu ? 1 : 0})),
      BINARY("s_subb_u32", (Expected{(a - b - scc) & 0xffffffffu, b + scc > a ? 1 : 0})),
      BINARY("s_absdiff_i32", nonzero_32(static_cast<uint64_t>(std::abs(wide(a) - wide(b))))),
      BINARY("s_lshl_b32", nonzero_32(a << b % 32)),
      BINARY("s_lshl_b64", nonzero_64(a << b % 64)),
      BINARY("s_lshr_b32", nonzero_32(a >> b % 32)),
      BINARY("s_lshr_b64", nonzero_64(a >> b % 64)),
      BINARY("s_ashr_i32", nonzero_32(static_cast<uint64_t>(wide(a) >> b % 32))),
      BINARY("s_ashr_i64", nonzero_64(static_cast<uint64_t>(static_cast<int64_t>(a) >> b % 64))),
      BINARY("s_lshl1_add_u32", (Expected{(a * 2 + b) & 0xffffffffu, a * 2 + b > 0xffffffffu ? 1 : 0})),
      BINARY("s_lshl2_add_u32", (Expected{(a * 4 + b) & 0xffffffffu, a * 4 + b > 0xffffffffu ? 1 : 0})),
      BINARY("s_lshl3_add_u32", (Expected{(a * 8 + b) & 0xffffffffu, a * 8 + b > 0xffffffffu ? 1 : 0})),
      BINARY("s_lshl4_add_u32", (Expected{(a * 16 + b) & 0xffffffffu, a * 16 + b > 0xffffffffu ? 1 : 0})),
      BINARY("s_min_i32", (Expected{s32(a) < s32(b) ? a : b, s32(a) < s32(b) ? 1 : 0})),
      BINARY("s_min_u32", (Expected{std::min(a, b), a < b ? 1 : 0})),
      BINARY("s_max_i32", (Expected{s32(a) > s32(b) ? a : b, s32(a) > s32(b) ? 1 : 0})),
      BINARY("s_max_u32", (Expected{std::max(a, b), a > b ? 1 : 0})),
      BINARY("s_and_b32", nonzero_32(a & b)),
      BINARY("s_and_b64", nonzero_64(a & b)),
      BINARY("s_or_b32", nonzero_32(a | b)),
      BINARY("s_or_b64", nonzero_64(a | b)),
      BINARY("s_xor_b32", nonzero_32(a ^ b)),
      BINARY("s_xor_b64", nonzero_64(a ^ b)),
      BINARY("s_nand_b32", nonzero_32(~(a & b))),
      BINARY("s_nand_b64", nonzero_64(~(a & b))),
      BINARY("s_nor_b32", nonzero_32(~(a | b))),
      BINARY("s_nor_b64", nonzero_64(~(a | b))),
      BINARY("s_xnor_b32", nonzero_32(~(a ^ b))),
      BINARY("s_xnor_b64", nonzero_64(~(a ^ b))),
      BINARY("s_and_not1_b32", nonzero_32(a & ~b)),
      BINARY("s_and_not1_b64", nonzero_64(a & ~b)),
      BINARY("s_or_not1_b32", nonzero_32(a | ~b)),
      BINARY("s_or_not1_b64", nonzero_64(a | ~b)),
      BINARY("s_bfe_u32", nonzero_32(bit_field(a, b, 32, false))),
      BINARY("s_bfe_i32", nonzero_32(bit_field(a, b, 32, true))),
      BINARY("s_bfe_u64", nonzero_64(bit_field(a, b, 64, false))),
      BINARY("s_bfe_i64", nonzero_64(bit_field(a, b, 64, true))),
      BINARY("s_bfm_b32", (Expected{(((uint64_t{1} << a % 32) - 1) << b % 32) & 0xffffffffu})),
      BINARY("s_bfm_b64", (Expected{((uint64_t{1} << a % 64) - 1) << b % 64})),
      BINARY("s_mul_i32", (Expected{(a * b) & 0xffffffffu})),
      BINARY("s_mul_hi_u32", (Expected{a * b >> 32})),
      BINARY("s_mul_hi_i32", (Expected{static_cast<uint32_t>(wide(a) * wide(b) >> 32)})),
      BINARY("s_cselect_b32", (Expected{scc != 0 ? a : b})),
      BINARY("s_cselect_b64", (Expected{scc != 0 ? a : b})),
      BINARY("s_pack_ll_b32_b16", (Expected{a % 65536 + b % 65536 * 65536})),
      BINARY("s_pack_lh_b32_b16", (Expected{a % 65536 + b / 65536 * 65536})),
      BINARY("s_pack_hh_b32_b16", (Expected{a / 65536 + b / 65536 * 65536})),
      BINARY("s_pack_hl_b32_b16", (Expected{a / 65536 + b % 65536 * 65536})),
  };
  return references;
}

const std::map<std::string, Reference>& float_references() {
  static const std::map<std::string, Reference> references = {
      BINARY("s_add_f32", (Expected{of_float(f32(a) + f32(b))})),
      BINARY("s_sub_f32", (Expected{of_float(f32(a) - f32(b))})),
      BINARY("s_min_f32", (Expected{of_float(lesser(f32(a), f32(b)))})),
      BINARY("s_max_f32", (Expected{of_float(greater(f32(a), f32(b)))})),
      BINARY("s_mul_f32", (Expected{of_float(f32(a) * f32(b))})),
      BINARY("s_fmac_f32", (Expected{of_float(std::fma(f32(a), f32(b), f32(old)))})),
      BINARY("s_add_f16", (Expected{of_half(double{f16(a)} + f16(b))})),
      BINARY("s_sub_f16", (Expected{of_half(double{f16(a)} - f16(b))})),
      BINARY("s_min_f16", (Expected{of_half(lesser(f16(a), f16(b)))})),
      BINARY("s_max_f16", (Expected{of_half(greater(f16(a), f16(b)))})),
      BINARY("s_mul_f16", (Expected{of_half(double{f16(a)} * f16(b))})),
  };
  return references;
}

const std::map<std::string, Reference>& compare_references() {
  static const std::map<std::string, Reference> references = {
      BINARY("s_cmp_eq_i32", (Expected{0, a == b})),
      BINARY("s_cmp_lg_i32", (Expected{0, a != b})),
      BINARY("s_cmp_gt_i32", (Expected{0, s32(a) > s32(b)})),
      BINARY("s_cmp_ge_i32", (Expected{0, s32(a) >= s32(b)})),
      BINARY("s_cmp_lt_i32", (Expected{0, s32(a) < s32(b)})),
      BINARY("s_cmp_le_i32", (Expected{0, s32(a) <= s32(b)})),
      BINARY("s_cmp_eq_u32", (Expected{0, a == b})),
      BINARY("s_cmp_lg_u32", (Expected{0, a != b})),
      BINARY("s_cmp_gt_u32", (Expected{0, a > b})),
      BINARY("s_cmp_ge_u32", (Expected{0, a >= b})),
      BINARY("s_cmp_lt_u32", (Expected{0, a < b})),
      BINARY("s_cmp_le_u32", (Expected{0, a <= b})),
      BINARY("s_bitcmp0_b32", (Expected{0, (a >> b % 32) % 2 == 0})),
      BINARY("s_bitcmp1_b32", (Expected{0, (a >> b % 32) % 2 == 1})),
      BINARY("s_bitcmp0_b64", (Expected{0, (a >> b % 64) % 2 == 0})),
      BINARY("s_bitcmp1_b64", (Expected{0, (a >> b % 64) % 2 == 1})),
      BINARY("s_cmp_eq_u64", (Expected{0, a == b})),
      BINARY("s_cmp_lg_u64", (Expected{0, a != b})),
  };
  return references;
}

// Float compares by name: what holds for less, equal, greater, unordered.
const std::map<std::string, std::string>& float_compares() {
  static const std::map<std::string, std::string> true_for = {
      {"lt", "<"},    {"eq", "="},   {"le", "<="},   {"gt", ">"},   {"lg", "<>"},
      {"ge", ">="},   {"o", "<=>"},  {"u", "u"},     {"nge", "<u"}, {"nlg", "=u"},
      {"ngt", "<=u"}, {"nle", ">u"}, {"neq", "<>u"}, {"nlt", "=>u"}};
  return true_for;
}

const std::map<std::string, Reference>& unary_references() {
  static const std::map<std::string, Reference> references = {
      BINARY("s_mov_b32", (Expected{a})),
      BINARY("s_mov_b64", (Expected{a})),
      BINARY("s_cmov_b32", (Expected{scc != 0 ? a : old})),
      BINARY("s_cmov_b64", (Expected{scc != 0 ? a : old})),
      BINARY("s_ctz_i32_b32", (Expected{a == 0 ? 0xffffffffu : static_cast<uint32_t>(__builtin_ctzll(a))})),
      BINARY("s_ctz_i32_b64", (Expected{a == 0 ? 0xffffffffu : static_cast<uint32_t>(__builtin_ctzll(a))})),
      BINARY("s_clz_i32_u32",
             (Expected{a == 0 ? 0xffffffffu : static_cast<uint32_t>(__builtin_clzll(a) - 32)})),
      BINARY("s_clz_i32_u64", (Expected{a == 0 ? 0xffffffffu : static_cast<uint32_t>(__builtin_clzll(a))})),
      BINARY("s_sext_i32_i8", (Expected{static_cast<uint32_t>(static_cast<int8_t>(a))})),
      BINARY("s_sext_i32_i16", (Expected{static_cast<uint32_t>(static_cast<int16_t>(a))})),
      BINARY("s_bitset0_b32", (Expected{old & ~(uint64_t{1} << a % 32)})),
      BINARY("s_bitset0_b64", (Expected{old & ~(uint64_t{1} << a % 64)})),
      BINARY("s_bitset1_b32", (Expected{old | uint64_t{1} << a % 32})),
      BINARY("s_bitset1_b64", (Expected{old | uint64_t{1} << a % 64})),
      BINARY("s_abs_i32", nonzero_32(static_cast<uint64_t>(std::abs(wide(a))))),
      BINARY("s_bcnt0_i32_b32", nonzero_32(static_cast<uint64_t>(32 - __builtin_popcountll(a)))),
      BINARY("s_bcnt0_i32_b64", nonzero_32(static_cast<uint64_t>(64 - __builtin_popcountll(a)))),
      BINARY("s_bcnt1_i32_b32", nonzero_32(static_cast<uint64_t>(__builtin_popcountll(a)))),
      BINARY("s_bcnt1_i32_b64", nonzero_32(static_cast<uint64_t>(__builtin_popcountll(a)))),
      BINARY("s_not_b32", nonzero_32(~a)),
      BINARY("s_not_b64", nonzero_64(~a)),
      BINARY("s_ceil_f32", (Expected{of_float(std::ceil(f32(a)))})),
      BINARY("s_floor_f32", (Expected{of_float(std::floor(f32(a)))})),
      BINARY("s_trunc_f32", (Expected{of_float(std::trunc(f32(a)))})),
      BINARY("s_rndne_f32", (Expected{of_float(std::nearbyint(f32(a)))})),
      BINARY("s_ceil_f16", (Expected{of_half(std::ceil(f16(a)))})),
      BINARY("s_floor_f16", (Expected{of_half(std::floor(f16(a)))})),
      BINARY("s_trunc_f16", (Expected{of_half(std::trunc(f16(a)))})),
      BINARY("s_rndne_f16", (Expected{of_half(std::nearbyint(f16(a)))})),
      BINARY("s_cvt_f32_i32", (Expected{of_float(static_cast<float>(s32(a)))})),
      BINARY("s_cvt_f32_u32", (Expected{of_float(static_cast<float>(static_cast<uint32_t>(a)))})),
      BINARY("s_cvt_f16_f32", (Expected{float_to_half(f32(a))})),
      BINARY("s_cvt_f32_f16", (Expected{of_float(f16(a))})),
      BINARY("s_cvt_hi_f32_f16", (Expected{of_float(f16(a >> 16))})),
  };
  return references;
}
#undef BINARY

// Edges of integers and floats, then numbers of a fixed seed.
std::vector<uint64_t> values() {
  std::vector<uint64_t> out = {0,
                               1,
                               2,
                               31,
                               32,
                               33,
                               63,
                               0x7f,
                               0x80,
                               0x7fff,
                               0x8000,
                               0xffff,
                               0x3c00,
                               0xbc01,
                               0x0001,
                               0x83ff,
                               0x7c00,
                               0xfc00,
                               0x7e01,
                               0x7fffffff,
                               0x80000000,
                               0x80000001,
                               0xffffffff,
                               0x3f800000,
                               0xbf000000,
                               0x40200000,
                               0x00000001,
                               0x807fffff,
                               0x7f800000,
                               0xff800000,
                               0x7fc00001,
                               0x7f7fffff,
                               0x4f000000,
                               0x00050003,
                               0x00200010,
                               0x0000000180000000,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0xffffffffffffffff};
  std::mt19937_64 random(kSeed);
  for (int n = 0; n < 24; ++n) out.push_back(random());
  return out;
}

uint64_t cut(uint64_t value, uint32_t registers) {
  return registers == 2 ? value : value & 0xffffffffu;
}

enum class Shape { kSop2, kSop1, kSopc };
uint32_t encode(Shape shape, uint32_t opcode) {
  constexpr uint32_t kDst = 20, kSrc0 = 4, kSrc1 = 8;
  if (shape == Shape::kSop2) return 0x80000000u | opcode << 23 | kDst << 16 | kSrc1 << 8 | kSrc0;
  if (shape == Shape::kSop1) return 0xbe800000u | kDst << 16 | opcode << 8 | kSrc0;
  return 0xbf000000u | opcode << 16 | kSrc1 << 8 | kSrc0;
}

// Which of two NaN is handed on is nobody's business.
bool both_nan(const std::string& name, uint32_t a, uint64_t b) {
  if (name.ends_with("_f16")) return std::isnan(f16(a)) && std::isnan(f16(b)) && a >> 16 == 0;
  return (name.ends_with("_f32") || name.starts_with("s_cvt_f32")) && std::isnan(f32(a)) &&
         std::isnan(f32(b));
}

class ScalarTest : public testing::Test {
 protected:
  void check(const ScalarRow& row, Shape shape, const Reference& reference,
             const std::vector<uint64_t>& second) {
    for (const uint64_t raw_a : values()) {
      for (const uint64_t raw_b : second) {
        for (const uint32_t scc : {0u, 1u}) {
          const uint64_t a = cut(raw_a, row.n_src0), b = cut(raw_b, row.n_src1),
                         old = cut(raw_a * 7 + raw_b, row.n_dst);
          machine_.set_pair(4, a);
          machine_.set_pair(8, b);
          machine_.set_pair(20, old);
          machine_.wave().scc = scc;
          machine_.run({encode(shape, row.opcode)});
          const Expected expected = reference(a, b, scc, old);
          const std::string where = fmt_where(row.name, a, b, scc, old);
          if (row.n_dst != 0 && !both_nan(row.name, machine_.s(20), expected.value)) {
            ASSERT_EQ(cut(machine_.pair(20), row.n_dst), expected.value) << where;
          }
          ASSERT_EQ(machine_.wave().scc, expected.scc < 0 ? scc : static_cast<uint32_t>(expected.scc))
              << where;
        }
      }
    }
    seen_.insert(row.name);
  }
  static std::string fmt_where(const char* name, uint64_t a, uint64_t b, uint32_t scc, uint64_t old) {
    std::ostringstream out;
    out << name << std::hex << " a " << a << " b " << b << " scc " << scc << " old " << old << " seed "
        << std::dec << kSeed;
    return out.str();
  }
  void check_all(std::span<const ScalarRow> rows, Shape shape,
                 const std::map<std::string, Reference>& references, const std::vector<uint64_t>& second) {
    for (const ScalarRow& row : rows) {
      const auto at = references.find(row.name);
      if (at != references.end()) check(row, shape, at->second, second);
    }
    for (const auto& [name, reference] : references)
      EXPECT_TRUE(seen_.contains(name)) << name << " is in no table";
  }

  Machine machine_;
  std::set<std::string> seen_;
};

TEST_F(ScalarTest, IntegersOfTwoSources) {
  check_all(scalar_binary_rows(), Shape::kSop2, integer_references(), values());
}
TEST_F(ScalarTest, FloatsOfTwoSources) {
  check_all(scalar_binary_rows(), Shape::kSop2, float_references(), values());
}
TEST_F(ScalarTest, OneSource) {
  check_all(scalar_unary_rows(), Shape::kSop1, unary_references(), {5});
}
TEST_F(ScalarTest, IntegerCompares) {
  check_all(scalar_compare_rows(), Shape::kSopc, compare_references(), values());
}

TEST_F(ScalarTest, FloatCompares) {
  std::map<std::string, Reference> references;
  for (const auto& [word, true_for] : float_compares()) {
    const auto reference = [true_for = true_for](float a, float b) {
      const char relation = a < b ? '<' : a == b ? '=' : a > b ? '>' : 'u';
      return Expected{0, true_for.find(relation) != std::string::npos};
    };
    references["s_cmp_" + word + "_f32"] = [=](uint64_t a, uint64_t b, uint32_t, uint64_t) {
      return reference(f32(a), f32(b));
    };
    references["s_cmp_" + word + "_f16"] = [=](uint64_t a, uint64_t b, uint32_t, uint64_t) {
      return reference(f16(a), f16(b));
    };
  }
  check_all(scalar_compare_rows(), Shape::kSopc, references, values());
}

TEST_F(ScalarTest, DenormalsAreFlushedWhereModeSaysSo) {
  machine_.wave().mode = 0;
  machine_.s(4) = 0x00400000;  // denormal
  machine_.s(8) = 0x80000001;
  machine_.run({encode(Shape::kSop2, 64)});  // s_add_f32: 0 + -0
  EXPECT_EQ(machine_.s(20), 0u);
  machine_.s(4) = 0x00c00000;
  machine_.s(8) = 0x80800000;
  machine_.run({encode(Shape::kSop2, 64)});  // a denormal result of normal sources
  EXPECT_EQ(machine_.s(20), 0u);
  machine_.wave().mode = kModeDenorm32Out;
  machine_.run({encode(Shape::kSop2, 64)});
  EXPECT_EQ(machine_.s(20), 0x00400000u);
}

TEST_F(ScalarTest, FusedWithALiteral) {
  machine_.s(4) = of_float(1.5f);
  machine_.s(8) = of_float(-4.0f);
  machine_.run({encode(Shape::kSop2, 69), of_float(0.25f)});  // s_fmaak_f32
  EXPECT_EQ(f32(machine_.s(20)), -5.75f);
  machine_.run({encode(Shape::kSop2, 70), of_float(0.25f)});  // s_fmamk_f32
  EXPECT_EQ(f32(machine_.s(20)), -3.625f);
}

TEST_F(ScalarTest, HalvesAreAccumulatedWithOneRounding) {
  machine_.s(4) = 0x3c01;  // 1 + 2^-10
  machine_.s(8) = 0x3c01;
  machine_.s(20) = 0xbc02;  // -(1 + 2^-9): what is left is 2^-20
  machine_.run({encode(Shape::kSop2, 78)});
  EXPECT_EQ(f16(machine_.s(20)), 0x1p-20f);
}

TEST_F(ScalarTest, PairsOfHalvesAreCutTowardZero) {
  machine_.s(4) = of_float(1.0f + 0x1.fp-11f);
  machine_.s(8) = of_float(-1e6f);
  machine_.run({encode(Shape::kSop2, 72)});
  EXPECT_EQ(machine_.s(20), 0xfbff3c00u);
}

TEST_F(ScalarTest, FloatsToIntegersSaturate) {
  const std::vector<std::tuple<float, uint32_t, uint32_t>> cases = {{1.9f, 1, 1},
                                                                    {-1.9f, 0xffffffffu, 0},
                                                                    {3e9f, 0x7fffffffu, 3000000000u},
                                                                    {-3e9f, 0x80000000u, 0},
                                                                    {1e20f, 0x7fffffffu, 0xffffffffu},
                                                                    {NAN, 0, 0},
                                                                    {-0.0f, 0, 0},
                                                                    {INFINITY, 0x7fffffffu, 0xffffffffu}};
  for (const auto& [x, as_signed, as_unsigned] : cases) {
    machine_.s(4) = std::bit_cast<uint32_t>(x);
    machine_.run({encode(Shape::kSop1, 102)});
    EXPECT_EQ(machine_.s(20), as_signed) << x;
    machine_.run({encode(Shape::kSop1, 103)});
    EXPECT_EQ(machine_.s(20), as_unsigned) << x;
  }
}

TEST_F(ScalarTest, BitsAreTurnedCountedAndSpread) {
  const auto one = [&](uint32_t opcode, uint64_t a) {
    machine_.set_pair(4, a);
    machine_.run({encode(Shape::kSop1, opcode)});
    return machine_.pair(20);
  };
  EXPECT_EQ(one(4, 0x00000005) & 0xffffffffu, 0xa0000000u);
  EXPECT_EQ(one(5, 0x5), 0xa000000000000000u);
  EXPECT_EQ(one(12, 0xfff00000) & 0xffffffffu, 12u);
  EXPECT_EQ(one(12, 0x00ffffff) & 0xffffffffu, 8u);
  EXPECT_EQ(one(12, 0xffffffff) & 0xffffffffu, 0xffffffffu);
  EXPECT_EQ(one(13, 0xfff0000000000000) & 0xffffffffu, 12u);
  EXPECT_EQ(one(20, 0x80000005), 0xc000000000000033u);
  EXPECT_EQ(one(26, 0x00f01002) & 0xffffffffu, 0x29u);
  EXPECT_EQ(one(27, 0x1000000000000001), 0x8001u);
  EXPECT_EQ(one(28, 0x00f01002) & 0xffffffffu, 0x00f0f00fu);
  EXPECT_EQ(one(29, 0x1000000000000001), 0xf00000000000000fu);
}

TEST_F(ScalarTest, ExecIsSavedAndChanged) {
  const uint32_t s = 0x0ff0a55a, e = 0x00ff3c3c;
  const std::vector<std::pair<uint32_t, uint32_t>> cases = {
      {32, s & e},    {34, s | e},  {36, s ^ e},  {38, ~(s & e)}, {40, ~(s | e)},
      {42, ~(s ^ e)}, {44, ~s & e}, {46, ~s | e}, {48, s & ~e},   {50, s | ~e}};
  for (const auto& [opcode, expected] : cases) {
    machine_.s(4) = s;
    machine_.s(kExecLo) = e;
    machine_.run({encode(Shape::kSop1, opcode)});
    EXPECT_EQ(machine_.s(kExecLo), expected) << opcode;
    EXPECT_EQ(machine_.s(20), e) << opcode;
    EXPECT_EQ(machine_.wave().scc, expected != 0 ? 1u : 0u) << opcode;
    machine_.set_pair(4, uint64_t{s} << 32 | s);
    machine_.set_pair(kExecLo, uint64_t{e} << 32 | e);
    machine_.run({encode(Shape::kSop1, opcode + 1)});
    EXPECT_EQ(machine_.pair(kExecLo), uint64_t{expected} << 32 | expected) << opcode;
    EXPECT_EQ(machine_.pair(20), uint64_t{e} << 32 | e) << opcode;
  }
  for (const auto& [opcode, expected] : {std::pair{52u, ~s & e}, {54u, s & ~e}}) {
    machine_.s(4) = s;
    machine_.s(kExecLo) = e;
    machine_.run({encode(Shape::kSop1, opcode)});
    EXPECT_EQ(machine_.s(kExecLo), expected);
    EXPECT_EQ(machine_.s(20), expected);
    machine_.set_pair(4, uint64_t{s} << 32 | s);
    machine_.set_pair(kExecLo, uint64_t{e} << 32 | e);
    machine_.run({encode(Shape::kSop1, opcode + 1)});
    EXPECT_EQ(machine_.pair(20), uint64_t{expected} << 32 | expected);
  }
}

TEST_F(ScalarTest, EveryRowHasATest) {
  // Tested by name above, or by number in a test of its own here and in flow_test.
  const std::set<std::string> by_number = {"s_fmaak_f32",
                                           "s_fmamk_f32",
                                           "s_fmac_f16",
                                           "s_cvt_pk_rtz_f16_f32",
                                           "s_cvt_i32_f32",
                                           "s_cvt_u32_f32",
                                           "s_brev_b32",
                                           "s_brev_b64",
                                           "s_cls_i32",
                                           "s_cls_i32_i64",
                                           "s_bitreplicate_b64_b32",
                                           "s_quadmask_b32",
                                           "s_quadmask_b64",
                                           "s_wqm_b32",
                                           "s_wqm_b64",
                                           "s_movrels_b32",
                                           "s_movrels_b64",
                                           "s_movreld_b32",
                                           "s_movreld_b64",
                                           "s_getpc_b64",
                                           "s_setpc_b64",
                                           "s_swappc_b64",
                                           "s_sendmsg_rtn_b64"};
  for (const auto& rows : {scalar_binary_rows(), scalar_unary_rows(), scalar_compare_rows()}) {
    for (const ScalarRow& row : rows) {
      const std::string name = row.name;
      const bool named = integer_references().contains(name) || float_references().contains(name) ||
                         unary_references().contains(name) || compare_references().contains(name) ||
                         (name.starts_with("s_cmp_") && name.ends_with("_f32")) ||
                         (name.starts_with("s_cmp_") && name.ends_with("_f16")) ||
                         name.find("saveexec") != std::string::npos ||
                         name.find("wrexec") != std::string::npos;
      EXPECT_TRUE(named || by_number.contains(name)) << name;
    }
  }
}

}  // namespace
}  // namespace halyard::emulator
