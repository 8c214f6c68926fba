// SOPK: a register and 16 bits of constant.
#include <array>

#include "emulator/program.h"
#include "emulator/scalar_op.h"
#include "emulator/waits.h"

namespace halyard::emulator {
namespace {

using U32 = uint32_t;
using I32 = int32_t;

template <class F>
void compare_signed(Wave& w, const Instruction& i) {
  w.scc = F{}(static_cast<I32>(w.sgpr[i.dst]), i.offset) ? 1 : 0;
}
template <class F>
void compare_unsigned(Wave& w, const Instruction& i) {
  w.scc = F{}(w.sgpr[i.dst], static_cast<U32>(i.offset) & 0xffffu) ? 1 : 0;
}

constexpr auto kEqual = [](auto a, auto b) { return a == b; };
constexpr auto kDiffer = [](auto a, auto b) { return a != b; };
constexpr auto kGreater = [](auto a, auto b) { return a > b; };
constexpr auto kGreaterOrEqual = [](auto a, auto b) { return a >= b; };
constexpr auto kLess = [](auto a, auto b) { return a < b; };
constexpr auto kLessOrEqual = [](auto a, auto b) { return a <= b; };

template <class F>
constexpr ScalarRow signed_row(uint16_t opcode, const char* name, F) {
  return {opcode, name, compare_signed<F>, 0, 0, 0, kReadsDst};
}
template <class F>
constexpr ScalarRow unsigned_row(uint16_t opcode, const char* name, F) {
  return {opcode, name, compare_unsigned<F>, 0, 0, 0, kReadsDst};
}

void move(Wave& w, const Instruction& i) {
  write_scalar(w, i.dst, static_cast<U32>(i.offset));
}
void move_if(Wave& w, const Instruction& i) {
  if (w.scc != 0) write_scalar(w, i.dst, static_cast<U32>(i.offset));
}
void add_constant(Wave& w, const Instruction& i) {
  const U32 a = w.sgpr[i.dst], b = static_cast<U32>(i.offset), sum = a + b;
  w.scc = ((a ^ sum) & (b ^ sum)) >> 31;
  write_scalar(w, i.dst, sum);
}
void multiply_constant(Wave& w, const Instruction& i) {
  write_scalar(w, i.dst, w.sgpr[i.dst] * static_cast<U32>(i.offset));
}
void nothing(Wave&, const Instruction&) {}

// SIMM16: register in bits 0 to 5, first bit in 6 to 10, number of bits less one in 11 to 15.
struct Field {
  U32 number, first, mask;
};
Field field_of(const Instruction& i) {
  const U32 bits = static_cast<U32>(i.offset) & 0xffffu, n = (bits >> 11) + 1;
  return {bits & 63, bits >> 6 & 31, n == 32 ? ~0u : (1u << n) - 1};
}
constexpr U32 kModeNumber = 1;
// What compute code asks for beside MODE tells where it runs, and is of no meaning here: HW_ID and kin read
// as 0.
constexpr U32 kHardwareId1 = 23, kHardwareId2 = 24, kXccId = 20;

void get_register(Wave& w, const Instruction& i) {
  const Field f = field_of(i);
  if (f.number == kModeNumber) {
    write_scalar(w, i.dst, w.mode >> f.first & f.mask);
  } else if (f.number == kHardwareId1 || f.number == kHardwareId2 || f.number == kXccId) {
    write_scalar(w, i.dst, 0);
  } else {
    fault(w, i, "s_getreg of hardware register " + std::to_string(f.number));
  }
}
void set_mode(Wave& w, const Instruction& i, U32 value) {
  const Field f = field_of(i);
  if (f.number != kModeNumber) fault(w, i, "s_setreg of hardware register " + std::to_string(f.number));
  w.mode = (w.mode & ~(f.mask << f.first)) | (value & f.mask) << f.first;
  if ((w.mode & (kModeRound32 | kModeRound16_64)) != 0) fault(w, i, "a rounding mode other than to nearest");
}
void set_register(Wave& w, const Instruction& i) {
  set_mode(w, i, w.sgpr[i.dst]);
}
void set_register_constant(Wave& w, const Instruction& i) {
  set_mode(w, i, i.literal);
}

void call(Wave& w, const Instruction& i) {
  write_scalar_64(w, i.dst, w.program->address_of(*w.next));
  w.next = w.program->instructions.data() + i.target;
}

U32 count_of(const Wave& w, const Instruction& i) {
  return ((i.dst == kNull ? 0 : w.sgpr[i.dst]) + static_cast<U32>(i.offset)) & 63;
}
void wait_stores(Wave& w, const Instruction& i) {
  w.outstanding->wait_stores(count_of(w, i));
}
void wait_vector(Wave& w, const Instruction& i) {
  w.outstanding->wait_vector(count_of(w, i));
}
void wait_lds_scalar(Wave& w, const Instruction& i) {
  w.outstanding->wait_lds_scalar(count_of(w, i));
}

constexpr auto rows = std::to_array<ScalarRow>({
    {0, "s_movk_i32", move, 1, 0, 0, 0},
    {1, "s_version", nothing, 0, 0, 0, 0},
    {2, "s_cmovk_i32", move_if, 1, 0, 0, kReadsDst},
    signed_row(3, "s_cmpk_eq_i32", kEqual),
    signed_row(4, "s_cmpk_lg_i32", kDiffer),
    signed_row(5, "s_cmpk_gt_i32", kGreater),
    signed_row(6, "s_cmpk_ge_i32", kGreaterOrEqual),
    signed_row(7, "s_cmpk_lt_i32", kLess),
    signed_row(8, "s_cmpk_le_i32", kLessOrEqual),
    unsigned_row(9, "s_cmpk_eq_u32", kEqual),
    unsigned_row(10, "s_cmpk_lg_u32", kDiffer),
    unsigned_row(11, "s_cmpk_gt_u32", kGreater),
    unsigned_row(12, "s_cmpk_ge_u32", kGreaterOrEqual),
    unsigned_row(13, "s_cmpk_lt_u32", kLess),
    unsigned_row(14, "s_cmpk_le_u32", kLessOrEqual),
    {15, "s_addk_i32", add_constant, 1, 0, 0, kReadsDst},
    {16, "s_mulk_i32", multiply_constant, 1, 0, 0, kReadsDst},
    {17, "s_getreg_b32", get_register, 1, 0, 0, 0},
    {18, "s_setreg_b32", set_register, 0, 0, 0, kReadsDst},
    {19, "s_setreg_imm32_b32", set_register_constant, 0, 0, 0, kLiteralAddend},
    {20, "s_call_b64", call, 2, 0, 0, kBranch},
    {24, "s_waitcnt_vscnt", wait_stores, 0, 0, 0, kReadsDst},
    {25, "s_waitcnt_vmcnt", wait_vector, 0, 0, 0, kReadsDst},
    {26, "s_waitcnt_expcnt", nothing, 0, 0, 0, 0},
    {27, "s_waitcnt_lgkmcnt", wait_lds_scalar, 0, 0, 0, kReadsDst},
});

}  // namespace

std::span<const ScalarRow> scalar_constant_rows() {
  return rows;
}

}  // namespace halyard::emulator
