// Compares. Lanes that are off give 0 (the caller's part). The v_cmpx form has the opcode + 128 and writes
// exec; it is found by the decoder, so each line serves both.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

// Bit of the class mask a number belongs to. `exponent` is its exponent field, `mantissa` the rest, `quiet`
// the top bit of the mantissa.
uint32_t class_bit(bool negative, uint32_t exponent, uint32_t top_exponent, uint64_t mantissa,
                   uint64_t quiet) {
  if (exponent == top_exponent && mantissa != 0) return (mantissa & quiet) != 0 ? 1 : 0;
  if (exponent == top_exponent) return negative ? 2 : 9;
  if (exponent != 0) return negative ? 3 : 8;
  if (mantissa != 0) return negative ? 4 : 7;
  return negative ? 5 : 6;
}
bool is_class_16(uint32_t x, uint32_t mask) {
  return (mask >> class_bit((x & 0x8000u) != 0, x >> 10 & 31u, 31, x & 0x3ffu, 0x200) & 1u) != 0;
}
bool is_class_32(uint32_t x, uint32_t mask) {
  return (mask >> class_bit(x >> 31 != 0, x >> 23 & 255u, 255, x & 0x7fffffu, 0x400000) & 1u) != 0;
}
bool is_class_64(uint64_t x, uint32_t mask) {
  const uint32_t exponent = static_cast<uint32_t>(x >> 52) & 2047u;
  const uint64_t mantissa = x & 0xfffffffffffffu;
  return (mask >> class_bit(x >> 63 != 0, exponent, 2047, mantissa, 0x8000000000000u) & 1u) != 0;
}

template <class T>
constexpr auto kFalse = [](T, T) { return false; };
template <class T>
constexpr auto kTrue = [](T, T) { return true; };
template <class T>
constexpr auto kLess = [](T a, T b) { return a < b; };
template <class T>
constexpr auto kEqual = [](T a, T b) { return a == b; };
template <class T>
constexpr auto kLessEqual = [](T a, T b) { return a <= b; };
template <class T>
constexpr auto kGreater = [](T a, T b) { return (a > b); };
template <class T>
constexpr auto kGreaterEqual = [](T a, T b) { return (a >= b); };
template <class T>
constexpr auto kNotEqual = [](T a, T b) { return a != b; };  // also true for NaN
template <class T>
constexpr auto kLessGreater = [](T a, T b) -> bool { return (a < b) | (b < a); };
template <class T>
constexpr auto kOrdered = [](T a, T b) -> bool { return (a == a) & (b == b); };
template <class T>
constexpr auto kUnordered = [](T a, T b) -> bool { return (a != a) | (b != b); };
template <class T>
constexpr auto kNotGreaterEqual = [](T a, T b) { return !(a >= b); };
template <class T>
constexpr auto kNotLessGreater = [](T a, T b) { return !((a < b) | (b < a)); };
template <class T>
constexpr auto kNotGreater = [](T a, T b) { return !(a > b); };
template <class T>
constexpr auto kNotLessEqual = [](T a, T b) { return !(a <= b); };
template <class T>
constexpr auto kNotLess = [](T a, T b) { return !(a < b); };

// half compares as float.
constexpr VectorOp kOps[] = {
    op<kFalse<half>>(kVopc, 0, "v_cmp_f_f16"),
    op<kLess<half>>(kVopc, 1, "v_cmp_lt_f16"),
    op<kEqual<half>>(kVopc, 2, "v_cmp_eq_f16"),
    op<kLessEqual<half>>(kVopc, 3, "v_cmp_le_f16"),
    op<kGreater<half>>(kVopc, 4, "v_cmp_gt_f16"),
    op<kLessGreater<half>>(kVopc, 5, "v_cmp_lg_f16"),
    op<kGreaterEqual<half>>(kVopc, 6, "v_cmp_ge_f16"),
    op<kOrdered<half>>(kVopc, 7, "v_cmp_o_f16"),
    op<kUnordered<half>>(kVopc, 8, "v_cmp_u_f16"),
    op<kNotGreaterEqual<half>>(kVopc, 9, "v_cmp_nge_f16"),
    op<kNotLessGreater<half>>(kVopc, 10, "v_cmp_nlg_f16"),
    op<kNotGreater<half>>(kVopc, 11, "v_cmp_ngt_f16"),
    op<kNotLessEqual<half>>(kVopc, 12, "v_cmp_nle_f16"),
    op<kNotEqual<half>>(kVopc, 13, "v_cmp_neq_f16"),
    op<kNotLess<half>>(kVopc, 14, "v_cmp_nlt_f16"),
    op<kTrue<half>>(kVopc, 15, "v_cmp_t_f16"),
    op<kFalse<float>>(kVopc, 16, "v_cmp_f_f32"),
    op<kLess<float>>(kVopc, 17, "v_cmp_lt_f32"),
    op<kEqual<float>>(kVopc, 18, "v_cmp_eq_f32"),
    op<kLessEqual<float>>(kVopc, 19, "v_cmp_le_f32"),
    op<kGreater<float>>(kVopc, 20, "v_cmp_gt_f32"),
    op<kLessGreater<float>>(kVopc, 21, "v_cmp_lg_f32"),
    op<kGreaterEqual<float>>(kVopc, 22, "v_cmp_ge_f32"),
    op<kOrdered<float>>(kVopc, 23, "v_cmp_o_f32"),
    op<kUnordered<float>>(kVopc, 24, "v_cmp_u_f32"),
    op<kNotGreaterEqual<float>>(kVopc, 25, "v_cmp_nge_f32"),
    op<kNotLessGreater<float>>(kVopc, 26, "v_cmp_nlg_f32"),
    op<kNotGreater<float>>(kVopc, 27, "v_cmp_ngt_f32"),
    op<kNotLessEqual<float>>(kVopc, 28, "v_cmp_nle_f32"),
    op<kNotEqual<float>>(kVopc, 29, "v_cmp_neq_f32"),
    op<kNotLess<float>>(kVopc, 30, "v_cmp_nlt_f32"),
    op<kTrue<float>>(kVopc, 31, "v_cmp_t_f32"),
    op<kFalse<double>>(kVopc, 32, "v_cmp_f_f64"),
    op<kLess<double>>(kVopc, 33, "v_cmp_lt_f64"),
    op<kEqual<double>>(kVopc, 34, "v_cmp_eq_f64"),
    op<kLessEqual<double>>(kVopc, 35, "v_cmp_le_f64"),
    op<kGreater<double>>(kVopc, 36, "v_cmp_gt_f64"),
    op<kLessGreater<double>>(kVopc, 37, "v_cmp_lg_f64"),
    op<kGreaterEqual<double>>(kVopc, 38, "v_cmp_ge_f64"),
    op<kOrdered<double>>(kVopc, 39, "v_cmp_o_f64"),
    op<kUnordered<double>>(kVopc, 40, "v_cmp_u_f64"),
    op<kNotGreaterEqual<double>>(kVopc, 41, "v_cmp_nge_f64"),
    op<kNotLessGreater<double>>(kVopc, 42, "v_cmp_nlg_f64"),
    op<kNotGreater<double>>(kVopc, 43, "v_cmp_ngt_f64"),
    op<kNotLessEqual<double>>(kVopc, 44, "v_cmp_nle_f64"),
    op<kNotEqual<double>>(kVopc, 45, "v_cmp_neq_f64"),
    op<kNotLess<double>>(kVopc, 46, "v_cmp_nlt_f64"),
    op<kTrue<double>>(kVopc, 47, "v_cmp_t_f64"),
    op<kLess<int16_t>>(kVopc, 49, "v_cmp_lt_i16"),
    op<kEqual<int16_t>>(kVopc, 50, "v_cmp_eq_i16"),
    op<kLessEqual<int16_t>>(kVopc, 51, "v_cmp_le_i16"),
    op<kGreater<int16_t>>(kVopc, 52, "v_cmp_gt_i16"),
    op<kNotEqual<int16_t>>(kVopc, 53, "v_cmp_ne_i16"),
    op<kGreaterEqual<int16_t>>(kVopc, 54, "v_cmp_ge_i16"),
    op<kLess<uint16_t>>(kVopc, 57, "v_cmp_lt_u16"),
    op<kEqual<uint16_t>>(kVopc, 58, "v_cmp_eq_u16"),
    op<kLessEqual<uint16_t>>(kVopc, 59, "v_cmp_le_u16"),
    op<kGreater<uint16_t>>(kVopc, 60, "v_cmp_gt_u16"),
    op<kNotEqual<uint16_t>>(kVopc, 61, "v_cmp_ne_u16"),
    op<kGreaterEqual<uint16_t>>(kVopc, 62, "v_cmp_ge_u16"),
    op<kFalse<int32_t>>(kVopc, 64, "v_cmp_f_i32"),
    op<kLess<int32_t>>(kVopc, 65, "v_cmp_lt_i32"),
    op<kEqual<int32_t>>(kVopc, 66, "v_cmp_eq_i32"),
    op<kLessEqual<int32_t>>(kVopc, 67, "v_cmp_le_i32"),
    op<kGreater<int32_t>>(kVopc, 68, "v_cmp_gt_i32"),
    op<kNotEqual<int32_t>>(kVopc, 69, "v_cmp_ne_i32"),
    op<kGreaterEqual<int32_t>>(kVopc, 70, "v_cmp_ge_i32"),
    op<kTrue<int32_t>>(kVopc, 71, "v_cmp_t_i32"),
    op<kFalse<uint32_t>>(kVopc, 72, "v_cmp_f_u32"),
    op<kLess<uint32_t>>(kVopc, 73, "v_cmp_lt_u32"),
    op<kEqual<uint32_t>>(kVopc, 74, "v_cmp_eq_u32"),
    op<kLessEqual<uint32_t>>(kVopc, 75, "v_cmp_le_u32"),
    op<kGreater<uint32_t>>(kVopc, 76, "v_cmp_gt_u32"),
    op<kNotEqual<uint32_t>>(kVopc, 77, "v_cmp_ne_u32"),
    op<kGreaterEqual<uint32_t>>(kVopc, 78, "v_cmp_ge_u32"),
    op<kTrue<uint32_t>>(kVopc, 79, "v_cmp_t_u32"),
    op<kFalse<int64_t>>(kVopc, 80, "v_cmp_f_i64"),
    op<kLess<int64_t>>(kVopc, 81, "v_cmp_lt_i64"),
    op<kEqual<int64_t>>(kVopc, 82, "v_cmp_eq_i64"),
    op<kLessEqual<int64_t>>(kVopc, 83, "v_cmp_le_i64"),
    op<kGreater<int64_t>>(kVopc, 84, "v_cmp_gt_i64"),
    op<kNotEqual<int64_t>>(kVopc, 85, "v_cmp_ne_i64"),
    op<kGreaterEqual<int64_t>>(kVopc, 86, "v_cmp_ge_i64"),
    op<kTrue<int64_t>>(kVopc, 87, "v_cmp_t_i64"),
    op<kFalse<uint64_t>>(kVopc, 88, "v_cmp_f_u64"),
    op<kLess<uint64_t>>(kVopc, 89, "v_cmp_lt_u64"),
    op<kEqual<uint64_t>>(kVopc, 90, "v_cmp_eq_u64"),
    op<kLessEqual<uint64_t>>(kVopc, 91, "v_cmp_le_u64"),
    op<kGreater<uint64_t>>(kVopc, 92, "v_cmp_gt_u64"),
    op<kNotEqual<uint64_t>>(kVopc, 93, "v_cmp_ne_u64"),
    op<kGreaterEqual<uint64_t>>(kVopc, 94, "v_cmp_ge_u64"),
    op<kTrue<uint64_t>>(kVopc, 95, "v_cmp_t_u64"),
    op<[](uint16_t x, uint16_t mask) { return is_class_16(x, mask); }>(kVopc, 125, "v_cmp_class_f16"),
    op<[](uint32_t x, uint32_t mask) { return is_class_32(x, mask); }>(kVopc, 126, "v_cmp_class_f32"),
    op<[](uint64_t x, uint32_t mask) { return is_class_64(x, mask); }>(kVopc, 127, "v_cmp_class_f64"),
};

}  // namespace

std::span<const VectorOp> compare_ops() {
  return kOps;
}

}  // namespace halyard::emulator
