// Integers of 16 bits, one or two to a register. Results go to one half and leave the other as it is.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

int16_t saturate_signed(Context x, int32_t exact) {
  if (!x.clamp) return static_cast<int16_t>(exact);
  return static_cast<int16_t>(exact < -32768 ? -32768 : exact > 32767 ? 32767 : exact);
}
uint16_t saturate_unsigned(Context x, int64_t exact) {
  if (!x.clamp) return static_cast<uint16_t>(exact);
  return static_cast<uint16_t>(exact < 0 ? 0 : exact > 65535 ? 65535 : exact);
}

template <class T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T median(T a, T b, T c) {
  const T low = least(a, b);
  const T high = most(a, b);
  return c < low ? low : high < c ? high : c;
}

uint16_t mad_u16(Context x, uint16_t a, uint16_t b, uint16_t c) {
  return saturate_unsigned(x, int64_t{a} * b + c);
}
int16_t mad_i16(Context x, int16_t a, int16_t b, int16_t c) {
  return saturate_signed(x, int32_t{a} * b + c);
}
uint16_t left(uint16_t by, uint16_t x) {
  return static_cast<uint16_t>(x << (by & 15));
}
uint16_t right(uint16_t by, uint16_t x) {
  return static_cast<uint16_t>(x >> (by & 15));
}
int16_t right_signed(uint16_t by, int16_t x) {
  return static_cast<int16_t>(x >> (by & 15));
}

template <class T, auto F>
constexpr auto kPacked2 =
    [](Context x, Pair<T> a, Pair<T> b) { return Pair<T>{F(x, a.lo, b.lo), F(x, a.hi, b.hi)}; };
template <class T, auto F>
constexpr auto kPacked3 = [](Context x, Pair<T> a, Pair<T> b, Pair<T> c) {
  return Pair<T>{F(x, a.lo, b.lo, c.lo), F(x, a.hi, b.hi, c.hi)};
};

constexpr auto kAddI = [](Context x, int16_t a, int16_t b) { return saturate_signed(x, a + b); };
constexpr auto kSubI = [](Context x, int16_t a, int16_t b) { return saturate_signed(x, a - b); };
constexpr auto kAddU = [](Context x, uint16_t a, uint16_t b) { return saturate_unsigned(x, a + b); };
constexpr auto kSubU = [](Context x, uint16_t a, uint16_t b) { return saturate_unsigned(x, a - b); };
constexpr auto kMulU = [](Context, uint16_t a, uint16_t b) { return static_cast<uint16_t>(uint32_t{a} * b); };
constexpr auto kMinI = [](Context, int16_t a, int16_t b) { return least(a, b); };
constexpr auto kMaxI = [](Context, int16_t a, int16_t b) { return most(a, b); };
constexpr auto kMinU = [](Context, uint16_t a, uint16_t b) { return least(a, b); };
constexpr auto kMaxU = [](Context, uint16_t a, uint16_t b) { return most(a, b); };

constexpr VectorOp kOps[] = {
    op<[](uint16_t x) { return x; }>(kVop1, 28, "v_mov_b16"),
    op<[](uint16_t x) { return static_cast<uint16_t>(~x); }>(kVop1, 105, "v_not_b16"),
    op<[](int16_t x) { return int32_t{x}; }>(kVop1, 106, "v_cvt_i32_i16"),
    op<[](uint16_t x) { return uint32_t{x}; }>(kVop1, 107, "v_cvt_u32_u16"),

    op<[](Context x, uint16_t a, uint16_t b, uint16_t c) { return mad_u16(x, a, b, c); }>(kVop3, 577,
                                                                                          "v_mad_u16"),
    op<[](int16_t a, int16_t b, int16_t c) { return least(least(a, b), c); }>(kVop3, 586, "v_min3_i16"),
    op<[](uint16_t a, uint16_t b, uint16_t c) { return least(least(a, b), c); }>(kVop3, 587, "v_min3_u16"),
    op<[](int16_t a, int16_t b, int16_t c) { return most(most(a, b), c); }>(kVop3, 589, "v_max3_i16"),
    op<[](uint16_t a, uint16_t b, uint16_t c) { return most(most(a, b), c); }>(kVop3, 590, "v_max3_u16"),
    op<[](int16_t a, int16_t b, int16_t c) { return median(a, b, c); }>(kVop3, 592, "v_med3_i16"),
    op<[](uint16_t a, uint16_t b, uint16_t c) { return median(a, b, c); }>(kVop3, 593, "v_med3_u16"),
    op<[](Context x, int16_t a, int16_t b, int16_t c) { return mad_i16(x, a, b, c); }>(kVop3, 595,
                                                                                       "v_mad_i16"),
    op<[](uint16_t a, uint16_t b, uint32_t c) { return uint32_t{a} * b + c; }>(kVop3, 601, "v_mad_u32_u16"),
    op<[](int16_t a, int16_t b, uint32_t c) { return static_cast<uint32_t>(a * b) + c; }>(kVop3, 602,
                                                                                          "v_mad_i32_i16"),
    op<[](uint16_t a, uint16_t b, bool m) { return m ? b : a; }>(kVop3, 605, "v_cndmask_b16"),
    op<kAddU>(kVop3, 771, "v_add_nc_u16"),
    op<kSubU>(kVop3, 772, "v_sub_nc_u16"),
    op<kMulU>(kVop3, 773, "v_mul_lo_u16"),
    op<kMaxU>(kVop3, 777, "v_max_u16"),
    op<kMaxI>(kVop3, 778, "v_max_i16"),
    op<kMinU>(kVop3, 779, "v_min_u16"),
    op<kMinI>(kVop3, 780, "v_min_i16"),
    op<kAddI>(kVop3, 781, "v_add_nc_i16"),
    op<kSubI>(kVop3, 782, "v_sub_nc_i16"),
    op<[](uint16_t a, uint16_t b) { return uint32_t{b} << 16 | a; }>(kVop3, 785, "v_pack_b32_f16"),
    op<[](uint16_t a, uint16_t b) { return left(a, b); }>(kVop3, 824, "v_lshlrev_b16"),
    op<[](uint16_t a, uint16_t b) { return right(a, b); }>(kVop3, 825, "v_lshrrev_b16"),
    op<[](uint16_t a, int16_t b) { return right_signed(a, b); }>(kVop3, 826, "v_ashrrev_i16"),
    op<[](uint16_t a, uint16_t b) { return static_cast<uint16_t>(a & b); }>(kVop3, 866, "v_and_b16"),
    op<[](uint16_t a, uint16_t b) { return static_cast<uint16_t>(a | b); }>(kVop3, 867, "v_or_b16"),
    op<[](uint16_t a, uint16_t b) { return static_cast<uint16_t>(a ^ b); }>(kVop3, 868, "v_xor_b16"),

    op<kPacked3<int16_t, [](Context x, int16_t a, int16_t b, int16_t c) { return mad_i16(x, a, b, c); }>>(
        kVop3p, 0, "v_pk_mad_i16"),
    op<kPacked2<uint16_t, kMulU>>(kVop3p, 1, "v_pk_mul_lo_u16"),
    op<kPacked2<int16_t, kAddI>>(kVop3p, 2, "v_pk_add_i16"),
    op<kPacked2<int16_t, kSubI>>(kVop3p, 3, "v_pk_sub_i16"),
    op<kPacked2<uint16_t, [](Context, uint16_t a, uint16_t b) { return left(a, b); }>>(kVop3p, 4,
                                                                                       "v_pk_lshlrev_b16"),
    op<kPacked2<uint16_t, [](Context, uint16_t a, uint16_t b) { return right(a, b); }>>(kVop3p, 5,
                                                                                        "v_pk_lshrrev_b16"),
    op<kPacked2<int16_t,
                [](Context, int16_t a, int16_t b) { return right_signed(static_cast<uint16_t>(a), b); }>>(
        kVop3p, 6, "v_pk_ashrrev_i16"),
    op<kPacked2<int16_t, kMaxI>>(kVop3p, 7, "v_pk_max_i16"),
    op<kPacked2<int16_t, kMinI>>(kVop3p, 8, "v_pk_min_i16"),
    op<kPacked3<uint16_t, [](Context x, uint16_t a, uint16_t b, uint16_t c) { return mad_u16(x, a, b, c); }>>(
        kVop3p, 9, "v_pk_mad_u16"),
    op<kPacked2<uint16_t, kAddU>>(kVop3p, 10, "v_pk_add_u16"),
    op<kPacked2<uint16_t, kSubU>>(kVop3p, 11, "v_pk_sub_u16"),
    op<kPacked2<uint16_t, kMaxU>>(kVop3p, 12, "v_pk_max_u16"),
    op<kPacked2<uint16_t, kMinU>>(kVop3p, 13, "v_pk_min_u16"),
};

}  // namespace

std::span<const VectorOp> short_ops() {
  return kOps;
}

}  // namespace halyard::emulator
