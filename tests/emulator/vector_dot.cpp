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

// Element k of kBits bits; `sign` is its top bit when it is signed and 0 when it is not, which keeps the lane
// loop free of branches.
template <uint32_t kBits>
int32_t element(uint32_t word, uint32_t k, int32_t sign) {
  const int32_t bits = static_cast<int32_t>(word >> (kBits * k) & ((1u << kBits) - 1u));
  return (bits ^ sign) - sign;
}

template <uint32_t kBits>
int32_t products(uint32_t a, uint32_t b, int32_t a_sign, int32_t b_sign) {
  int32_t sum = 0;
  for (uint32_t k = 0; k < 32 / kBits; ++k)
    sum += element<kBits>(a, k, a_sign) * element<kBits>(b, k, b_sign);
  return sum;
}

// neg of the encoding says which side is signed. clamp saturates the sum to 32 bits.
template <uint32_t kBits>
uint32_t dot(Context x, uint32_t a, uint32_t b, uint32_t c) {
  constexpr int32_t kSign = 1 << (kBits - 1);
  const int32_t sum =
      products<kBits>(a, b, (x.signed_src & 1) != 0 ? kSign : 0, (x.signed_src & 2) != 0 ? kSign : 0);
  const uint32_t wrapped = c + static_cast<uint32_t>(sum);
  // Both summands of one sign and the result of the other: it went over.
  const bool over = ((c ^ wrapped) & (static_cast<uint32_t>(sum) ^ wrapped)) >> 31 != 0;
  return x.clamp && over ? (c >> 31) + 0x7fffffffu : wrapped;
}
template <uint32_t kBits>
uint32_t unsigned_dot(Context x, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t sum = static_cast<uint32_t>(products<kBits>(a, b, 0, 0));
  return x.clamp && c + sum < c ? 0xffffffffu : c + sum;
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
