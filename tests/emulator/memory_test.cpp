// Loads, stores and atomics of every address space, what they report, and the waits that they need.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "emulator/machine.h"

namespace halyard::emulator {
namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kOff = 124;             // no scalar base
constexpr uint32_t kWaitAll = 0xbf890000;  // s_waitcnt 0

// seg: 0 flat, 1 scratch, 2 global. Address in v2 (and v3), data in v4 on, result in v8 on.
Words flat(uint32_t seg, uint32_t opcode, int32_t offset = 0, uint32_t base = kOff, bool glc = false) {
  const uint32_t first = 0xdc000000u | opcode << 18 | seg << 16 | (glc ? 1u << 14 : 0) |
                         (static_cast<uint32_t>(offset) & 0x1fff);
  const uint32_t use_address = seg == 1 ? 1u << 23 : 0;
  return {first, 8u << 24 | use_address | base << 16 | 4u << 8 | 2u, kWaitAll};
}
// Address in v2, data in v4 on and v6 on, result in v8 on.
Words lds(uint32_t opcode, uint32_t offset = 0) {
  return {0xd8000000u | opcode << 18 | (offset & 0xffff), 8u << 24 | 6u << 16 | 4u << 8 | 2u, kWaitAll};
}
// Descriptor in s[12:15], address in v2 on, data in v8.
Words buffer(uint32_t opcode, uint32_t offset, bool offen, bool idxen, uint32_t scalar = 128,
             bool glc = false) {
  return {0xe0000000u | opcode << 18 | (glc ? 1u << 14 : 0) | offset,
          scalar << 24 | (idxen ? 1u << 23 : 0) | (offen ? 1u << 22 : 0) | 3u << 16 | 8u << 8 | 2u, kWaitAll};
}
Words scalar_load(uint32_t opcode, uint32_t dst, int32_t offset, uint32_t register_offset = kOff) {
  return {0xf4000000u | opcode << 18 | dst << 6 | 2u,
          register_offset << 25 | (static_cast<uint32_t>(offset) & 0x1fffff), 0xbf89fc07};
}
Words together(std::initializer_list<Words> parts) {
  Words out;
  for (const Words& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

class MemoryTest : public testing::Test {
 protected:
  static constexpr uint32_t kBytes = 4096;
  Machine m;
  Allocation* a = m.memory.allocate(kBytes, MemoryKind::kDevice);

  void fill() {
    for (uint32_t b = 0; b < kBytes; ++b) a->data()[b] = static_cast<uint8_t>(b * 37 + 11);
    std::memset(a->written, 1, kBytes);
  }
  void each_lane(uint32_t stride, uint32_t start = 0) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) m.set_address(2, lane, a->address + start + lane * stride);
  }
  uint32_t raw(uint64_t place, uint32_t bytes) const {
    uint32_t value = 0;
    std::memcpy(&value, a->data() + place, bytes);
    return value;
  }
  void expect_fault(const Words& words, const std::vector<std::string>& parts) {
    const std::string report = m.fault_of(words);
    for (const std::string& part : parts)
      EXPECT_NE(report.find(part), std::string::npos) << part << "\nin: " << report;
  }
};

struct LoadCase {
  uint32_t flat, lds, bytes;
  std::function<uint32_t(uint32_t raw, uint32_t old)> value;
};
const std::vector<LoadCase>& load_cases() {
  const auto sign8 = [](uint32_t r) { return static_cast<uint32_t>(static_cast<int8_t>(r)); };
  const auto low = [](uint32_t r, uint32_t old) { return (old & 0xffff0000u) | (r & 0xffff); };
  const auto high = [](uint32_t r, uint32_t old) { return (old & 0xffffu) | r << 16; };
  static const std::vector<LoadCase> cases = {
      {16, 58, 1, [](uint32_t r, uint32_t) { return r; }},
      {17, 57, 1, [=](uint32_t r, uint32_t) { return sign8(r); }},
      {18, 60, 2, [](uint32_t r, uint32_t) { return r; }},
      {19, 59, 2, [](uint32_t r, uint32_t) { return static_cast<uint32_t>(static_cast<int16_t>(r)); }},
      {20, 54, 4, [](uint32_t r, uint32_t) { return r; }},
      {30, 162, 1, [=](uint32_t r, uint32_t old) { return low(r, old); }},
      {31, 164, 1, [=](uint32_t r, uint32_t old) { return low(sign8(r), old); }},
      {32, 166, 2, [=](uint32_t r, uint32_t old) { return low(r, old); }},
      {33, 163, 1, [=](uint32_t r, uint32_t old) { return high(r, old); }},
      {34, 165, 1, [=](uint32_t r, uint32_t old) { return high(sign8(r), old); }},
      {35, 167, 2, [=](uint32_t r, uint32_t old) { return high(r, old); }}};
  return cases;
}

TEST_F(MemoryTest, LoadsOfUpTo32Bits) {
  fill();
  for (const LoadCase& c : load_cases()) {
    for (const uint32_t seg : {0u, 2u}) {
      m.reset();
      m.s(kExecLo) = 0xfffffff7;
      each_lane(9, 20);
      m.run(flat(seg, c.flat, -3));
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t expected = c.value(raw(17 + lane * 9, c.bytes), 0xdeadbeef);
        EXPECT_EQ(m.v(8, lane), lane == 3 ? 0xdeadbeefu : expected) << c.flat << " lane " << lane;
      }
    }
  }
}

TEST_F(MemoryTest, WideLoadsAndStores) {
  fill();
  each_lane(16);
  for (const auto& [load, store, n] :
       {std::tuple{20u, 26u, 1u}, {21u, 27u, 2u}, {22u, 28u, 3u}, {23u, 29u, 4u}}) {
    m.reset();
    each_lane(16);
    m.run(flat(2, load, 4));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t r = 0; r < 4; ++r) {
        EXPECT_EQ(m.v(8 + r, lane), r < n ? raw(lane * 16 + 4 + 4 * r, 4) : 0xdeadbeefu);
        m.v(4 + r, lane) = lane * 100 + r;
      }
    }
    std::memset(a->written + 2048, 0, 1024);
    m.s(kExecLo) = 0x7fffffff;
    m.run(flat(2, store, 2048));
    for (uint32_t lane = 0; lane < 31; ++lane) {
      for (uint32_t r = 0; r < n; ++r) EXPECT_EQ(raw(2048 + lane * 16 + 4 * r, 4), lane * 100 + r);
      EXPECT_EQ(a->written[2048 + lane * 16 + 4 * n - 1], 1);
      if (n < 4) {
        EXPECT_EQ(a->written[2048 + lane * 16 + 4 * n], 0);
      }
    }
    EXPECT_EQ(a->written[2048 + 31 * 16], 0) << "a lane that is off wrote";
  }
}

TEST_F(MemoryTest, SmallStores) {
  for (const auto& [opcode, ds, bytes, shift] :
       {std::tuple{24u, 30u, 1u, 0u}, {25u, 31u, 2u, 0u}, {36u, 160u, 1u, 16u}, {37u, 161u, 2u, 16u}}) {
    fill();
    each_lane(4);
    for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(4, lane) = 0x9a7b5c3d + lane;
    m.run(flat(2, opcode, 1));
    const uint32_t mask = (1u << 8 * bytes) - 1;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(raw(lane * 4 + 1, bytes), (0x9a7b5c3d + lane) >> shift & mask);
      EXPECT_EQ(raw(lane * 4, 1), (lane * 4 * 37 + 11) & 0xff);
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane * 4;
    m.run(together({lds(ds, 2), lds(bytes == 1 ? 58 : 60, 2)}));
    EXPECT_EQ(m.v(8, 5), (0x9a7b5c3du + 5) >> shift & mask);
  }
}

TEST_F(MemoryTest, ScalarBaseAndOffset) {
  fill();
  m.set_pair(12, a->address + 8);
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane * 12;
  m.run(flat(2, 20, -8, 12));
  EXPECT_EQ(m.v(8, 7), raw(84, 4));
}

TEST_F(MemoryTest, Atomics) {
  struct Case {
    uint32_t flat, ds, ds_returns;
    std::function<uint32_t(uint32_t old, uint32_t x)> value;
  };
  const auto s = [](uint32_t x) { return static_cast<int32_t>(x); };
  const auto f = [](uint32_t x) { return std::bit_cast<float>(x); };
  const std::vector<Case> cases = {
      {51, 0, 45, [](uint32_t, uint32_t x) { return x; }},
      {53, 0, 32, [](uint32_t o, uint32_t x) { return o + x; }},
      {54, 1, 33, [](uint32_t o, uint32_t x) { return o - x; }},
      {56, 5, 37, [=](uint32_t o, uint32_t x) { return s(x) < s(o) ? x : o; }},
      {57, 7, 39, [](uint32_t o, uint32_t x) { return std::min(o, x); }},
      {58, 6, 38, [=](uint32_t o, uint32_t x) { return s(x) > s(o) ? x : o; }},
      {59, 8, 40, [](uint32_t o, uint32_t x) { return std::max(o, x); }},
      {60, 9, 41, [](uint32_t o, uint32_t x) { return o & x; }},
      {61, 10, 42, [](uint32_t o, uint32_t x) { return o | x; }},
      {62, 11, 43, [](uint32_t o, uint32_t x) { return o ^ x; }},
      {63, 3, 35, [](uint32_t o, uint32_t x) { return o >= x ? 0 : o + 1; }},
      {64, 4, 36, [](uint32_t o, uint32_t x) { return o == 0 || o > x ? x : o - 1; }},
      {86, 21, 121, [=](uint32_t o, uint32_t x) { return std::bit_cast<uint32_t>(f(o) + f(x)); }},
      {81, 18, 50, [=](uint32_t o, uint32_t x) { return std::bit_cast<uint32_t>(std::fmin(f(o), f(x))); }},
      {82, 19, 51, [=](uint32_t o, uint32_t x) { return std::bit_cast<uint32_t>(std::fmax(f(o), f(x))); }}};
  for (const Case& c : cases) {
    const bool real = c.flat > 80;
    const auto operand = [&](uint32_t lane) {
      return real ? std::bit_cast<uint32_t>(static_cast<float>(lane) - 9.5f) : 0x80000010u + lane * 77777777u;
    };
    uint32_t expected = real ? 0x40490fdb : 0x7ffffff0;
    std::memcpy(a->data(), &expected, 4);
    std::memset(a->written, 1, 4);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      m.set_address(2, lane, a->address);
      m.v(4, lane) = operand(lane);
    }
    m.run(flat(2, c.flat, 0, kOff, true));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(m.v(8, lane), expected) << c.flat << " lane " << lane;
      expected = c.value(expected, operand(lane));
    }
    EXPECT_EQ(raw(0, 4), expected) << c.flat;
    // The same in LDS: store a start, change it, read it.
    for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = 64 + lane * 4;
    m.run(together({lds(13), lds(c.ds_returns), lds(54)}));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(m.v(8, lane), c.value(operand(lane), operand(lane))) << c.ds_returns;
    }
    if (c.flat == 51) continue;
    m.run(together({lds(13), lds(c.ds), lds(54)}));
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(m.v(8, lane), c.value(operand(lane), operand(lane))) << c.ds;
  }
}

TEST_F(MemoryTest, CompareAndSwap) {
  fill();
  each_lane(8);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.v(4, lane) = 1000 + lane;                               // new value
    m.v(5, lane) = lane % 2 == 0 ? raw(lane * 8, 4) : 12345;  // compared with
  }
  const Words words = flat(2, 52, 0, kOff, true);
  std::vector<uint32_t> before;
  for (uint32_t lane = 0; lane < kLanes; ++lane) before.push_back(raw(lane * 8, 4));
  m.run(words);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(m.v(8, lane), before[lane]);
    EXPECT_EQ(raw(lane * 8, 4), lane % 2 == 0 ? 1000 + lane : before[lane]);
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.v(2, lane) = lane * 4;
    m.v(6, lane) = lane % 2 == 0 ? 1000 + lane : 7;  // compared with
  }
  // LDS holds v4; v4 is also what it would become: change it by ds_add first.
  m.run(together({lds(13), lds(0), lds(48), lds(54)}));
  EXPECT_EQ(m.v(8, 4), 2008u) << "2008 is not 1004: stays";
}

TEST_F(MemoryTest, Atomics64) {
  const uint64_t start = 0xffffffff;
  std::memcpy(a->data(), &start, 8);
  std::memset(a->written, 1, 8);
  m.s(kExecLo) = 1;
  m.set_address(2, 0, a->address);
  m.set_address(4, 0, 2);
  m.run(flat(2, 67, 0, kOff, true));
  EXPECT_EQ(m.v(8, 0) | uint64_t{m.v(9, 0)} << 32, start);
  uint64_t now;
  std::memcpy(&now, a->data(), 8);
  EXPECT_EQ(now, start + 2);
}

TEST_F(MemoryTest, LdsTwoAddresses) {
  for (const auto& [store, load, unit, n] :
       {std::tuple{14u, 55u, 4u, 1u}, {15u, 56u, 256u, 1u}, {78u, 119u, 8u, 2u}, {79u, 120u, 512u, 2u}}) {
    m.reset();
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      m.v(2, lane) = lane * 16 * (n == 2 ? 2 : 1);
      for (uint32_t r = 0; r < 2; ++r) m.v(4 + r, lane) = lane * 8 + r, m.v(6 + r, lane) = lane * 8 + 4 + r;
    }
    m.run(together({lds(store, 1 | 3 << 8), lds(load, 1 | 3 << 8)}));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(m.v(8, lane), lane * 8) << unit;
      EXPECT_EQ(m.v(8 + n, lane), lane * 8 + 4) << unit;
    }
    if (unit == 256) {
      m.run(together({lds(store, 1 | 3 << 8), lds(54, 768)}));
      EXPECT_EQ(m.v(8, 2), 20u);
    }
  }
}

TEST_F(MemoryTest, LdsWide) {
  for (const auto& [store, load, n] : {std::tuple{77u, 118u, 2u}, {222u, 254u, 3u}, {223u, 255u, 4u}}) {
    m.reset();
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      m.v(2, lane) = lane * 16;
      for (uint32_t r = 0; r < n; ++r) m.v(4 + r, lane) = lane * 10 + r;
    }
    m.run(together({lds(store, 4096), lds(load, 4096)}));
    for (uint32_t r = 0; r < n; ++r) EXPECT_EQ(m.v(8 + r, 9), 90 + r);
  }
}

TEST_F(MemoryTest, LanesExchange) {
  m.s(kExecLo) = 0xfffffffe;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.v(2, lane) = (31 - lane) * 4 + 128;  // wraps
    m.v(4, lane) = 500 + lane;
  }
  m.run(lds(179));
  EXPECT_EQ(m.v(8, 1), 530u);
  EXPECT_EQ(m.v(8, 31), 0u) << "lane 0 is off";
  EXPECT_EQ(m.v(8, 0), 0xdeadbeefu);
  m.run(lds(178));
  EXPECT_EQ(m.v(8, 1), 530u);
  EXPECT_EQ(m.v(8, 31), 0u) << "nobody gives to lane 31";
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = 500 + lane;
  m.run(lds(53, 0x1f | 4 << 10));  // xor 4
  EXPECT_EQ(m.v(8, 9), 513u);
  EXPECT_EQ(m.v(8, 4), 0u);
  m.run(lds(53, 0x8000 | 0x1b));  // quads reversed
  EXPECT_EQ(m.v(8, 5), 506u);
  m.run(lds(53, 0x10 | 3 << 5));  // lane 16 or 0, plus 3
  EXPECT_EQ(m.v(8, 20), 519u);
  expect_fault(lds(53, 0xe000), {"FFT pattern"});
}

TEST_F(MemoryTest, ScalarLoads) {
  fill();
  m.set_pair(4, a->address + 64);
  for (const auto& [opcode, n] : {std::pair{0u, 1u}, {1u, 2u}, {2u, 4u}, {3u, 8u}, {4u, 16u}}) {
    m.run(scalar_load(opcode, 40, -4));
    for (uint32_t r = 0; r < n; ++r) EXPECT_EQ(m.s(40 + r), raw(60 + 4 * r, 4));
  }
  m.s(20) = 12;
  m.run(scalar_load(0, 40, 4, 20));
  EXPECT_EQ(m.s(40), raw(80, 4));
  m.set_pair(4, a->address);
  m.s(6) = 20;  // bytes of the buffer
  m.s(7) = 0;
  m.run(scalar_load(10, 40, 8));
  EXPECT_EQ(m.s(42), raw(16, 4));
  EXPECT_EQ(m.s(43), 0u) << "beyond the buffer";
}

TEST_F(MemoryTest, Buffers) {
  fill();
  m.set_pair(12, a->address);
  m.s(14) = 100;
  m.s(15) = 3u << 28;
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane * 4;
  m.run(buffer(20, 4, true, false));
  EXPECT_EQ(m.v(8, 3), raw(16, 4));
  EXPECT_EQ(m.v(8, 23), raw(96, 4));
  EXPECT_EQ(m.v(8, 24), 0u) << "beyond the buffer";
  m.s(20) = 8;
  m.run(buffer(18, 0, true, false, 20));
  EXPECT_EQ(m.v(8, 3), raw(20, 2));
  // Structures of 12 bytes.
  m.s(13) = static_cast<uint32_t>(a->address >> 32) | 12u << 16;
  m.s(14) = 30;
  m.s(15) = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane, m.v(3, lane) = 4;
  m.run(buffer(20, 4, true, true));
  EXPECT_EQ(m.v(8, 5), raw(68, 4));
  EXPECT_EQ(m.v(8, 31), 0u);
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(8, lane) = lane + 3;
  m.run(buffer(26, 0, false, true));
  EXPECT_EQ(raw(29 * 12, 4), 32u);
  m.run(buffer(53, 0, false, true, 128, true));
  EXPECT_EQ(m.v(8, 4), 7u);
  EXPECT_EQ(raw(48, 4), 14u);
}

TEST_F(MemoryTest, FlatAddressesOfLds) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.set_address(2, lane, kSharedApertureBase + 256 + lane * 4);
    m.v(4, lane) = lane * 3;
  }
  m.run(together({flat(0, 26), flat(0, 20)}));
  EXPECT_EQ(m.v(8, 11), 33u);
}

TEST_F(MemoryTest, OutOfRangeIsReported) {
  fill();
  each_lane(128, 128);
  expect_fault(flat(2, 20),
               {"kernel test: reads 4 bytes at", "out of range: 0 bytes behind the end of allocation 1",
                "device memory, 4096 bytes", "wave 0, lane 31", "global_load_b32"});
  each_lane(128, 126);
  expect_fault(flat(2, 26), {"writes 4 bytes", "across the end of allocation 1", "lane 31"});
  m.set_address(2, 3, a->address - 8);
  expect_fault(flat(2, 20), {"8 bytes before allocation 1", "lane 3"});
  m.set_address(2, 3, 0);
  expect_fault(flat(2, 20), {"reads 4 bytes at 0x0"});
  const uint64_t gone = a->address;
  m.memory.release(gone);
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.set_address(2, lane, gone);
  expect_fault(flat(2, 20), {"is released"});
  m.v(2, 6) = kTestLdsBytes - 2;
  expect_fault(lds(54), {"of LDS, out of range", "8192 bytes"});
}

TEST_F(MemoryTest, UnwrittenIsReported) {
  fill();
  a->written[777] = 0;
  each_lane(4, 700);
  expect_fault(flat(2, 20), {"kernel test: unwritten memory is read", "byte 777 of allocation 1", "lane 19"});
  m.s(kExecLo) = ~(1u << 19);
  EXPECT_EQ(m.fault_of(flat(2, 20)), "no fault") << "the lane is off";
  m.set_pair(4, a->address + 768);
  expect_fault(scalar_load(4, 40, 0), {"byte 777 of allocation 1"});
  m.reset();
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane * 4;
  expect_fault(lds(54), {"unwritten memory is read: byte 0x0 of LDS", "lane 0"});
  m.checks.unwritten = false;
  EXPECT_EQ(m.fault_of(lds(54)), "no fault");
}

TEST_F(MemoryTest, MisalignedAtomicsAreReported) {
  fill();
  each_lane(4, 2);
  expect_fault(flat(2, 53), {"not aligned", "lane 0"});
}

constexpr uint32_t kMoveV9FromV8 = 0x7e120308;  // v_mov_b32 v9, v8
constexpr uint32_t wait(uint32_t vector, uint32_t lds_scalar) {
  return 0xbf890007u | vector << 10 | lds_scalar << 4;
}

Words without_wait(Words words) {
  words.resize(2);
  return words;
}

TEST_F(MemoryTest, LoadsAreWaitedFor) {
  fill();
  each_lane(4);
  m.set_pair(12, a->address);
  const Words load = without_wait(flat(2, 20)), store = without_wait(flat(2, 26, 512));
  const std::string missing = "missing wait: v8 is used before the load that fills it was waited for";
  expect_fault(together({load, {kMoveV9FromV8}}), {missing, "v_mov_b32"});
  EXPECT_EQ(m.fault_of(together({load, {wait(0, 63), kMoveV9FromV8}})), "no fault");
  // A second load, into v10: only the first was waited for, or the wrong counter.
  Words second = load;
  second[1] = (second[1] & 0xffffff) | 10u << 24;
  EXPECT_EQ(m.fault_of(together({load, second, {wait(1, 63), kMoveV9FromV8}})), "no fault");
  expect_fault(together({second, load, {wait(1, 63), kMoveV9FromV8}}), {missing});
  expect_fault(together({load, {wait(63, 0), kMoveV9FromV8}}), {missing});
  // Overwriting counts as use; stores count by themselves.
  expect_fault(together({load, {0x7e100280}}), {missing});
  expect_fault(together({load, store, {0xbc7c0000, kMoveV9FromV8}}), {missing});
  EXPECT_EQ(m.fault_of(together({load, without_wait(flat(2, 35)), {wait(0, 63), kMoveV9FromV8}})), "no fault")
      << "loads of one kind come in order, and may fill the halves of one register";
  m.checks.waits = false;
  EXPECT_EQ(m.fault_of(together({load, {kMoveV9FromV8}})), "no fault");
}

TEST_F(MemoryTest, LdsAndScalarLoadsShareACounter) {
  fill();
  m.set_pair(4, a->address);
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.v(2, lane) = lane * 4;
  const Words store = lds(13), load = without_wait(lds(54)), scalar = without_wait(scalar_load(0, 40, 0));
  const uint32_t move_scalar = 0xbe800000u | 41u << 16 | 40u;
  Words other = load;
  other[1] = (other[1] & 0xffffff) | 10u << 24;
  EXPECT_EQ(m.fault_of(together({store, load, other, {wait(63, 1), kMoveV9FromV8}})), "no fault");
  expect_fault(together({store, other, load, {wait(63, 1), kMoveV9FromV8}}), {"missing wait: v8"});
  expect_fault(together({scalar, {move_scalar}}), {"missing wait: s40"});
  EXPECT_EQ(m.fault_of(together({scalar, {wait(63, 0), move_scalar}})), "no fault");
  // A scalar load may come after an LDS load that began later.
  expect_fault(together({store, scalar, load, {wait(63, 1), move_scalar}}), {"missing wait: s40"});
  expect_fault(together({store, load, scalar, {wait(63, 1), kMoveV9FromV8}}), {"missing wait: v8"});
  Words flat_load = without_wait(flat(0, 20));
  for (uint32_t lane = 0; lane < kLanes; ++lane) m.set_address(2, lane, a->address);
  expect_fault(together({flat_load, {wait(0, 63), kMoveV9FromV8}}), {"missing wait: v8"});
  EXPECT_EQ(m.fault_of(together({flat_load, {wait(0, 0), kMoveV9FromV8}})), "no fault");
}

}  // namespace
}  // namespace halyard::emulator
