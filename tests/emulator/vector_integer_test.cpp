// Integers of 16, 32 and 64 bits against plain arithmetic, with and without saturation.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

using U = uint32_t;
using I = int32_t;
using S = int16_t;
using W = uint16_t;
using S2 = Two<int16_t>;
using W2 = Two<uint16_t>;
constexpr Modifiers kSaturated = {.clamp = 1};

int64_t low_24(U x) {
  const int64_t v24 = x % (1 << 24);
  return v24 >= 1 << 23 ? v24 - (1 << 24) : v24;
}
U wrapped(int64_t x) {
  return static_cast<U>(static_cast<uint64_t>(x) & 0xffffffffu);
}
U limited(int64_t x) {
  return static_cast<U>(std::clamp<int64_t>(x, 0, 0xffffffff));
}
I limited_signed(int64_t x) {
  return static_cast<I>(std::clamp<int64_t>(x, INT32_MIN, INT32_MAX));
}
U byte(U x, int n) {
  return x >> (8 * n) & 255;
}

TEST(VectorInteger, BitsOfOneOperand) {
  check("v_mov_b32", [](U x) { return x; });
  check("v_not_b32", [](U x) { return ~x; });
  check("v_bfrev_b32", [](U x) {
    U r = 0;
    for (int n = 0; n < 32; ++n) r |= (x >> n & 1) << (31 - n);
    return r;
  });
  check("v_clz_i32_u32", [](U x) {
    for (int n = 0; n < 32; ++n) {
      if ((x >> (31 - n) & 1) != 0) return n;
    }
    return -1;
  });
  check("v_ctz_i32_b32", [](U x) {
    for (int n = 0; n < 32; ++n) {
      if ((x >> n & 1) != 0) return n;
    }
    return -1;
  });
  check("v_cls_i32", [](U x) {
    for (int n = 1; n < 32; ++n) {
      if ((x >> (31 - n) & 1) != x >> 31) return n;
    }
    return -1;
  });
}

TEST(VectorInteger, BitsOfTwoAndThree) {
  check("v_and_b32", [](U a, U b) { return a & b; });
  check("v_or_b32", [](U a, U b) { return a | b; });
  check("v_xor_b32", [](U a, U b) { return a ^ b; });
  check("v_xnor_b32", [](U a, U b) { return ~(a ^ b); });
  check("v_xor3_b32", [](U a, U b, U c) { return a ^ b ^ c; });
  check("v_or3_b32", [](U a, U b, U c) { return a | b | c; });
  check("v_and_or_b32", [](U a, U b, U c) { return (a & b) | c; });
  check("v_bfi_b32", [](U a, U b, U c) { return (a & b) | (~a & c); });
  check("v_bfm_b32", [](U a, U b) { return ((1u << a % 32) - 1) << b % 32; });
  check("v_bfe_u32", [](U x, U o, U w) {
    U r = 0;
    for (U n = 0; n < w % 32 && o % 32 + n < 32; ++n) r |= (x >> (o % 32 + n) & 1) << n;
    return r;
  });
  check("v_bfe_i32", [](U x, U o, U w) {
    // Bits beyond the top of the register are copies of its sign.
    const int64_t wide = static_cast<int64_t>(static_cast<I>(x)) >> o % 32;
    const U n = w % 32;
    if (n == 0) return 0;
    const int64_t bits = wide & ((int64_t{1} << n) - 1);
    return static_cast<I>((bits >> (n - 1) & 1) != 0 ? bits - (int64_t{1} << n) : bits);
  });
  check("v_bcnt_u32_b32", [](U a, U b) {
    for (U x = a; x != 0; x &= x - 1) ++b;
    return b;
  });
  check("v_perm_b32", [](U a, U b, U s) {
    U r = 0;
    for (int n = 0; n < 4; ++n) {
      const U select = byte(s, n);
      U value = 255;
      if (select < 4)
        value = byte(b, static_cast<int>(select));
      else if (select < 8)
        value = byte(a, static_cast<int>(select - 4));
      else if (select == 8)
        value = byte(b, 1) >= 128 ? 255 : 0;
      else if (select == 9)
        value = byte(b, 3) >= 128 ? 255 : 0;
      else if (select == 10)
        value = byte(a, 1) >= 128 ? 255 : 0;
      else if (select == 11)
        value = byte(a, 3) >= 128 ? 255 : 0;
      else if (select == 12)
        value = 0;
      r |= value << (8 * n);
    }
    return r;
  });
  check("v_alignbit_b32", [](U a, U b, U c) { return static_cast<U>(((uint64_t{a} << 32) + b) >> c % 32); });
  check("v_alignbyte_b32",
        [](U a, U b, U c) { return static_cast<U>(((uint64_t{a} << 32) + b) >> c % 4 * 8); });
  check("v_cndmask_b32", [](U a, U b, bool m) { return m ? b : a; });
}

// Selects of v_perm beyond bytes are rare among random numbers.
TEST(VectorInteger, PermuteSelects) {
  Machine machine;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    machine.reg(1)[lane] = 0x07654321;
    machine.reg(2)[lane] = 0x92b45678;
    machine.reg(3)[lane] = lane;
  }
  machine.run(vop3(580, 4, {v(1), v(2), v(3)}));
  const U expected[16] = {0x78, 0x56, 0xb4, 0x92, 0x21, 0x43, 0x65, 0x07, 0, 255, 0, 0, 0, 255, 255, 255};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(machine.reg(4)[lane] & 255, lane < 16 ? expected[lane] : 255u) << lane;
    EXPECT_EQ(machine.reg(4)[lane] >> 8, 0x787878u) << lane;
  }
}

TEST(VectorInteger, Shifts) {
  check("v_lshlrev_b32", [](U a, U b) { return b << a % 32; });
  check("v_lshrrev_b32", [](U a, U b) { return b >> a % 32; });
  check("v_ashrrev_i32", [](U a, I b) { return b >> a % 32; });
  check("v_lshl_add_u32", [](U a, U b, U c) { return (a << b % 32) + c; });
  check("v_add_lshl_u32", [](U a, U b, U c) { return (a + b) << c % 32; });
  check("v_lshl_or_b32", [](U a, U b, U c) { return (a << b % 32) | c; });
  check("v_lshlrev_b64", [](U a, uint64_t b) { return b << a % 64; });
  check("v_lshrrev_b64", [](U a, uint64_t b) { return b >> a % 64; });
  check("v_ashrrev_i64", [](U a, int64_t b) { return b >> a % 64; });
}

TEST(VectorInteger, Sums) {
  check("v_add_nc_u32", [](U a, U b) { return a + b; });
  check("v_sub_nc_u32", [](U a, U b) { return a - b; });
  check("v_subrev_nc_u32", [](U a, U b) { return b - a; });
  check("v_add_nc_i32", [](U a, U b) { return a + b; });
  check("v_sub_nc_i32", [](U a, U b) { return a - b; });
  check("v_add3_u32", [](U a, U b, U c) { return a + b + c; });
  check("v_xad_u32", [](U a, U b, U c) { return (a ^ b) + c; });
  check("v_add_nc_u32", [](U a, U b) { return limited(int64_t{a} + b); }, kSaturated);
  check("v_sub_nc_u32", [](U a, U b) { return limited(int64_t{a} - b); }, kSaturated);
  check("v_subrev_nc_u32", [](U a, U b) { return limited(int64_t{b} - a); }, kSaturated);
  check("v_add_nc_i32", [](I a, I b) { return limited_signed(int64_t{a} + b); }, kSaturated);
  check("v_sub_nc_i32", [](I a, I b) { return limited_signed(int64_t{a} - b); }, kSaturated);
}

TEST(VectorInteger, SumsWithCarry) {
  using C = WithMask<U>;
  check("v_add_co_u32", [](U a, U b) { return C{a + b, uint64_t{a} + b > 0xffffffffu}; });
  check("v_sub_co_u32", [](U a, U b) { return C{a - b, b > a}; });
  check("v_subrev_co_u32", [](U a, U b) { return C{b - a, a > b}; });
  check("v_add_co_ci_u32", [](U a, U b, bool c) { return C{a + b + c, uint64_t{a} + b + c > 0xffffffffu}; });
  check("v_sub_co_ci_u32", [](U a, U b, bool c) { return C{a - b - c, uint64_t{b} + c > a}; });
  check("v_subrev_co_ci_u32", [](U a, U b, bool c) { return C{b - a - c, uint64_t{a} + c > b}; });
}

TEST(VectorInteger, Products) {
  check("v_mul_lo_u32", [](U a, U b) { return a * b; });
  check("v_mul_hi_u32", [](U a, U b) { return static_cast<U>(uint64_t{a} * b / 0x100000000u); });
  check("v_mul_hi_i32", [](I a, I b) { return static_cast<I>((int64_t{a} * b) >> 32); });
  check("v_mul_i32_i24", [](U a, U b) { return wrapped(low_24(a) * low_24(b)); });
  check("v_mul_hi_i32_i24", [](U a, U b) { return wrapped((low_24(a) * low_24(b)) >> 32); });
  check("v_mul_u32_u24", [](U a, U b) { return wrapped(int64_t{a % (1 << 24)} * (b % (1 << 24))); });
  check("v_mul_hi_u32_u24",
        [](U a, U b) { return wrapped((int64_t{a % (1 << 24)} * (b % (1 << 24))) >> 32); });
  check("v_mad_i32_i24", [](U a, U b, I c) { return wrapped(low_24(a) * low_24(b) + c); });
  check("v_mad_u32_u24", [](U a, U b, U c) { return wrapped(int64_t{a % (1 << 24)} * (b % (1 << 24)) + c); });
  check("v_mad_i32_i24", [](U a, U b, I c) { return limited_signed(low_24(a) * low_24(b) + c); }, kSaturated);
  check(
      "v_mad_u32_u24", [](U a, U b, U c) { return limited(int64_t{a % (1 << 24)} * (b % (1 << 24)) + c); },
      kSaturated);
  check("v_mad_u64_u32", [](U a, U b, uint64_t c) {
    const unsigned __int128 exact = static_cast<unsigned __int128>(a) * b + c;
    return WithMask<uint64_t>{static_cast<uint64_t>(exact), (exact >> 64) != 0};
  });
  check("v_mad_i64_i32", [](I a, I b, int64_t c) {
    const __int128 exact = static_cast<__int128>(a) * b + c;
    return WithMask<int64_t>{static_cast<int64_t>(exact), (exact >> 64 & 1) != 0};
  });
  check("v_mad_u32_u16", [](W a, W b, U c) { return U{a} * b + c; });
  check("v_mad_i32_i16", [](S a, S b, U c) { return wrapped(int64_t{a} * b + c); });
}

TEST(VectorInteger, MinMaxMedian) {
  check("v_min_i32", [](I a, I b) { return std::min(a, b); });
  check("v_max_i32", [](I a, I b) { return std::max(a, b); });
  check("v_min_u32", [](U a, U b) { return std::min(a, b); });
  check("v_max_u32", [](U a, U b) { return std::max(a, b); });
  check("v_min3_i32", [](I a, I b, I c) { return std::min({a, b, c}); });
  check("v_max3_i32", [](I a, I b, I c) { return std::max({a, b, c}); });
  check("v_min3_u32", [](U a, U b, U c) { return std::min({a, b, c}); });
  check("v_max3_u32", [](U a, U b, U c) { return std::max({a, b, c}); });
  check("v_med3_i32", [](I a, I b, I c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); });
  check("v_med3_u32", [](U a, U b, U c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); });
  check("v_maxmin_u32", [](U a, U b, U c) { return std::min(std::max(a, b), c); });
  check("v_minmax_u32", [](U a, U b, U c) { return std::max(std::min(a, b), c); });
  check("v_maxmin_i32", [](I a, I b, I c) { return std::min(std::max(a, b), c); });
  check("v_minmax_i32", [](I a, I b, I c) { return std::max(std::min(a, b), c); });
}

TEST(VectorInteger, SumsOfDifferences) {
  static const auto apart = [](U a, U b) { return a > b ? a - b : b - a; };
  static const auto bytes = [](U a, U b, bool masked) {
    U sum = 0;
    for (int n = 0; n < 4; ++n) sum += masked && byte(b, n) == 0 ? 0 : apart(byte(a, n), byte(b, n));
    return sum;
  };
  check("v_sad_u8", [](U a, U b, U c) { return bytes(a, b, false) + c; });
  check("v_msad_u8", [](U a, U b, U c) { return bytes(a, b, true) + c; });
  check("v_sad_hi_u8", [](U a, U b, U c) { return bytes(a, b, false) * 65536 + c; });
  check("v_sad_u16", [](U a, U b, U c) { return apart(a % 65536, b % 65536) + apart(a >> 16, b >> 16) + c; });
  check("v_sad_u32", [](U a, U b, U c) { return apart(a, b) + c; });
  check("v_lerp_u8", [](U a, U b, U c) {
    U r = 0;
    for (int n = 0; n < 4; ++n) r |= (byte(a, n) + byte(b, n) + byte(c, n) % 2) / 2 << (8 * n);
    return r;
  });
}

TEST(VectorShort, One) {
  check("v_mov_b16", [](W x) { return x; });
  check("v_not_b16", [](W x) { return static_cast<W>(~x); });
  check("v_cvt_i32_i16", [](S x) { return I{x}; });
  check("v_cvt_u32_u16", [](W x) { return U{x}; });
  check("v_add_nc_u16", [](W a, W b) { return static_cast<W>(a + b); });
  check("v_sub_nc_u16", [](W a, W b) { return static_cast<W>(a - b); });
  check("v_add_nc_i16", [](W a, W b) { return static_cast<W>(a + b); });
  check("v_sub_nc_i16", [](W a, W b) { return static_cast<W>(a - b); });
  check("v_mul_lo_u16", [](W a, W b) { return static_cast<W>(U{a} * b); });
  check("v_add_nc_u16", [](W a, W b) { return static_cast<W>(std::min(a + b, 65535)); }, kSaturated);
  check("v_sub_nc_u16", [](W a, W b) { return static_cast<W>(std::max(a - b, 0)); }, kSaturated);
  check(
      "v_add_nc_i16", [](S a, S b) { return static_cast<S>(std::clamp(a + b, -32768, 32767)); }, kSaturated);
  check(
      "v_sub_nc_i16", [](S a, S b) { return static_cast<S>(std::clamp(a - b, -32768, 32767)); }, kSaturated);
  check("v_mad_u16", [](W a, W b, W c) { return static_cast<W>(U{a} * b + c); });
  check("v_mad_i16", [](S a, S b, S c) { return static_cast<S>(I{a} * b + c); });
  check("v_min_u16", [](W a, W b) { return std::min(a, b); });
  check("v_max_u16", [](W a, W b) { return std::max(a, b); });
  check("v_min_i16", [](S a, S b) { return std::min(a, b); });
  check("v_max_i16", [](S a, S b) { return std::max(a, b); });
  check("v_min3_u16", [](W a, W b, W c) { return std::min({a, b, c}); });
  check("v_max3_u16", [](W a, W b, W c) { return std::max({a, b, c}); });
  check("v_min3_i16", [](S a, S b, S c) { return std::min({a, b, c}); });
  check("v_max3_i16", [](S a, S b, S c) { return std::max({a, b, c}); });
  check("v_med3_i16", [](S a, S b, S c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); });
  check("v_med3_u16", [](W a, W b, W c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); });
  check("v_lshlrev_b16", [](W a, W b) { return static_cast<W>(b << a % 16); });
  check("v_lshrrev_b16", [](W a, W b) { return static_cast<W>(b >> a % 16); });
  check("v_ashrrev_i16", [](W a, S b) { return static_cast<S>(b >> a % 16); });
  check("v_and_b16", [](W a, W b) { return static_cast<W>(a & b); });
  check("v_or_b16", [](W a, W b) { return static_cast<W>(a | b); });
  check("v_xor_b16", [](W a, W b) { return static_cast<W>(a ^ b); });
  check("v_cndmask_b16", [](W a, W b, bool m) { return m ? b : a; });
  check("v_pack_b32_f16", [](W a, W b) { return U{b} * 65536 + a; });
}

TEST(VectorShort, Packed) {
  static const auto limit = [](int x) { return static_cast<S>(std::clamp(x, -32768, 32767)); };
  check("v_pk_add_u16",
        [](W2 a, W2 b) { return W2{static_cast<W>(a.lo + b.lo), static_cast<W>(a.hi + b.hi)}; });
  check("v_pk_sub_u16",
        [](W2 a, W2 b) { return W2{static_cast<W>(a.lo - b.lo), static_cast<W>(a.hi - b.hi)}; });
  check("v_pk_add_i16",
        [](W2 a, W2 b) { return W2{static_cast<W>(a.lo + b.lo), static_cast<W>(a.hi + b.hi)}; });
  check("v_pk_sub_i16",
        [](W2 a, W2 b) { return W2{static_cast<W>(a.lo - b.lo), static_cast<W>(a.hi - b.hi)}; });
  check("v_pk_add_i16", [](S2 a, S2 b) { return S2{limit(a.lo + b.lo), limit(a.hi + b.hi)}; }, kSaturated);
  check("v_pk_mul_lo_u16",
        [](W2 a, W2 b) { return W2{static_cast<W>(U{a.lo} * b.lo), static_cast<W>(U{a.hi} * b.hi)}; });
  check("v_pk_mad_u16", [](W2 a, W2 b, W2 c) {
    return W2{static_cast<W>(U{a.lo} * b.lo + c.lo), static_cast<W>(U{a.hi} * b.hi + c.hi)};
  });
  check("v_pk_mad_i16", [](S2 a, S2 b, S2 c) {
    return S2{static_cast<S>(a.lo * b.lo + c.lo), static_cast<S>(a.hi * b.hi + c.hi)};
  });
  check("v_pk_lshlrev_b16",
        [](W2 a, W2 b) { return W2{static_cast<W>(b.lo << a.lo % 16), static_cast<W>(b.hi << a.hi % 16)}; });
  check("v_pk_lshrrev_b16",
        [](W2 a, W2 b) { return W2{static_cast<W>(b.lo >> a.lo % 16), static_cast<W>(b.hi >> a.hi % 16)}; });
  check("v_pk_ashrrev_i16",
        [](W2 a, S2 b) { return S2{static_cast<S>(b.lo >> a.lo % 16), static_cast<S>(b.hi >> a.hi % 16)}; });
  check("v_pk_min_i16", [](S2 a, S2 b) { return S2{std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; });
  check("v_pk_max_i16", [](S2 a, S2 b) { return S2{std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; });
  check("v_pk_min_u16", [](W2 a, W2 b) { return W2{std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; });
  check("v_pk_max_u16", [](W2 a, W2 b) { return W2{std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; });
}

}  // namespace
}  // namespace halyard::emulator::test
