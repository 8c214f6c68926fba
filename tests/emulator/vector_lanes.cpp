// Instructions that move values between lanes or between lanes and scalars, and registers chosen by m0.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

using enum Format;

void read_lane(Wave& wave, const Instruction& i) {
  const uint32_t lane = read_scalar(wave, i, i.src[1]) % kLanes;
  write_scalar(wave, i.dst, wave.vgpr[i.src[0] - kVgpr0][lane]);
}

void read_first_lane(Wave& wave, const Instruction& i) {
  const uint32_t lane = wave.exec() == 0 ? 0u : static_cast<uint32_t>(std::countr_zero(wave.exec()));
  write_scalar(wave, i.dst, wave.vgpr[i.src[0] - kVgpr0][lane]);
}

// Writes the lane even when it is off.
void write_lane(Wave& wave, const Instruction& i) {
  const uint32_t lane = read_scalar(wave, i, i.src[1]) % kLanes;
  wave.vgpr[i.dst - kVgpr0][lane] = read_scalar(wave, i, i.src[0]);
}

// Any lane of a row of 16 reads any lane of the same or (kOther) the other row; four bits of select a lane.
// The first opsel bit reads lanes that are off, the second gives 0 for them; with neither the result keeps
// its value.
template <bool kOther>
void permute_row(Wave& wave, const Instruction& i) {
  const uint64_t selects = uint64_t{read_scalar(wave, i, i.src[2])} << 32 | read_scalar(wave, i, i.src[1]);
  const bool fetch_inactive = (i.opsel & 1) != 0;
  const bool zero_inactive = (i.opsel & 2) != 0;
  const uint32_t exec = wave.exec();
  Lanes from;
  std::memcpy(from, wave.vgpr[i.src[0] - kVgpr0], sizeof(from));
  uint32_t* to = wave.vgpr[i.dst - kVgpr0];
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((exec >> lane & 1u) == 0) continue;
    const uint32_t row = (lane & 16u) ^ (kOther ? 16u : 0u);
    const uint32_t source = row + static_cast<uint32_t>(selects >> (4 * (lane & 15u)) & 15u);
    if (fetch_inactive || (exec >> source & 1u) != 0) {
      to[lane] = from[source];
    } else if (zero_inactive) {
      to[lane] = 0;
    }
  }
}

// Bits of the mask below this lane, plus src1. The high half counts nothing: a wave has 32 lanes.
void count_below(Wave& wave, const Instruction& i) {
  Lanes masks, bases, result;
  const uint32_t* mask = read_lanes(wave, i, i.src[0], masks);
  const uint32_t* base = read_lanes(wave, i, i.src[1], bases);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    result[lane] = base[lane] + static_cast<uint32_t>(std::popcount(mask[lane] & ((1u << lane) - 1u)));
  }
  write_lanes(wave, i.dst, result);
}
void count_below_high(Wave& wave, const Instruction& i) {
  Lanes bases, result;
  std::memcpy(result, read_lanes(wave, i, i.src[1], bases), sizeof(result));
  write_lanes(wave, i.dst, result);
}

void swap(Wave& wave, const Instruction& i) {
  Lanes a, b;
  std::memcpy(a, wave.vgpr[i.src[0] - kVgpr0], sizeof(a));
  std::memcpy(b, wave.vgpr[i.dst - kVgpr0], sizeof(b));
  write_lanes(wave, i.src[0], b);
  write_lanes(wave, i.dst, a);
}

// A register number moved by m0, checked against what the wave has.
uint16_t moved(const Wave& wave, const Instruction& i, uint16_t operand, uint32_t by) {
  const uint64_t index = uint64_t{operand} - kVgpr0 + by;
  if (index >= wave.n_vgprs) fault(wave, i, "m0 selects a register that the wave does not have");
  return static_cast<uint16_t>(kVgpr0 + index);
}
template <bool kMoveSource, bool kMoveResult, bool kTwoOffsets>
void move_relative(Wave& wave, const Instruction& i) {
  const uint32_t m0 = wave.sgpr[kM0];
  uint16_t from = i.src[0];
  uint16_t to = i.dst;
  if (kMoveSource) from = moved(wave, i, from, kTwoOffsets ? m0 & 1023u : m0);
  if (kMoveResult) to = moved(wave, i, to, kTwoOffsets ? m0 >> 16 & 1023u : m0);
  Lanes scratch, result;
  std::memcpy(result, read_lanes(wave, i, from, scratch), sizeof(result));
  write_lanes(wave, to, result);
}

void nothing(Wave&, const Instruction&) {}

constexpr Type kNone = Type::kNone;
constexpr Type kB32 = Type::kB32;

constexpr VectorOp kOps[] = {
    wave_op(kVop1, 0, "v_nop", nothing, kNone, {kNone, kNone, kNone}),
    wave_op(kVop1, 2, "v_readfirstlane_b32", read_first_lane, kNone, {kB32, kNone, kNone},
            kScalarResult | kVectorSource),
    wave_op(kVop1, 27, "v_pipeflush", nothing, kNone, {kNone, kNone, kNone}),
    wave_op(kVop1, 66, "v_movreld_b32", move_relative<false, true, false>, kB32, {kB32, kNone, kNone}),
    wave_op(kVop1, 67, "v_movrels_b32", move_relative<true, false, false>, kB32, {kB32, kNone, kNone},
            kVectorSource),
    wave_op(kVop1, 68, "v_movrelsd_b32", move_relative<true, true, false>, kB32, {kB32, kNone, kNone},
            kVectorSource),
    wave_op(kVop1, 72, "v_movrelsd_2_b32", move_relative<true, true, true>, kB32, {kB32, kNone, kNone},
            kVectorSource),
    wave_op(kVop1, 101, "v_swap_b32", swap, kB32, {kB32, kNone, kNone}, kNoVop3 | kVectorSource | kExchanges),
    // Exchanges the halves of a wave of 64 and does nothing in one of 32.
    wave_op(kVop1, 103, "v_permlane64_b32", nothing, kNone, {kNone, kNone, kNone}),
    wave_op(kVop3, 603, "v_permlane16_b32", permute_row<false>, kB32, {kB32, kB32, kB32}, kVectorSource),
    wave_op(kVop3, 604, "v_permlanex16_b32", permute_row<true>, kB32, {kB32, kB32, kB32}, kVectorSource),
    wave_op(kVop3, 799, "v_mbcnt_lo_u32_b32", count_below, kB32, {kB32, kB32, kNone}),
    wave_op(kVop3, 800, "v_mbcnt_hi_u32_b32", count_below_high, kB32, {kB32, kB32, kNone}),
    wave_op(kVop3, 864, "v_readlane_b32", read_lane, kNone, {kB32, kB32, kNone},
            kScalarResult | kVectorSource),
    wave_op(kVop3, 865, "v_writelane_b32", write_lane, kB32, {kB32, kB32, kNone}),
};

}  // namespace

std::span<const VectorOp> lane_ops() {
  return kOps;
}

}  // namespace halyard::emulator
