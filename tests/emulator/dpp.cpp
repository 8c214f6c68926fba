// Data-parallel primitives: src0 is taken from other lanes on its way into the instruction.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

constexpr int kNoLane = -1;

// The lane that `lane` reads under a DPP16 control, or kNoLane when it lies outside the row of 16.
int source_lane(uint32_t control, int lane) {
  const int row = lane & ~15;
  const int place = lane & 15;
  const int n = static_cast<int>(control & 15u);
  if (control < 0x100) return (lane & ~3) | static_cast<int>(control >> (2 * (lane & 3)) & 3u);  // quad_perm
  switch (control & 0x1f0u) {
    case 0x100:  // row_shl: from the higher lane
      return place + n < 16 ? row + place + n : kNoLane;
    case 0x110:  // row_shr: from the lower lane
      return place - n >= 0 ? row + place - n : kNoLane;
    case 0x120:  // row_ror
      return row + ((place - n) & 15);
    case 0x140:  // row_mirror, row_half_mirror
      return n == 0 ? row + 15 - place : (lane & ~7) + 7 - (lane & 7);
    case 0x150:  // row_share
      return row + n;
    default:  // 0x160, row_xmask; is_dpp16_control lets no other through
      return row + (place ^ n);
  }
}

}  // namespace

bool is_dpp16_control(uint32_t control) {
  if (control < 0x100) return true;
  const uint32_t kind = control & 0x1f0u;
  if (kind == 0x100 || kind == 0x110 || kind == 0x120) return (control & 15u) != 0;
  return kind == 0x150 || kind == 0x160 || control == 0x140 || control == 0x141;
}

uint32_t apply_dpp(const Wave& wave, const Instruction& i, const uint32_t* from, uint32_t* to) {
  const uint32_t exec = wave.exec();
  uint32_t writes = exec;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (i.dpp_kind == 8) {
      const uint32_t source = (lane & ~7u) | (i.dpp8_selects >> (3 * (lane & 7u)) & 7u);
      to[lane] = i.dpp_fetch_inactive || (exec >> source & 1u) != 0 ? from[source] : 0;
      continue;
    }
    const int source = source_lane(i.dpp_control, static_cast<int>(lane));
    const bool valid = source != kNoLane && (i.dpp_fetch_inactive || (exec >> source & 1u) != 0);
    to[lane] = valid ? from[source] : 0;
    const bool enabled =
        (i.dpp_row_mask >> (lane / 16) & 1u) != 0 && (i.dpp_bank_mask >> (lane % 16 / 4) & 1u) != 0;
    if (!enabled || (!valid && !i.dpp_bound_control)) writes &= ~(1u << lane);
  }
  return writes;
}

}  // namespace halyard::emulator
