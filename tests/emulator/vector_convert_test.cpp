// Conversions and compares against plain arithmetic.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

using U = uint32_t;
using I = int32_t;
using S = int16_t;
using W = uint16_t;
using H = F16;

template <class T>
T into(long double x) {
  if (std::isnan(x)) return 0;
  const long double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(std::trunc(std::min(std::max(x, low), high)));
}
long double value(H x) {
  return half_value(x.bits);
}
U pair(U low, U high) {
  return high % 65536 * 65536 + low % 65536;
}
U signed_norm(long double x) {
  return std::isnan(x) ? 0
                       : static_cast<U>(static_cast<I>(std::nearbyint(std::clamp(x, -1.0L, 1.0L) * 32767)));
}
U unsigned_norm(long double x) {
  return std::isnan(x) ? 0 : static_cast<U>(std::nearbyint(std::clamp(x, 0.0L, 1.0L) * 65535));
}

TEST(VectorConvert, FloatsAndIntegers) {
  check("v_cvt_f32_i32", [](I x) { return static_cast<float>(static_cast<long double>(x)); });
  check("v_cvt_f32_u32", [](U x) { return static_cast<float>(static_cast<long double>(x)); });
  check("v_cvt_i32_f32", [](float x) { return into<I>(x); });
  check("v_cvt_u32_f32", [](float x) { return into<U>(x); });
  check("v_cvt_nearest_i32_f32",
        [](float x) { return into<I>(std::floor(static_cast<long double>(x) + 0.5L)); });
  check("v_cvt_floor_i32_f32", [](float x) { return into<I>(std::floor(x)); });
  check("v_cvt_off_f32_i4", [](U x) { return static_cast<float>(static_cast<int>(x % 16 ^ 8) - 8) / 16; });
  check("v_cvt_f32_ubyte0", [](U x) { return static_cast<float>(x % 256); });
  check("v_cvt_f32_ubyte1", [](U x) { return static_cast<float>(x / 256 % 256); });
  check("v_cvt_f32_ubyte2", [](U x) { return static_cast<float>(x / 65536 % 256); });
  check("v_cvt_f32_ubyte3", [](U x) { return static_cast<float>(x / 16777216); });
  check("v_cvt_i32_f64", [](double x) { return into<I>(x); });
  check("v_cvt_u32_f64", [](double x) { return into<U>(x); });
  check("v_cvt_f64_i32", [](I x) { return static_cast<double>(x); });
  check("v_cvt_f64_u32", [](U x) { return static_cast<double>(x); });
  check("v_cvt_f32_f64", [](double x) { return static_cast<float>(x); });
  check("v_cvt_f64_f32", [](float x) { return static_cast<double>(x); });
}

TEST(VectorConvert, Halves) {
  check("v_cvt_f16_f32", [](float x) { return H{half_nearest(x)}; });
  check("v_cvt_f32_f16", [](H x) { return static_cast<float>(value(x)); });
  check("v_cvt_f16_u16", [](W x) { return H{half_nearest(x)}; });
  check("v_cvt_f16_i16", [](S x) { return H{half_nearest(x)}; });
  check("v_cvt_u16_f16", [](H x) { return into<W>(value(x)); });
  check("v_cvt_i16_f16", [](H x) { return into<S>(value(x)); });
  check("v_cvt_norm_i16_f16", [](H x) { return static_cast<W>(signed_norm(value(x))); });
  check("v_cvt_norm_u16_f16", [](H x) { return static_cast<W>(unsigned_norm(value(x))); });
  check("v_cvt_pk_norm_i16_f16", [](H a, H b) { return pair(signed_norm(value(a)), signed_norm(value(b))); });
  check("v_cvt_pk_norm_u16_f16",
        [](H a, H b) { return pair(unsigned_norm(value(a)), unsigned_norm(value(b))); });
}

TEST(VectorConvert, Packed) {
  check("v_cvt_pk_norm_i16_f32", [](float a, float b) { return pair(signed_norm(a), signed_norm(b)); });
  check("v_cvt_pk_norm_u16_f32", [](float a, float b) { return pair(unsigned_norm(a), unsigned_norm(b)); });
  check("v_cvt_pk_i16_f32",
        [](float a, float b) { return pair(static_cast<U>(into<S>(a)), static_cast<U>(into<S>(b))); });
  check("v_cvt_pk_u16_f32", [](float a, float b) { return pair(into<W>(a), into<W>(b)); });
  check("v_cvt_pk_u16_u32", [](U a, U b) { return pair(std::min(a, 65535u), std::min(b, 65535u)); });
  check("v_cvt_pk_i16_i32", [](I a, I b) {
    return pair(static_cast<U>(std::clamp(a, -32768, 32767)), static_cast<U>(std::clamp(b, -32768, 32767)));
  });
  check("v_cvt_pk_u8_f32", [](float x, U b, U c) {
    const U shift = b % 4 * 8;
    return (c & ~(255u << shift)) | static_cast<U>(into<uint8_t>(x)) << shift;
  });
  check("v_sat_pk_u8_i16", [](U x) {
    const int low = std::clamp<int>(static_cast<S>(x), 0, 255),
              high = std::clamp<int>(static_cast<S>(x >> 16), 0, 255);
    return static_cast<W>(high * 256 + low);
  });
  // NaN have no bits of their own to compare, so they are left out by hand.
  Machine machine;
  Values values;
  for (int round = 0; round < 200; ++round) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      machine.reg(1)[lane] = values.float_bits();
      machine.reg(2)[lane] = values.float_bits();
    }
    machine.run(vop2(row_named("v_cvt_pk_rtz_f16_f32").opcode, 3, v(1), 2));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t part = 0; part < 2; ++part) {
        const float x = std::bit_cast<float>(machine.reg(1 + part)[lane]);
        const uint16_t found = static_cast<uint16_t>(machine.reg(3)[lane] >> (16 * part));
        if (std::isnan(x))
          EXPECT_TRUE(is_nan_16(found));
        else
          EXPECT_EQ(found, half_toward_zero(x)) << x;
      }
    }
  }
}

// ---- compares: the ordering decides everything

enum Order { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
template <class T>
int order(T a, T b) {
  return a < b ? kLess : a == b ? kEqual : b < a ? kGreater : kUnordered;
}
int order(H a, H b) {
  return order(value(a), value(b));
}

// For which orders a compare holds, by the mnemonic of its condition.
int holds_for(const std::string& condition) {
  static const std::pair<const char*, int> kTable[] = {
      {"f", 0},    {"lt", 1},   {"eq", 2},   {"le", 3},  {"gt", 4},   {"lg", 5},
      {"ge", 6},   {"o", 7},    {"u", 8},    {"nge", 9}, {"nlg", 10}, {"ngt", 11},
      {"nle", 12}, {"neq", 13}, {"nlt", 14}, {"t", 15},  {"ne", 5}};
  for (const auto& [name, orders] : kTable) {
    if (condition == name) return orders;
  }
  ADD_FAILURE() << condition;
  return 0;
}

template <class T>
void check_compare(const std::string& name, const std::string& condition) {
  const VectorOp& row = row_named(name);
  const int orders = holds_for(condition);
  Machine machine;
  Values values;
  constexpr uint32_t k64 = kIs64<T> ? 3 : 0;
  for (int round = 0; round < 40; ++round) {
    Trial t;
    t.exec = round == 0 ? ~0u : values.bits();
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      t.in[0][lane] = values.of<T>();
      t.in[1][lane] = lane % 4 == 0 ? t.in[0][lane] : values.of<T>();
    }
    for (int form = 0; form < 2; ++form) {
      ASSERT_TRUE(run_trial(machine, row, form, {}, t, k64, -1));
      uint32_t expected = 0;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const T a = FromRegister<T>::get(t.in[0][lane]), b = FromRegister<T>::get(t.in[1][lane]);
        if ((order(a, b) & orders) != 0) expected |= 1u << lane;
      }
      EXPECT_EQ(t.mask_out, expected & t.exec) << name << " form " << form << " seed " << kSeed;
      EXPECT_EQ(machine.wave->exec(), t.exec);
      // v_cmpx: the same into exec, vcc as it was.
      machine.wave->sgpr[kVccLo] = 0x13579bdf;
      const uint32_t opcode = row.opcode + 128u;
      machine.run(form == 0 ? vopc(opcode, v(kSourceRegister[0]), kSourceRegister[1])
                            : vop3(opcode, kExecLo, {v(kSourceRegister[0]), v(kSourceRegister[1]), 0}));
      EXPECT_EQ(machine.wave->exec(), expected & t.exec) << name << " to exec";
      EXPECT_EQ(machine.wave->vcc(), 0x13579bdfu);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(VectorCompare, EveryCondition) {
  for (const VectorOp* row : all_rows()) {
    const std::string name = row->name;
    if (row->format != Format::kVopc || name.find("class") != std::string::npos) continue;
    const size_t type_at = name.rfind('_') + 1;
    const std::string type = name.substr(type_at), condition = name.substr(6, type_at - 7);
    if (type == "f16")
      check_compare<H>(name, condition);
    else if (type == "f32")
      check_compare<float>(name, condition);
    else if (type == "f64")
      check_compare<double>(name, condition);
    else if (type == "i16")
      check_compare<S>(name, condition);
    else if (type == "u16")
      check_compare<W>(name, condition);
    else if (type == "i32")
      check_compare<I>(name, condition);
    else if (type == "u32")
      check_compare<U>(name, condition);
    else if (type == "i64")
      check_compare<int64_t>(name, condition);
    else if (type == "u64")
      check_compare<uint64_t>(name, condition);
    else
      ADD_FAILURE() << name;
  }
}

template <class T>
bool in_class(T x, bool signalling, U mask) {
  int bit = 0;
  const bool negative = std::signbit(x);
  switch (std::fpclassify(x)) {
    case FP_NAN:
      bit = signalling ? 0 : 1;
      break;
    case FP_INFINITE:
      bit = negative ? 2 : 9;
      break;
    case FP_NORMAL:
      bit = negative ? 3 : 8;
      break;
    case FP_SUBNORMAL:
      bit = negative ? 4 : 7;
      break;
    default:
      bit = negative ? 5 : 6;
      break;
  }
  return (mask >> bit & 1) != 0;
}

TEST(VectorCompare, Classes) {
  check("v_cmp_class_f32",
        [](float x, U m) { return in_class(x, (std::bit_cast<U>(x) & 0x400000) == 0, m); });
  check("v_cmp_class_f64",
        [](double x, U m) { return in_class(x, (std::bit_cast<uint64_t>(x) & 0x8000000000000u) == 0, m); });
  check("v_cmp_class_f16", [](H x, W m) {
    if (is_nan_16(x.bits)) return (m >> ((x.bits & 0x200) == 0 ? 0 : 1) & 1) != 0;
    const int magnitude = x.bits & 0x7fff;
    const bool negative = (x.bits & 0x8000) != 0;
    const int bit = magnitude == 0x7c00  ? (negative ? 2 : 9)
                    : magnitude >= 0x400 ? (negative ? 3 : 8)
                    : magnitude != 0     ? (negative ? 4 : 7)
                                         : (negative ? 5 : 6);
    return (m >> bit & 1) != 0;
  });
}

}  // namespace
}  // namespace halyard::emulator::test
