// Integers and bits of 32 and 64 bits. Sums and products wrap unless the instruction's clamp bit asks for
// saturation.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

int32_t signed_24(uint32_t x) {
  return static_cast<int32_t>(x << 8) >> 8;
}
uint32_t unsigned_24(uint32_t x) {
  return x & 0xffffffu;
}
uint32_t wrap(int64_t x) {
  return static_cast<uint32_t>(static_cast<uint64_t>(x));
}
uint32_t saturate_unsigned(Context x, int64_t exact) {
  if (!x.clamp) return wrap(exact);
  return exact < 0 ? 0 : exact > 0xffffffffLL ? 0xffffffffu : static_cast<uint32_t>(exact);
}
uint32_t saturate_signed(Context x, int64_t exact) {
  if (!x.clamp) return wrap(exact);
  return wrap(exact < INT32_MIN ? INT32_MIN : exact > INT32_MAX ? INT32_MAX : exact);
}

uint32_t shift_left(uint32_t x, uint32_t by) {
  return x << (by & 31u);
}
uint32_t shift_right(uint32_t x, uint32_t by) {
  return x >> (by & 31u);
}
int32_t shift_right_signed(uint32_t x, uint32_t by) {
  return static_cast<int32_t>(x) >> (by & 31u);
}

uint32_t reversed(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}
int32_t leading_zeros(uint32_t x) {
  return x == 0 ? -1 : std::countl_zero(x);
}
int32_t trailing_zeros(uint32_t x) {
  return x == 0 ? -1 : std::countr_zero(x);
}
// Place of the first bit, from the top, that differs from the sign.
int32_t sign_run(uint32_t x) {
  const uint32_t differs = x ^ static_cast<uint32_t>(static_cast<int32_t>(x) >> 31);
  return differs == 0 ? -1 : std::countl_zero(differs);
}

uint32_t field(uint32_t x, uint32_t offset, uint32_t width) {
  return x >> (offset & 31u) & ((1u << (width & 31u)) - 1u);
}
int32_t signed_field(uint32_t x, uint32_t offset, uint32_t width) {
  const uint32_t n = width & 31u;
  if (n == 0) return 0;
  const uint32_t bits = static_cast<uint32_t>(static_cast<int32_t>(x) >> (offset & 31u));
  return static_cast<int32_t>(bits << (32 - n)) >> (32 - n);
}

// Bytes 0 to 3 are those of `low`, 4 to 7 those of `high`; 8 to 11 repeat the sign of bytes 1, 3, 5, 7.
uint32_t permuted(uint32_t high, uint32_t low, uint32_t selects) {
  const uint64_t data = uint64_t{high} << 32 | low;
  uint32_t result = 0;
  for (uint32_t byte = 0; byte < 4; ++byte) {
    const uint32_t select = selects >> (8 * byte) & 0xffu;
    uint32_t value = 0xff;
    if (select < 8) {
      value = static_cast<uint32_t>(data >> (8 * select)) & 0xffu;
    } else if (select < 12) {
      value = (data >> (16 * (select - 8) + 15) & 1u) != 0 ? 0xffu : 0u;
    } else if (select == 12) {
      value = 0;
    }
    result |= value << (8 * byte);
  }
  return result;
}

uint32_t difference(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}
// Sum of absolute differences of bytes; `masked` leaves out bytes that are 0 in b.
uint32_t byte_differences(uint32_t a, uint32_t b, bool masked) {
  uint32_t sum = 0;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    const uint32_t reference = b >> shift & 0xffu;
    if (!masked || reference != 0) sum += difference(a >> shift & 0xffu, reference);
  }
  return sum;
}
uint32_t byte_averages(uint32_t a, uint32_t b, uint32_t round_up) {
  uint32_t result = 0;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    result |= ((a >> shift & 0xffu) + (b >> shift & 0xffu) + (round_up >> shift & 1u)) >> 1 << shift;
  }
  return result;
}

template <class T>
T median(T a, T b, T c) {
  const T low = a < b ? a : b;
  const T high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}
template <class T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  return a < b ? b : a;
}

WithCarry<uint32_t> add(Context x, uint32_t a, uint32_t b, bool carry) {
  const uint64_t exact = uint64_t{a} + b + (carry ? 1u : 0u);
  return {x.clamp && exact >> 32 != 0 ? 0xffffffffu : static_cast<uint32_t>(exact), exact >> 32 != 0};
}
WithCarry<uint32_t> subtract(Context x, uint32_t a, uint32_t b, bool borrow) {
  const uint64_t taken = uint64_t{b} + (borrow ? 1u : 0u);
  const bool below = taken > a;
  return {x.clamp && below ? 0u : static_cast<uint32_t>(a - taken), below};
}

constexpr VectorOp kOps[] = {
    op<[](uint32_t x) { return x; }>(kVop1, 1, "v_mov_b32"),
    op<[](uint32_t x) { return ~x; }>(kVop1, 55, "v_not_b32"),
    op<[](uint32_t x) { return reversed(x); }>(kVop1, 56, "v_bfrev_b32"),
    op<[](uint32_t x) { return leading_zeros(x); }>(kVop1, 57, "v_clz_i32_u32"),
    op<[](uint32_t x) { return trailing_zeros(x); }>(kVop1, 58, "v_ctz_i32_b32"),
    op<[](uint32_t x) { return sign_run(x); }>(kVop1, 59, "v_cls_i32"),

    op<[](uint32_t a, uint32_t b, bool m) { return m ? b : a; }>(kVop2, 1, "v_cndmask_b32"),
    op<[](Context x, uint32_t a, uint32_t b) {
      return saturate_signed(x, int64_t{signed_24(a)} * signed_24(b));
    }>(kVop2, 9, "v_mul_i32_i24"),
    op<[](uint32_t a, uint32_t b) { return wrap((int64_t{signed_24(a)} * signed_24(b)) >> 32); }>(
        kVop2, 10, "v_mul_hi_i32_i24"),
    op<[](Context x, uint32_t a, uint32_t b) {
      return saturate_unsigned(x, int64_t{unsigned_24(a)} * unsigned_24(b));
    }>(kVop2, 11, "v_mul_u32_u24"),
    op<[](uint32_t a, uint32_t b) {
      return static_cast<uint32_t>((uint64_t{unsigned_24(a)} * unsigned_24(b)) >> 32);
    }>(kVop2, 12, "v_mul_hi_u32_u24"),
    op<[](int32_t a, int32_t b) { return least(a, b); }>(kVop2, 17, "v_min_i32"),
    op<[](int32_t a, int32_t b) { return most(a, b); }>(kVop2, 18, "v_max_i32"),
    op<[](uint32_t a, uint32_t b) { return least(a, b); }>(kVop2, 19, "v_min_u32"),
    op<[](uint32_t a, uint32_t b) { return most(a, b); }>(kVop2, 20, "v_max_u32"),
    op<[](uint32_t a, uint32_t b) { return shift_left(b, a); }>(kVop2, 24, "v_lshlrev_b32"),
    op<[](uint32_t a, uint32_t b) { return shift_right(b, a); }>(kVop2, 25, "v_lshrrev_b32"),
    op<[](uint32_t a, uint32_t b) { return shift_right_signed(b, a); }>(kVop2, 26, "v_ashrrev_i32"),
    op<[](uint32_t a, uint32_t b) { return a & b; }>(kVop2, 27, "v_and_b32"),
    op<[](uint32_t a, uint32_t b) { return a | b; }>(kVop2, 28, "v_or_b32"),
    op<[](uint32_t a, uint32_t b) { return a ^ b; }>(kVop2, 29, "v_xor_b32"),
    op<[](uint32_t a, uint32_t b) { return ~(a ^ b); }>(kVop2, 30, "v_xnor_b32"),
    op<[](Context x, uint32_t a, uint32_t b, bool c) { return add(x, a, b, c); }>(
        kVop2, 32, "v_add_co_ci_u32", kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b, bool c) { return subtract(x, a, b, c); }>(
        kVop2, 33, "v_sub_co_ci_u32", kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b, bool c) { return subtract(x, b, a, c); }>(
        kVop2, 34, "v_subrev_co_ci_u32", kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b) { return saturate_unsigned(x, int64_t{a} + b); }>(
        kVop2, 37, "v_add_nc_u32"),
    op<[](Context x, uint32_t a, uint32_t b) { return saturate_unsigned(x, int64_t{a} - b); }>(
        kVop2, 38, "v_sub_nc_u32"),
    op<[](Context x, uint32_t a, uint32_t b) { return saturate_unsigned(x, int64_t{b} - a); }>(
        kVop2, 39, "v_subrev_nc_u32"),

    op<[](Context x, uint32_t a, uint32_t b, int32_t c) {
      return saturate_signed(x, int64_t{signed_24(a)} * signed_24(b) + c);
    }>(kVop3, 522, "v_mad_i32_i24"),
    op<[](Context x, uint32_t a, uint32_t b, uint32_t c) {
      return saturate_unsigned(x, int64_t{unsigned_24(a)} * unsigned_24(b) + c);
    }>(kVop3, 523, "v_mad_u32_u24"),
    op<[](uint32_t x, uint32_t o, uint32_t w) { return field(x, o, w); }>(kVop3, 528, "v_bfe_u32"),
    op<[](uint32_t x, uint32_t o, uint32_t w) { return signed_field(x, o, w); }>(kVop3, 529, "v_bfe_i32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (~a & c); }>(kVop3, 530, "v_bfi_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return byte_averages(a, b, c); }>(kVop3, 533, "v_lerp_u8"),
    op<[](uint32_t a, uint32_t b, uint32_t c) {
      return static_cast<uint32_t>((uint64_t{a} << 32 | b) >> (c & 31u));
    }>(kVop3, 534, "v_alignbit_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) {
      return static_cast<uint32_t>((uint64_t{a} << 32 | b) >> (8 * (c & 3u)));
    }>(kVop3, 535, "v_alignbyte_b32"),
    op<[](int32_t a, int32_t b, int32_t c) { return least(least(a, b), c); }>(kVop3, 538, "v_min3_i32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return least(least(a, b), c); }>(kVop3, 539, "v_min3_u32"),
    op<[](int32_t a, int32_t b, int32_t c) { return most(most(a, b), c); }>(kVop3, 541, "v_max3_i32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return most(most(a, b), c); }>(kVop3, 542, "v_max3_u32"),
    op<[](int32_t a, int32_t b, int32_t c) { return median(a, b, c); }>(kVop3, 544, "v_med3_i32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return median(a, b, c); }>(kVop3, 545, "v_med3_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return byte_differences(a, b, false) + c; }>(kVop3, 546,
                                                                                             "v_sad_u8"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return (byte_differences(a, b, false) << 16) + c; }>(
        kVop3, 547, "v_sad_hi_u8"),
    op<[](uint32_t a, uint32_t b, uint32_t c) {
      return difference(a & 0xffffu, b & 0xffffu) + difference(a >> 16, b >> 16) + c;
    }>(kVop3, 548, "v_sad_u16"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return difference(a, b) + c; }>(kVop3, 549, "v_sad_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return byte_differences(a, b, true) + c; }>(kVop3, 569,
                                                                                            "v_msad_u8"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }>(kVop3, 576, "v_xor3_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return permuted(a, b, c); }>(kVop3, 580, "v_perm_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return (a ^ b) + c; }>(kVop3, 581, "v_xad_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return shift_left(a, b) + c; }>(kVop3, 582, "v_lshl_add_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return shift_left(a + b, c); }>(kVop3, 583, "v_add_lshl_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return a + b + c; }>(kVop3, 597, "v_add3_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return shift_left(a, b) | c; }>(kVop3, 598, "v_lshl_or_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return (a & b) | c; }>(kVop3, 599, "v_and_or_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return a | b | c; }>(kVop3, 600, "v_or3_b32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return least(most(a, b), c); }>(kVop3, 610, "v_maxmin_u32"),
    op<[](uint32_t a, uint32_t b, uint32_t c) { return most(least(a, b), c); }>(kVop3, 611, "v_minmax_u32"),
    op<[](int32_t a, int32_t b, int32_t c) { return least(most(a, b), c); }>(kVop3, 612, "v_maxmin_i32"),
    op<[](int32_t a, int32_t b, int32_t c) { return most(least(a, b), c); }>(kVop3, 613, "v_minmax_i32"),
    op<[](uint32_t a, uint32_t b) { return ((1u << (a & 31u)) - 1u) << (b & 31u); }>(kVop3, 797, "v_bfm_b32"),
    op<[](uint32_t a, uint32_t b) { return static_cast<uint32_t>(std::popcount(a)) + b; }>(kVop3, 798,
                                                                                           "v_bcnt_u32_b32"),
    op<[](Context x, int32_t a, int32_t b) { return saturate_signed(x, int64_t{a} - b); }>(kVop3, 805,
                                                                                           "v_sub_nc_i32"),
    op<[](Context x, int32_t a, int32_t b) { return saturate_signed(x, int64_t{a} + b); }>(kVop3, 806,
                                                                                           "v_add_nc_i32"),
    op<[](uint32_t a, uint32_t b) { return a * b; }>(kVop3, 812, "v_mul_lo_u32"),
    op<[](uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} * b) >> 32); }>(kVop3, 813,
                                                                                              "v_mul_hi_u32"),
    op<[](int32_t a, int32_t b) { return wrap((int64_t{a} * b) >> 32); }>(kVop3, 814, "v_mul_hi_i32"),
    op<[](uint32_t a, uint64_t b) { return b << (a & 63u); }>(kVop3, 828, "v_lshlrev_b64"),
    op<[](uint32_t a, uint64_t b) { return (b >> (a & 63u)); }>(kVop3, 829, "v_lshrrev_b64"),
    op<[](uint32_t a, int64_t b) { return (b >> (a & 63u)); }>(kVop3, 830, "v_ashrrev_i64"),

    op<[](uint32_t a, uint32_t b, uint64_t c) {
      const uint64_t product = uint64_t{a} * b;
      return WithCarry<uint64_t>{product + c, product + c < c};
    }>(kVop3, 766, "v_mad_u64_u32", kScalarPair),
    op<[](int32_t a, int32_t b, uint64_t c) {
      // 65 bits: the top one is the sum of both signs and the carry out of 64 bits.
      const uint64_t product = static_cast<uint64_t>(int64_t{a} * b);
      const uint64_t sum = product + c;
      return WithCarry<uint64_t>{sum, ((product >> 63) + (c >> 63) + (sum < c ? 1u : 0u)) % 2 != 0};
    }>(kVop3, 767, "v_mad_i64_i32", kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b) { return add(x, a, b, false); }>(kVop3, 768, "v_add_co_u32",
                                                                              kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b) { return subtract(x, a, b, false); }>(kVop3, 769, "v_sub_co_u32",
                                                                                   kScalarPair),
    op<[](Context x, uint32_t a, uint32_t b) { return subtract(x, b, a, false); }>(
        kVop3, 770, "v_subrev_co_u32", kScalarPair),
};

}  // namespace

std::span<const VectorOp> integer_ops() {
  return kOps;
}

}  // namespace halyard::emulator
