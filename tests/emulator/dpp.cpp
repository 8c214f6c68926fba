// Data-parallel primitives: src0 is taken from other lanes on its way into the instruction.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

constexpr int kNoLane = -1;
constexpr uint32_t kControls = 0x170;

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

namespace {

// What each lane reads under every control, worked out once.
struct Permutation {
  uint32_t from[kLanes];
  uint32_t inside = 0;  // lanes whose source lies in their row
};

std::array<Permutation, kControls> make_permutations() {
  std::array<Permutation, kControls> table = {};
  for (uint32_t control = 0; control < kControls; ++control) {
    if (!is_dpp16_control(control)) continue;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const int from = source_lane(control, static_cast<int>(lane));
      table[control].from[lane] = from == kNoLane ? lane : static_cast<uint32_t>(from);
      if (from != kNoLane) table[control].inside |= 1u << lane;
    }
  }
  return table;
}

const std::array<Permutation, kControls> kPermutations = make_permutations();

// Bit `from[lane]` of mask, for every lane.
uint32_t permuted_mask(const uint32_t* from, uint32_t mask) {
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) result |= (mask >> from[lane] & 1u) << lane;
  return result;
}

// Lanes that the row and bank masks leave on: bank n is the n-th group of four in each row.
uint32_t enabled_lanes(const Instruction& i) {
  if (i.dpp_row_mask == 15 && i.dpp_bank_mask == 15) return ~0u;
  uint32_t row = 0;
  for (uint32_t bank = 0; bank < 4; ++bank) row |= (i.dpp_bank_mask >> bank & 1u) * (15u << (4 * bank));
  return ((i.dpp_row_mask & 1) != 0 ? row : 0u) | ((i.dpp_row_mask & 2) != 0 ? row << 16 : 0u);
}

}  // namespace

uint32_t apply_dpp(const Wave& wave, const Instruction& i, const uint32_t* from, uint32_t* to) {
  const uint32_t exec = wave.exec();
  if (i.dpp_kind == 8) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t source = (lane & ~7u) | (i.dpp8_selects >> (3 * (lane & 7u)) & 7u);
      to[lane] = i.dpp_fetch_inactive || (exec >> source & 1u) != 0 ? from[source] : 0;
    }
    return exec;
  }
  const Permutation& p = kPermutations[i.dpp_control];
  const bool all = i.dpp_fetch_inactive || exec == ~0u;
  const uint32_t valid = p.inside & (all ? ~0u : permuted_mask(p.from, exec));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    to[lane] = (valid >> lane & 1u) != 0 ? from[p.from[lane]] : 0u;
  }
  return exec & enabled_lanes(i) & (i.dpp_bound_control ? ~0u : valid);
}

}  // namespace halyard::emulator
