// Jumps, constants, modes, waits, and what is an error.
#include <gtest/gtest.h>

#include "emulator/machine.h"

namespace halyard::emulator {
namespace {

constexpr uint32_t sopp(uint32_t opcode, uint32_t simm16 = 0) {
  return 0xbf800000u | opcode << 16 | (simm16 & 0xffff);
}
constexpr uint32_t sopk(uint32_t opcode, uint32_t dst, uint32_t simm16) {
  return 0xb0000000u | opcode << 23 | dst << 16 | (simm16 & 0xffff);
}
constexpr uint32_t sop1(uint32_t opcode, uint32_t dst, uint32_t src) {
  return 0xbe800000u | dst << 16 | opcode << 8 | src;
}
constexpr uint32_t move_constant(uint32_t dst, uint32_t value) {
  return sop1(0, dst, 128 + value);
}  // 0 to 64

class FlowTest : public testing::Test {
 protected:
  Machine m;
  bool jumps(uint32_t opcode) {
    m.s(9) = 0;
    m.run({sopp(opcode, 1), move_constant(9, 1), move_constant(8, 1)});
    return m.s(9) == 0;
  }
};

TEST_F(FlowTest, BranchesDependOnTheirFlag) {
  EXPECT_TRUE(jumps(32));
  for (const uint32_t scc : {0u, 1u}) {
    m.wave().scc = scc;
    EXPECT_EQ(jumps(33), scc == 0);
    EXPECT_EQ(jumps(34), scc == 1);
  }
  for (const uint32_t vcc : {0u, 0x80000000u}) {
    m.s(kVccLo) = vcc;
    EXPECT_EQ(jumps(35), vcc == 0);
    EXPECT_EQ(jumps(36), vcc != 0);
  }
  for (const uint32_t exec : {0u, 1u}) {
    m.s(kExecLo) = exec;
    EXPECT_EQ(jumps(37), exec == 0);
    EXPECT_EQ(jumps(38), exec != 0);
  }
}

TEST_F(FlowTest, LoopsRunBackward) {
  // s4 = 5; do { s5 += 3; s4 -= 1; } while (s4 != 0)
  m.s(5) = 0;
  m.run({move_constant(4, 5), sopk(15, 5, 3), sopk(15, 4, 0xffff), sopk(4, 4, 0), sopp(34, 0x10000 - 4)});
  EXPECT_EQ(m.s(5), 15u);
}

TEST_F(FlowTest, CallsReturn) {
  // s_call to the third word, which goes back through the pair to the second
  m.s(8) = m.s(9) = 0;
  m.run({sopk(20, 12, 2), move_constant(8, 1), sopp(48), move_constant(9, 1), sop1(72, 0, 12)});
  EXPECT_EQ(m.s(8), 1u);
  EXPECT_EQ(m.s(9), 1u);
  m.run({sop1(71, 12, 0)});  // s_getpc: the address of what follows
  EXPECT_EQ(m.pair(12), 4u);
  m.set_pair(14, 12);
  m.s(8) = 0;
  m.run({sop1(73, 12, 14), move_constant(8, 1), sopp(48), sop1(72, 0, 12)});
  EXPECT_EQ(m.s(8), 1u);
  EXPECT_NE(m.fault_of({sop1(72, 0, 20)}).find("where no instruction begins"), std::string::npos);
}

TEST_F(FlowTest, ConstantsOf16Bits) {
  m.run({sopk(0, 4, 0x8001)});
  EXPECT_EQ(m.s(4), 0xffff8001u);
  for (const uint32_t scc : {0u, 1u}) {
    m.wave().scc = scc;
    m.s(4) = 7;
    m.run({sopk(2, 4, 9)});
    EXPECT_EQ(m.s(4), scc == 1 ? 9u : 7u);
  }
  m.s(4) = 0x7fffffff;
  m.run({sopk(15, 4, 1)});
  EXPECT_EQ(m.s(4), 0x80000000u);
  EXPECT_EQ(m.wave().scc, 1u);
  m.s(4) = 7;
  m.run({sopk(16, 4, 0xfffd)});
  EXPECT_EQ(static_cast<int32_t>(m.s(4)), -21);
}

TEST_F(FlowTest, ComparesWithConstants) {
  const auto holds = [&](uint32_t opcode, uint32_t a, uint32_t b) {
    m.s(4) = a;
    m.run({sopk(opcode, 4, b)});
    return m.wave().scc == 1;
  };
  for (const int a : {-2, -1, 0, 1, 40000}) {
    for (const int b : {-2, -1, 0, 1}) {
      const auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
      EXPECT_EQ(holds(3, ua, ub), a == b);
      EXPECT_EQ(holds(4, ua, ub), a != b);
      EXPECT_EQ(holds(5, ua, ub), a > b);
      EXPECT_EQ(holds(6, ua, ub), a >= b);
      EXPECT_EQ(holds(7, ua, ub), a < b);
      EXPECT_EQ(holds(8, ua, ub), a <= b);
      const uint32_t cut = ub & 0xffff;  // zero extended
      EXPECT_EQ(holds(9, ua, ub), ua == cut);
      EXPECT_EQ(holds(10, ua, ub), ua != cut);
      EXPECT_EQ(holds(11, ua, ub), ua > cut);
      EXPECT_EQ(holds(12, ua, ub), ua >= cut);
      EXPECT_EQ(holds(13, ua, ub), ua < cut);
      EXPECT_EQ(holds(14, ua, ub), ua <= cut);
    }
  }
}

TEST_F(FlowTest, ModeIsReadAndWritten) {
  constexpr uint32_t kWhole = 1 | 31 << 11, kDenormals = 1 | 4 << 6 | 3 << 11;
  m.run({sopk(17, 4, kDenormals)});
  EXPECT_EQ(m.s(4), 15u);
  m.s(4) = 3;
  m.run({sopk(18, 4, kDenormals), sopk(17, 5, kWhole)});
  EXPECT_EQ(m.s(5), kModeDenorm32In | kModeDenorm32Out | kModeDx10Clamp | kModeIeee);
  m.run({sopk(19, 0, kDenormals), 0xc, sopp(18, 3), sopk(17, 5, kDenormals)});
  EXPECT_EQ(m.s(5), 3u);
  EXPECT_NE(m.fault_of({sopp(17, 3)}).find("rounding mode"), std::string::npos);
  EXPECT_NE(m.fault_of({sopk(17, 4, 2)}).find("hardware register 2"), std::string::npos);
}

TEST_F(FlowTest, RegistersByIndex) {
  m.s(kM0) = 3;
  m.s(7) = 70;
  m.s(8) = 80;
  m.run({sop1(64, 20, 4), sop1(65, 22, 4)});
  EXPECT_EQ(m.s(20), 70u);
  EXPECT_EQ(m.pair(22), 70u | uint64_t{80} << 32);
  m.run({sop1(66, 30, 7), sop1(67, 32, 7)});
  EXPECT_EQ(m.s(33), 70u);
  EXPECT_EQ(m.pair(35), 70u | uint64_t{80} << 32);
  m.s(kM0) = 200;
  EXPECT_NE(m.fault_of({sop1(64, 20, 4)}).find("m0 leads beyond"), std::string::npos);
}

TEST_F(FlowTest, ConstantsAsOperands) {
  const auto value = [&](uint32_t operand) {
    m.run({sop1(0, 20, operand)});
    return m.s(20);
  };
  EXPECT_EQ(value(128), 0u);
  EXPECT_EQ(value(192), 64u);
  EXPECT_EQ(value(193), 0xffffffffu);
  EXPECT_EQ(value(208), static_cast<uint32_t>(-16));
  EXPECT_EQ(value(242), 0x3f800000u);
  EXPECT_EQ(value(248), 0x3e22f983u);
  EXPECT_EQ(value(kNull), 0u);
  m.run({sop1(0, 20, kLiteral), 0x12345678});
  EXPECT_EQ(m.s(20), 0x12345678u);
  m.run({sop1(1, 20, 193)});
  EXPECT_EQ(m.pair(20), ~uint64_t{0});
  m.run({sop1(1, 20, kLiteral), 0x80000000});
  EXPECT_EQ(m.pair(20), 0x80000000u);
  m.run({sop1(1, 20, 240)});
  EXPECT_EQ(m.pair(20), std::bit_cast<uint64_t>(0.5));
  m.run({sop1(1, 20, kSharedBase)});
  EXPECT_EQ(m.pair(20), kSharedApertureBase);
  m.run({sop1(0, kNull, 129), sop1(0, 20, kNull)});
  EXPECT_EQ(m.s(20), 0u);
}

TEST_F(FlowTest, WhatDoesNothing) {
  for (const uint32_t opcode : {0u, 3u, 4u, 5u, 7u, 8u, 10u, 11u, 52u, 53u, 56u, 57u, 60u, 61u}) {
    EXPECT_EQ(m.fault_of({sopp(opcode, 0)}), "no fault") << opcode;
  }
  EXPECT_EQ(m.fault_of({sopp(54, 3)}), "no fault");
}

TEST_F(FlowTest, ErrorsNameEncodingAndAddress) {
  const std::string unknown = m.fault_of({sopp(0), 0xfc000000u, 0x12345678u});
  EXPECT_NE(unknown.find("kernel test: unknown instruction fc000000 12345678"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("byte 0x4 of .text"), std::string::npos) << unknown;
  EXPECT_NE(m.fault_of({sopp(16, 2)}).find("s_trap 2"), std::string::npos);
  EXPECT_NE(m.fault_of({sopp(31)}).find("behind the end of the code"), std::string::npos);
  EXPECT_NE(m.fault_of({sopp(54, 1)}).find("message 1"), std::string::npos);
  EXPECT_NE(m.fault_of({sopp(32, 100)}).find("run out of the code"), std::string::npos);
  EXPECT_NE(m.fault_of({sopp(32, 0x8000)}).find("run out of the code"), std::string::npos);
}

}  // namespace
}  // namespace halyard::emulator
