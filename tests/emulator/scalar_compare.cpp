#include <algorithm>
#include <array>

#include "emulator/scalar_float.h"
#include "emulator/scalar_op.h"

namespace halyard::emulator {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;

template <class A, class B, class F>
constexpr ScalarRow compare(uint16_t opcode, const char* name, F) {
  return binary<void, A, B>(opcode, name, [](Wave& w, A a, B b) { w.scc = F{}(a, b) ? 1 : 0; });
}
template <class F>
constexpr ScalarRow compare_float(uint16_t opcode, const char* name, F) {
  return binary<void, U32, U32>(
      opcode, name, [](Wave& w, U32 a, U32 b) { w.scc = F{}(float_in(w, a), float_in(w, b)) ? 1 : 0; });
}
template <class F>
constexpr ScalarRow compare_half(uint16_t opcode, const char* name, F) {
  return binary<void, U32, U32>(
      opcode, name, [](Wave& w, U32 a, U32 b) { w.scc = F{}(half_in(w, a), half_in(w, b)) ? 1 : 0; });
}

constexpr auto integer_rows = std::to_array<ScalarRow>({
    compare<I32, I32>(0, "s_cmp_eq_i32", [](I32 a, I32 b) { return a == b; }),
    compare<I32, I32>(1, "s_cmp_lg_i32", [](I32 a, I32 b) { return a != b; }),
    compare<I32, I32>(2, "s_cmp_gt_i32", [](I32 a, I32 b) { return a > b; }),
    compare<I32, I32>(3, "s_cmp_ge_i32", [](I32 a, I32 b) { return a >= b; }),
    compare<I32, I32>(4, "s_cmp_lt_i32", [](I32 a, I32 b) { return a < b; }),
    compare<I32, I32>(5, "s_cmp_le_i32", [](I32 a, I32 b) { return a <= b; }),
    compare<U32, U32>(6, "s_cmp_eq_u32", [](U32 a, U32 b) { return a == b; }),
    compare<U32, U32>(7, "s_cmp_lg_u32", [](U32 a, U32 b) { return a != b; }),
    compare<U32, U32>(8, "s_cmp_gt_u32", [](U32 a, U32 b) { return a > b; }),
    compare<U32, U32>(9, "s_cmp_ge_u32", [](U32 a, U32 b) { return a >= b; }),
    compare<U32, U32>(10, "s_cmp_lt_u32", [](U32 a, U32 b) { return a < b; }),
    compare<U32, U32>(11, "s_cmp_le_u32", [](U32 a, U32 b) { return a <= b; }),
    compare<U32, U32>(12, "s_bitcmp0_b32", [](U32 a, U32 b) { return (a >> (b & 31) & 1) == 0; }),
    compare<U32, U32>(13, "s_bitcmp1_b32", [](U32 a, U32 b) { return (a >> (b & 31) & 1) == 1; }),
    compare<U64, U32>(14, "s_bitcmp0_b64", [](U64 a, U32 b) { return (a >> (b & 63) & 1) == 0; }),
    compare<U64, U32>(15, "s_bitcmp1_b64", [](U64 a, U32 b) { return (a >> (b & 63) & 1) == 1; }),
    compare<U64, U64>(16, "s_cmp_eq_u64", [](U64 a, U64 b) { return a == b; }),
    compare<U64, U64>(17, "s_cmp_lg_u64", [](U64 a, U64 b) { return a != b; }),
});

constexpr auto kLess = [](float a, float b) { return a < b; };
constexpr auto kEqual = [](float a, float b) { return a == b; };
constexpr auto kLessOrEqual = [](float a, float b) { return a <= b; };
constexpr auto kGreater = [](float a, float b) { return a > b; };
constexpr auto kLessOrGreater = [](float a, float b) { return a < b || a > b; };
constexpr auto kGreaterOrEqual = [](float a, float b) { return a >= b; };
constexpr auto kOrdered = [](float a, float b) { return a == a && b == b; };
constexpr auto kUnordered = [](float a, float b) { return a != a || b != b; };
constexpr auto kNotGreaterOrEqual = [](float a, float b) { return !(a >= b); };
constexpr auto kNotLessOrGreater = [](float a, float b) { return !(a < b || a > b); };
constexpr auto kNotGreater = [](float a, float b) { return !(a > b); };
constexpr auto kNotLessOrEqual = [](float a, float b) { return !(a <= b); };
constexpr auto kNotEqual = [](float a, float b) { return !(a == b); };
constexpr auto kNotLess = [](float a, float b) { return !(a < b); };

constexpr auto float_rows = std::to_array<ScalarRow>({
    compare_float(65, "s_cmp_lt_f32", kLess),
    compare_float(66, "s_cmp_eq_f32", kEqual),
    compare_float(67, "s_cmp_le_f32", kLessOrEqual),
    compare_float(68, "s_cmp_gt_f32", kGreater),
    compare_float(69, "s_cmp_lg_f32", kLessOrGreater),
    compare_float(70, "s_cmp_ge_f32", kGreaterOrEqual),
    compare_float(71, "s_cmp_o_f32", kOrdered),
    compare_float(72, "s_cmp_u_f32", kUnordered),
    compare_float(73, "s_cmp_nge_f32", kNotGreaterOrEqual),
    compare_float(74, "s_cmp_nlg_f32", kNotLessOrGreater),
    compare_float(75, "s_cmp_ngt_f32", kNotGreater),
    compare_float(76, "s_cmp_nle_f32", kNotLessOrEqual),
    compare_float(77, "s_cmp_neq_f32", kNotEqual),
    compare_float(78, "s_cmp_nlt_f32", kNotLess),
    compare_half(81, "s_cmp_lt_f16", kLess),
    compare_half(82, "s_cmp_eq_f16", kEqual),
    compare_half(83, "s_cmp_le_f16", kLessOrEqual),
    compare_half(84, "s_cmp_gt_f16", kGreater),
    compare_half(85, "s_cmp_lg_f16", kLessOrGreater),
    compare_half(86, "s_cmp_ge_f16", kGreaterOrEqual),
    compare_half(87, "s_cmp_o_f16", kOrdered),
    compare_half(88, "s_cmp_u_f16", kUnordered),
    compare_half(89, "s_cmp_nge_f16", kNotGreaterOrEqual),
    compare_half(90, "s_cmp_nlg_f16", kNotLessOrGreater),
    compare_half(91, "s_cmp_ngt_f16", kNotGreater),
    compare_half(92, "s_cmp_nle_f16", kNotLessOrEqual),
    compare_half(93, "s_cmp_neq_f16", kNotEqual),
    compare_half(94, "s_cmp_nlt_f16", kNotLess),
});

}  // namespace

std::span<const ScalarRow> scalar_compare_rows() {
  static const auto rows = [] {
    std::array<ScalarRow, integer_rows.size() + float_rows.size()> all{};
    std::copy(float_rows.begin(), float_rows.end(),
              std::copy(integer_rows.begin(), integer_rows.end(), all.begin()));
    return all;
  }();
  return rows;
}

}  // namespace halyard::emulator
