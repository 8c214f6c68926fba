// Dot products within a register. Products of halves are exact in double and so are, in all but extreme
// cases, their sums: the float result is rounded once. The hardware rounds in an order of its own that is not
// published; a test must leave it a unit in the last place of the largest term.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

template <class T>
double sum_of_products(Pair<T> a, Pair<T> b) {
  return static_cast<double>(a.lo.value) * static_cast<double>(b.lo.value) +
         static_cast<double>(a.hi.value) * static_cast<double>(b.hi.value);
}
template <class T>
float dot2(Pair<T> a, Pair<T> b, float c) {
  return static_cast<float>(sum_of_products(a, b) + static_cast<double>(c));
}

int32_t element(uint32_t word, uint32_t index, uint32_t bits, bool is_signed) {
  const uint32_t top_aligned = word << (32 - bits * (index + 1));
  return is_signed ? static_cast<int32_t>(top_aligned) >> (32 - bits)
                   : static_cast<int32_t>(top_aligned >> (32 - bits));
}

// Elements of kBits bits; neg of the encoding says which side is signed. clamp saturates the sum to 32 bits.
template <uint32_t kBits>
uint32_t dot(Context x, uint32_t a, uint32_t b, uint32_t c) {
  const bool a_signed = (x.signed_src & 1) != 0;
  const bool b_signed = (x.signed_src & 2) != 0;
  int32_t products = 0;
  for (uint32_t k = 0; k < 32 / kBits; ++k) {
    products += element(a, k, kBits, a_signed) * element(b, k, kBits, b_signed);
  }
  if (!x.clamp) return c + static_cast<uint32_t>(products);
  const int64_t exact = int64_t{static_cast<int32_t>(c)} + products;
  return static_cast<uint32_t>(exact < INT32_MIN ? INT32_MIN : exact > INT32_MAX ? INT32_MAX : exact);
}
template <uint32_t kBits>
uint32_t unsigned_dot(Context x, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t products = 0;
  for (uint32_t k = 0; k < 32 / kBits; ++k) {
    products += static_cast<uint32_t>(element(a, k, kBits, false) * element(b, k, kBits, false));
  }
  const uint64_t exact = uint64_t{c} + products;
  return x.clamp && exact >> 32 != 0 ? 0xffffffffu : static_cast<uint32_t>(exact);
}

constexpr VectorOp kOps[] = {
    op<[](Pair<half> a, Pair<half> b, float d) { return dot2(a, b, d); }>(kVop2, 2, "v_dot2acc_f32_f16",
                                                                          kNoVop3 | kAccumulates),
    op<[](Pair<half> a, Pair<half> b, half c) {
      return half_from(sum_of_products(a, b) + static_cast<double>(c.value));
    }>(kVop3, 614, "v_dot2_f16_f16"),
    op<[](Pair<bfloat> a, Pair<bfloat> b, bfloat c) { return bfloat{dot2(a, b, c.value)}; }>(
        kVop3, 615, "v_dot2_bf16_bf16"),
    op<[](Pair<half> a, Pair<half> b, float c) { return dot2(a, b, c); }>(kVop3p, 19, "v_dot2_f32_f16"),
    op<[](Context x, uint32_t a, uint32_t b, uint32_t c) { return dot<8>(x, a, b, c); }>(
        kVop3p, 22, "v_dot4_i32_iu8", kSigns),
    op<[](Context x, uint32_t a, uint32_t b, uint32_t c) { return unsigned_dot<8>(x, a, b, c); }>(
        kVop3p, 23, "v_dot4_u32_u8"),
    op<[](Context x, uint32_t a, uint32_t b, uint32_t c) { return dot<4>(x, a, b, c); }>(
        kVop3p, 24, "v_dot8_i32_iu4", kSigns),
    op<[](Context x, uint32_t a, uint32_t b, uint32_t c) { return unsigned_dot<4>(x, a, b, c); }>(
        kVop3p, 25, "v_dot8_u32_u4"),
    op<[](Pair<bfloat> a, Pair<bfloat> b, float c) { return dot2(a, b, c); }>(kVop3p, 26, "v_dot2_f32_bf16"),
    op<[](Pair<bfloat> a, Pair<bfloat> b, float d) { return dot2(a, b, d); }>(
        kVopd, 13, "v_dual_dot2acc_f32_bf16", kAccumulates),
};

}  // namespace

std::span<const VectorOp> dot_ops() {
  return kOps;
}

}  // namespace halyard::emulator
