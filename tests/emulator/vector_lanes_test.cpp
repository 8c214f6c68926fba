// Values that cross lanes: DPP, permlane, lane reads and writes, counts, registers chosen by m0, both halves
// of VOPD.
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

constexpr uint32_t kOld = 1000;  // what the result register holds before, plus the lane

// v1 = 100 + lane, v2 = kOld + lane.
Machine counted() {
  Machine m;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.reg(1)[lane] = 100 + lane;
    m.reg(2)[lane] = kOld + lane;
  }
  return m;
}
struct Dpp {
  uint32_t control = 0;
  bool fetch_inactive = false, bound_control = false;
  uint32_t row_mask = 15, bank_mask = 15;
};
Words mov_dpp(const Dpp& d) {
  Words words = vop1(1, 2, kDpp16);
  words.push_back(1u | d.control << 8 | (d.fetch_inactive ? 1u << 18 : 0) | (d.bound_control ? 1u << 19 : 0) |
                  d.bank_mask << 24 | d.row_mask << 28);
  return words;
}
// What a lane reads, -1 when that is outside its row. By the description of each control.
int read_by(uint32_t control, int lane) {
  const int n = static_cast<int>(control % 16), row = lane / 16 * 16, place = lane % 16;
  if (control < 256) return lane / 4 * 4 + static_cast<int>(control >> (lane % 4 * 2)) % 4;
  if (control == 0x140) return row + 15 - place;
  if (control == 0x141) return lane / 8 * 8 + 7 - lane % 8;
  int from = 0;
  switch (control / 16) {
    case 0x10:
      from = place + n;
      break;
    case 0x11:
      from = place - n;
      break;
    case 0x12:
      return row + (place + 16 - n) % 16;
    case 0x15:
      return row + n;
    case 0x16:
      return row + (place ^ n);
    default:
      ADD_FAILURE() << control;
  }
  return from < 0 || from > 15 ? -1 : row + from;
}

TEST(VectorDpp, EveryControl) {
  std::vector<uint32_t> controls = {0x1b, 0xe4, 0x00, 0xff, 0x4e, 0x93, 0x140, 0x141};
  for (uint32_t n = 0; n < 16; ++n) {
    if (n != 0) controls.insert(controls.end(), {0x100 + n, 0x110 + n, 0x120 + n});
    controls.insert(controls.end(), {0x150 + n, 0x160 + n});
  }
  Values values;
  for (const uint32_t control : controls) {
    for (int round = 0; round < 16; ++round) {
      const uint32_t exec = round < 4 ? ~0u : values.bits();
      const Dpp d = {control, (round & 1) != 0, (round & 2) != 0,
                     (round & 4) != 0 ? 15u : values.bits() & 15u,
                     (round & 8) != 0 ? 15u : values.bits() & 15u};
      Machine m = counted();
      m.set_exec(exec);
      m.run(mov_dpp(d));
      for (int lane = 0; lane < 32; ++lane) {
        const int from = read_by(control, lane);
        const bool valid = from >= 0 && (d.fetch_inactive || (exec >> from & 1) != 0);
        const bool enabled = (d.row_mask >> lane / 16 & 1) != 0 && (d.bank_mask >> lane % 16 / 4 & 1) != 0;
        uint32_t expected = kOld + static_cast<uint32_t>(lane);
        if ((exec >> lane & 1) != 0 && enabled && (valid || d.bound_control)) {
          expected = valid ? 100 + static_cast<uint32_t>(from) : 0;
        }
        ASSERT_EQ(m.reg(2)[lane], expected)
            << std::hex << "control " << control << " lane " << lane << " exec " << exec;
      }
    }
  }
}

TEST(VectorDpp, ShiftsGoTheNamedWay) {
  Machine m = counted();
  m.run(mov_dpp({.control = 0x111}));  // row_shr:1, lane 5 reads lane 4, lane 16 keeps its value
  EXPECT_EQ(m.reg(2)[5], 104u);
  EXPECT_EQ(m.reg(2)[16], kOld + 16);
}

// The sources of a DPP instruction: src0 permuted, then its own sign; src1 as it is.
TEST(VectorDpp, InAnAdditionWithSigns) {
  Machine m;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.reg(1)[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane));
    m.reg(2)[lane] = std::bit_cast<uint32_t>(0.5f);
  }
  Words words = vop2(3, 3, kDpp16, 2);
  words.push_back(1u | 0x161u << 8 | 1u << 20 | 0xff000000u);  // row_xmask:1, neg of src0
  m.run(words);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(std::bit_cast<float>(m.reg(3)[lane]), 0.5f - static_cast<float>(lane ^ 1)) << lane;
  }
  Words fma = vop3(531, 4, {kDpp16, v(2), v(2)}, {.abs = 1});
  fma.push_back(1u | 0x140u << 8 | 0xff000000u);
  m.run(fma);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(std::bit_cast<float>(m.reg(4)[lane]), static_cast<float>(lane ^ 15) * 0.5f + 0.5f) << lane;
  }
}

TEST(VectorDpp, ControlsThatDoNotExistAreUnknown) {
  for (const uint32_t control : {0x100u, 0x110u, 0x120u, 0x130u, 0x138u, 0x142u, 0x143u, 0x170u}) {
    const Words words = mov_dpp({.control = control});
    Instruction i;
    EXPECT_FALSE(decode_vector(words.data(), words.size(), i)) << std::hex << control;
  }
}

TEST(VectorDpp8, SelectsWithinEight) {
  constexpr uint32_t kSelects =
      0x53977;  // as the example of the tool chain: 7 6 5 4 3 2 1 0 written backwards
  for (const bool fetch : {false, true}) {
    Machine m = counted();
    m.set_exec(0x0ff0ffffu);
    Words words = vop1(1, 2, fetch ? kDpp8Fi : kDpp8);
    words.push_back(1u | kSelects << 8);
    m.run(words);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t from = lane / 8 * 8 + (kSelects >> (3 * (lane % 8))) % 8;
      const bool read = fetch || (0x0ff0ffffu >> from & 1) != 0;
      const bool on = (0x0ff0ffffu >> lane & 1) != 0;
      EXPECT_EQ(m.reg(2)[lane], on ? (read ? 100 + from : 0) : kOld + lane) << lane;
    }
  }
}

TEST(VectorLanes, PermuteRows) {
  for (const bool other : {false, true}) {
    note_tested(other ? "v_permlanex16_b32" : "v_permlane16_b32");
    for (uint32_t opsel = 0; opsel < 4; ++opsel) {
      Machine m = counted();
      constexpr uint32_t kExec = 0xf7ff3ffbu;
      m.set_exec(kExec);
      m.wave->sgpr[4] = 0x76543210;
      m.wave->sgpr[5] = 0x01234567;
      m.run(vop3(other ? 604 : 603, 2, {v(1), 4, 5}, {.opsel = opsel}));
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t place = lane % 16;
        const uint32_t from = (lane / 16 ^ (other ? 1u : 0u)) * 16 + (place < 8 ? place : 15 - place);
        const bool read = (opsel & 1) != 0 || (kExec >> from & 1) != 0;
        uint32_t expected = kOld + lane;
        if ((kExec >> lane & 1) != 0 && (read || (opsel & 2) != 0)) expected = read ? 100 + from : 0;
        EXPECT_EQ(m.reg(2)[lane], expected) << "opsel " << opsel << " lane " << lane;
      }
    }
  }
}

TEST(VectorLanes, ReadAndWriteOneLane) {
  for (const char* name : {"v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32"}) note_tested(name);
  Machine m = counted();
  m.set_exec(0xffffff00u);
  m.wave->sgpr[3] = 32 + 7;  // the lane is taken modulo 32
  m.run(vop3(864, 9, {v(1), 3, 0}));
  EXPECT_EQ(m.wave->sgpr[9], 107u);  // though lane 7 is off
  m.run(vop1(2, 9, v(1)));
  EXPECT_EQ(m.wave->sgpr[9], 108u);
  m.set_exec(0);
  m.run(vop1(2, 9, v(1)));
  EXPECT_EQ(m.wave->sgpr[9], 100u);
  m.run(vop3(865, 2, {128 + 5, 128 + 31, 0}));
  for (uint32_t lane = 0; lane < kLanes; ++lane) EXPECT_EQ(m.reg(2)[lane], lane == 31 ? 5 : kOld + lane);
}

TEST(VectorLanes, CountBelow) {
  note_tested("v_mbcnt_lo_u32_b32");
  note_tested("v_mbcnt_hi_u32_b32");
  Machine m = counted();
  m.wave->sgpr[3] = 0xf00f1234;
  m.run(vop3(799, 3, {3, v(1), 0}));
  m.run(vop3(800, 4, {193, v(1), 0}));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t below = 0;
    for (uint32_t bit = 0; bit < lane; ++bit) below += 0xf00f1234u >> bit & 1;
    EXPECT_EQ(m.reg(3)[lane], 100 + lane + below) << lane;
    EXPECT_EQ(m.reg(4)[lane], 100 + lane) << lane;
  }
}

TEST(VectorLanes, SwapAndNothing) {
  for (const char* name : {"v_swap_b32", "v_nop", "v_pipeflush", "v_permlane64_b32"}) note_tested(name);
  Machine m = counted();
  m.set_exec(0x0000ffffu);
  m.run(vop1(101, 2, v(1)));
  m.run(vop1(0, 0, v(0)));
  m.run(vop1(27, 0, v(0)));
  m.run(vop1(103, 2, v(1)));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(m.reg(2)[lane], lane < 16 ? 100 + lane : kOld + lane);
    EXPECT_EQ(m.reg(1)[lane], lane < 16 ? kOld + lane : 100 + lane);
  }
}

TEST(VectorLanes, RegistersChosenByM0) {
  for (const char* name : {"v_movreld_b32", "v_movrels_b32", "v_movrelsd_b32", "v_movrelsd_2_b32"})
    note_tested(name);
  Machine m;
  for (uint32_t r = 0; r < 40; ++r) m.reg(r)[3] = r;
  m.wave->sgpr[kM0] = 7;
  m.run(vop1(66, 10, v(1)));
  EXPECT_EQ(m.reg(17)[3], 1u);
  m.run(vop1(67, 11, v(2)));
  EXPECT_EQ(m.reg(11)[3], 9u);
  m.run(vop1(68, 12, v(3)));
  EXPECT_EQ(m.reg(19)[3], 10u);
  m.wave->sgpr[kM0] = 20 << 16 | 1;
  m.run(vop1(72, 13, v(4)));
  EXPECT_EQ(m.reg(33)[3], 5u);
  m.wave->n_vgprs = 24;
  m.wave->sgpr[kM0] = 22;
  EXPECT_NE(m.fault_of(vop1(67, 11, v(2))).find("m0 selects a register"), std::string::npos);
}

// Both halves read before either writes: here each reads what the other writes.
TEST(VectorDual, HalvesDoNotSeeEachOther) {
  Machine m;
  m.set_exec(0x7fffffffu);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    m.reg(2)[lane] = std::bit_cast<uint32_t>(2.0f + static_cast<float>(lane));
    m.reg(3)[lane] = std::bit_cast<uint32_t>(10.0f);
  }
  // X: v2 = v3 - v2; Y: v3 = v2 * v3
  m.run({0xc8000000u | 5u << 22 | 3u << 17 | 2u << 9 | v(3), 2u << 24 | 1u << 17 | 3u << 9 | v(2)});
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const float x = 2.0f + static_cast<float>(lane);
    EXPECT_EQ(std::bit_cast<float>(m.reg(2)[lane]), lane < 31 ? 10 - x : x);
    EXPECT_EQ(std::bit_cast<float>(m.reg(3)[lane]), lane < 31 ? x * 10 : 10);
  }
}

// Every opcode of either half with the row it stands for.
TEST(VectorDual, EveryOpcodeIsItsLongForm) {
  static const std::pair<uint32_t, const char*> kOps[] = {
      {0, "v_fmac_f32"},   {3, "v_mul_f32"},          {4, "v_add_f32"},     {5, "v_sub_f32"},
      {6, "v_subrev_f32"}, {7, "v_mul_dx9_zero_f32"}, {9, "v_cndmask_b32"}, {10, "v_max_f32"},
      {11, "v_min_f32"},   {12, "v_dot2acc_f32_f16"}, {16, "v_add_nc_u32"}, {17, "v_lshlrev_b32"},
      {18, "v_and_b32"}};
  Values values;
  for (const auto& [opcode, name] : kOps) {
    Machine dual, single;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t r = 1; r < 8; ++r) dual.reg(r)[lane] = single.reg(r)[lane] = values.float_bits();
    }
    dual.wave->sgpr[kVccLo] = single.wave->sgpr[kVccLo] = values.bits();
    const uint32_t row = row_named(name).opcode;
    // X: v6 from v1 and v2, Y: v7 from v3 and v4. The opcodes from 16 on exist only as Y.
    const uint32_t x = opcode < 16 ? opcode : 4;
    dual.run({0xc8000000u | x << 22 | opcode << 17 | 2u << 9 | v(1), 6u << 24 | 3u << 17 | 4u << 9 | v(3)});
    single.run(vop2(opcode < 16 ? row : 3, 6, v(1), 2));
    single.run(vop2(row, 7, v(3), 4));
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(dual.reg(6)[lane], single.reg(6)[lane]) << name;
      EXPECT_EQ(dual.reg(7)[lane], single.reg(7)[lane]) << name;
    }
  }
}

TEST(VectorDual, MoveAndLiterals) {
  Machine m;
  m.reg(1)[0] = std::bit_cast<uint32_t>(3.0f);
  m.reg(2)[0] = std::bit_cast<uint32_t>(5.0f);
  const uint32_t literal = std::bit_cast<uint32_t>(0.25f);
  // X: v4 = v1 * v2 + 0.25; Y: v5 = literal
  m.run({0xc8000000u | 1u << 22 | 8u << 17 | 2u << 9 | v(1), 4u << 24 | 2u << 17 | uint32_t{kLiteral},
         literal});
  EXPECT_EQ(std::bit_cast<float>(m.reg(4)[0]), 15.25f);
  EXPECT_EQ(std::bit_cast<float>(m.reg(5)[0]), 0.25f);
  // X: v4 = s3; Y: v5 = v1 * 0.25 + v2
  m.wave->sgpr[3] = 77;
  m.run({0xc8000000u | 8u << 22 | 2u << 17 | 3u, 4u << 24 | 2u << 17 | 2u << 9 | v(1), literal});
  EXPECT_EQ(m.reg(4)[0], 77u);
  EXPECT_EQ(std::bit_cast<float>(m.reg(5)[0]), 5.75f);
}

}  // namespace
}  // namespace halyard::emulator::test
