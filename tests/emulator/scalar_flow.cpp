// SOPP: jumps, waits, barriers and what the emulator has no need of.
#include <array>

#include "emulator/program.h"
#include "emulator/scalar_op.h"
#include "emulator/waits.h"

namespace halyard::emulator {
namespace {

void nothing(Wave&, const Instruction&) {}

void jump(Wave& w, const Instruction& i) {
  w.next = w.program->instructions.data() + i.target;
}
template <class F>
void jump_if(Wave& w, const Instruction& i) {
  if (F{}(w)) jump(w, i);
}
template <class F>
constexpr ScalarRow branch(uint16_t opcode, const char* name, F, uint8_t flags = 0) {
  return {opcode, name, jump_if<F>, 0, 0, 0, static_cast<uint8_t>(kBranch | flags)};
}

void wait(Wave& w, const Instruction& i) {
  const auto bits = static_cast<uint32_t>(i.offset);
  w.outstanding->wait_vector(bits >> 10 & 63);
  w.outstanding->wait_lds_scalar(bits >> 4 & 63);
}
void wait_idle(Wave& w, const Instruction&) {
  w.outstanding->wait_vector(0);
  w.outstanding->wait_lds_scalar(0);
  w.outstanding->wait_stores(0);
}

void end(Wave& w, const Instruction&) {
  w.ended = true;
}
void barrier(Wave& w, const Instruction&) {
  w.at_barrier = true;
}
void code_end(Wave& w, const Instruction& i) {
  fault(w, i, "the wave has run behind the end of the code");
}
void trap(Wave& w, const Instruction& i) {
  fault(w, i, "s_trap " + std::to_string(i.offset & 0xff));
}

void send_message(Wave& w, const Instruction& i) {
  constexpr int32_t kDeallocVgprs = 3;
  if ((i.offset & 0xff) != kDeallocVgprs) fault(w, i, "message " + std::to_string(i.offset & 0xff));
}

void round_mode(Wave& w, const Instruction& i) {
  w.mode = (w.mode & ~0xfu) | (static_cast<uint32_t>(i.offset) & 0xfu);
  if ((w.mode & 0xfu) != 0) fault(w, i, "a rounding mode other than to nearest");
}
void denorm_mode(Wave& w, const Instruction& i) {
  w.mode = (w.mode & ~0xf0u) | (static_cast<uint32_t>(i.offset) & 0xfu) << 4;
}

constexpr auto rows = std::to_array<ScalarRow>({
    {0, "s_nop", nothing},
    {3, "s_sleep", nothing},
    {4, "s_set_inst_prefetch_distance", nothing},
    {5, "s_clause", nothing},
    {7, "s_delay_alu", nothing},
    {8, "s_waitcnt_depctr", nothing},
    {9, "s_waitcnt", wait},
    {10, "s_wait_idle", wait_idle},
    {11, "s_wait_event", nothing},
    {16, "s_trap", trap},
    {17, "s_round_mode", round_mode},
    {18, "s_denorm_mode", denorm_mode},
    {31, "s_code_end", code_end},
    {32, "s_branch", jump, 0, 0, 0, kBranch},
    branch(33, "s_cbranch_scc0", [](const Wave& w) { return w.scc == 0; }),
    branch(34, "s_cbranch_scc1", [](const Wave& w) { return w.scc != 0; }),
    branch(
        35, "s_cbranch_vccz", [](const Wave& w) { return w.vcc() == 0; }, kVccRead),
    branch(
        36, "s_cbranch_vccnz", [](const Wave& w) { return w.vcc() != 0; }, kVccRead),
    branch(37, "s_cbranch_execz", [](const Wave& w) { return w.exec() == 0; }),
    branch(38, "s_cbranch_execnz", [](const Wave& w) { return w.exec() != 0; }),
    {48, "s_endpgm", end},
    {49, "s_endpgm_saved", end},
    {52, "s_wakeup", nothing},
    {53, "s_setprio", nothing},
    {54, "s_sendmsg", send_message},
    {56, "s_incperflevel", nothing},
    {57, "s_decperflevel", nothing},
    {60, "s_icache_inv", nothing},
    {61, "s_barrier", barrier},
});

}  // namespace

std::span<const ScalarRow> scalar_flow_rows() {
  return rows;
}

}  // namespace halyard::emulator
