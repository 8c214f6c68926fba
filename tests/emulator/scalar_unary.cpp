#include <array>
#include <bit>
#include <chrono>

#include "emulator/program.h"
#include "emulator/scalar_float.h"
#include "emulator/scalar_op.h"

namespace halyard::emulator {
namespace {

using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

template <class T>
T nonzero(Wave& wave, T value) {
  wave.scc = value != 0 ? 1 : 0;
  return value;
}

template <class T>
T reversed(T value) {
  T out = 0;
  for (size_t bit = 0; bit < sizeof(T) * 8; ++bit) out |= (value >> bit & 1) << (sizeof(T) * 8 - 1 - bit);
  return out;
}

template <class T>
U32 leading_zeros(T value) {
  return value == 0 ? ~0u : static_cast<U32>(std::countl_zero(value));
}
template <class T>
U32 trailing_zeros(T value) {
  return value == 0 ? ~0u : static_cast<U32>(std::countr_zero(value));
}
// How many bits from the top on equal the sign; -1 when all do.
template <class T>
U32 leading_signs(T value) {
  const T turned = (value >> (sizeof(T) * 8 - 1)) != 0 ? static_cast<T>(~value) : value;
  return leading_zeros(turned);
}

template <class T>
T quads(Wave& wave, T value, bool whole) {
  T out = 0;
  for (size_t quad = 0; quad < sizeof(T) * 2; ++quad) {
    if ((value >> quad * 4 & 15) == 0) continue;
    out |= whole ? T{15} << quad * 4 : T{1} << quad;
  }
  return nonzero(wave, out);
}

U64 replicated(U32 value) {
  U64 out = 0;
  for (U32 bit = 0; bit < 32; ++bit) out |= U64{value >> bit & 1} * 3 << bit * 2;
  return out;
}

// exec = F(source, exec), the old exec to the result.
template <class F>
void save_exec_32(Wave& wave, const Instruction& i) {
  const U32 source = read_scalar(wave, i, i.src[0]), old = wave.sgpr[kExecLo];
  write_scalar(wave, i.dst, old);
  wave.sgpr[kExecLo] = nonzero(wave, static_cast<U32>(F{}(U64{source}, U64{old})));
}
template <class F>
void save_exec_64(Wave& wave, const Instruction& i) {
  const U64 source = read_scalar_64(wave, i, i.src[0]), old = wave.pair(kExecLo);
  write_scalar_64(wave, i.dst, old);
  write_scalar_64(wave, kExecLo, nonzero(wave, F{}(source, old)));
}
template <class F>
constexpr ScalarRow save_row_32(uint16_t opcode, const char* name, F) {
  return {opcode, name, save_exec_32<F>, 1, 1, 0, kWritesExec};
}
template <class F>
constexpr ScalarRow save_row_64(uint16_t opcode, const char* name, F) {
  return {opcode, name, save_exec_64<F>, 2, 2, 0, kWritesExec};
}
// The result gets the new exec as well.
template <class F>
void write_exec_32(Wave& wave, const Instruction& i) {
  const U32 made =
      nonzero(wave, static_cast<U32>(F{}(U64{read_scalar(wave, i, i.src[0])}, U64{wave.exec()})));
  write_scalar(wave, i.dst, made);
  wave.sgpr[kExecLo] = made;
}
template <class F>
void write_exec_64(Wave& wave, const Instruction& i) {
  const U64 made = nonzero(wave, F{}(read_scalar_64(wave, i, i.src[0]), wave.pair(kExecLo)));
  write_scalar_64(wave, i.dst, made);
  write_scalar_64(wave, kExecLo, made);
}

void jump(Wave& wave, const Instruction& i, uint64_t address) {
  const Instruction* to = wave.program->at(address);
  if (to == nullptr)
    fault(wave, i, "jump to an address where no instruction begins: " + std::to_string(address));
  wave.next = to;
}
void get_pc(Wave& wave, const Instruction& i) {
  write_scalar_64(wave, i.dst, wave.program->address_of(*wave.next));
}
void set_pc(Wave& wave, const Instruction& i) {
  jump(wave, i, read_scalar_64(wave, i, i.src[0]));
}
void swap_pc(Wave& wave, const Instruction& i) {
  const uint64_t to = read_scalar_64(wave, i, i.src[0]);
  write_scalar_64(wave, i.dst, wave.program->address_of(*wave.next));
  jump(wave, i, to);
}

// Message 131, the real-time counter (100 MHz), and 128, doorbell, are all that compute kernels may ask for.
void send_message_return(Wave& wave, const Instruction& i) {
  constexpr U32 kRealTime = 131;
  if (i.src[0] != kRealTime)
    fault(wave, i, "s_sendmsg_rtn: message " + std::to_string(i.src[0]) + " is not for compute");
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  write_scalar_64(wave, i.dst, static_cast<U64>(now / std::chrono::nanoseconds(10)));
}

uint16_t indexed(const Wave& wave, const Instruction& i, uint16_t operand, uint32_t n) {
  const uint64_t place = uint64_t{operand} + wave.sgpr[kM0];
  if (operand >= kVccLo || place + n > kVccLo) fault(wave, i, "m0 leads beyond the scalar registers");
  return static_cast<uint16_t>(place);
}
template <uint32_t kRegisters>
void move_relative_source(Wave& wave, const Instruction& i) {
  const uint16_t from = indexed(wave, i, i.src[0], kRegisters);
  for (uint16_t r = 0; r < kRegisters; ++r) wave.sgpr[i.dst + r] = wave.sgpr[from + r];
}
template <uint32_t kRegisters>
void move_relative_result(Wave& wave, const Instruction& i) {
  const uint16_t to = indexed(wave, i, i.dst, kRegisters);
  if constexpr (kRegisters == 1) wave.sgpr[to] = read_scalar(wave, i, i.src[0]);
  if constexpr (kRegisters == 2) write_scalar_64(wave, to, read_scalar_64(wave, i, i.src[0]));
}

constexpr auto integer_rows = std::to_array<ScalarRow>({
    unary<U32, U32>(0, "s_mov_b32", [](Wave&, U32 a) { return a; }),
    unary<U64, U64>(1, "s_mov_b64", [](Wave&, U64 a) { return a; }),
    update<U32, U32>(2, "s_cmov_b32", [](Wave& w, U32 a, U32 old) { return w.scc != 0 ? a : old; }),
    update<U64, U64>(3, "s_cmov_b64", [](Wave& w, U64 a, U64 old) { return w.scc != 0 ? a : old; }),
    unary<U32, U32>(4, "s_brev_b32", [](Wave&, U32 a) { return reversed(a); }),
    unary<U64, U64>(5, "s_brev_b64", [](Wave&, U64 a) { return reversed(a); }),
    unary<U32, U32>(8, "s_ctz_i32_b32", [](Wave&, U32 a) { return trailing_zeros(a); }),
    unary<U32, U64>(9, "s_ctz_i32_b64", [](Wave&, U64 a) { return trailing_zeros(a); }),
    unary<U32, U32>(10, "s_clz_i32_u32", [](Wave&, U32 a) { return leading_zeros(a); }),
    unary<U32, U64>(11, "s_clz_i32_u64", [](Wave&, U64 a) { return leading_zeros(a); }),
    unary<U32, U32>(12, "s_cls_i32", [](Wave&, U32 a) { return leading_signs(a); }),
    unary<U32, U64>(13, "s_cls_i32_i64", [](Wave&, U64 a) { return leading_signs(a); }),
    unary<I32, U32>(14, "s_sext_i32_i8", [](Wave&, U32 a) { return I32{static_cast<int8_t>(a)}; }),
    unary<I32, U32>(15, "s_sext_i32_i16", [](Wave&, U32 a) { return I32{static_cast<int16_t>(a)}; }),
    update<U32, U32>(16, "s_bitset0_b32", [](Wave&, U32 a, U32 old) { return old & ~(U32{1} << (a & 31)); }),
    update<U64, U32>(17, "s_bitset0_b64", [](Wave&, U32 a, U64 old) { return old & ~(U64{1} << (a & 63)); }),
    update<U32, U32>(18, "s_bitset1_b32", [](Wave&, U32 a, U32 old) { return old | U32{1} << (a & 31); }),
    update<U64, U32>(19, "s_bitset1_b64", [](Wave&, U32 a, U64 old) { return old | U64{1} << (a & 63); }),
    unary<U64, U32>(20, "s_bitreplicate_b64_b32", [](Wave&, U32 a) { return replicated(a); }),
    unary<U32, U32>(21, "s_abs_i32", [](Wave& w, U32 a) { return nonzero(w, (a >> 31) != 0 ? 0 - a : a); }),
    unary<U32, U32>(22, "s_bcnt0_i32_b32", [](Wave& w, U32 a) { return nonzero(w, U32(std::popcount(~a))); }),
    unary<U32, U64>(23, "s_bcnt0_i32_b64", [](Wave& w, U64 a) { return nonzero(w, U32(std::popcount(~a))); }),
    unary<U32, U32>(24, "s_bcnt1_i32_b32", [](Wave& w, U32 a) { return nonzero(w, U32(std::popcount(a))); }),
    unary<U32, U64>(25, "s_bcnt1_i32_b64", [](Wave& w, U64 a) { return nonzero(w, U32(std::popcount(a))); }),
    unary<U32, U32>(26, "s_quadmask_b32", [](Wave& w, U32 a) { return quads(w, a, false); }),
    unary<U64, U64>(27, "s_quadmask_b64", [](Wave& w, U64 a) { return quads(w, a, false); }),
    unary<U32, U32>(28, "s_wqm_b32", [](Wave& w, U32 a) { return quads(w, a, true); }),
    unary<U64, U64>(29, "s_wqm_b64", [](Wave& w, U64 a) { return quads(w, a, true); }),
    unary<U32, U32>(30, "s_not_b32", [](Wave& w, U32 a) { return nonzero(w, ~a); }),
    unary<U64, U64>(31, "s_not_b64", [](Wave& w, U64 a) { return nonzero(w, ~a); }),
});

// Functions of source and exec, used by a 32-bit and a 64-bit row each.
constexpr auto kAnd = [](U64 s, U64 e) { return s & e; };
constexpr auto kOr = [](U64 s, U64 e) { return s | e; };
constexpr auto kXor = [](U64 s, U64 e) { return s ^ e; };
constexpr auto kNand = [](U64 s, U64 e) { return ~(s & e); };
constexpr auto kNor = [](U64 s, U64 e) { return ~(s | e); };
constexpr auto kXnor = [](U64 s, U64 e) { return ~(s ^ e); };
constexpr auto kAndNot0 = [](U64 s, U64 e) { return ~s & e; };
constexpr auto kOrNot0 = [](U64 s, U64 e) { return ~s | e; };
constexpr auto kAndNot1 = [](U64 s, U64 e) { return s & ~e; };
constexpr auto kOrNot1 = [](U64 s, U64 e) { return s | ~e; };

constexpr auto exec_rows = std::to_array<ScalarRow>({
    save_row_32(32, "s_and_saveexec_b32", kAnd),
    save_row_64(33, "s_and_saveexec_b64", kAnd),
    save_row_32(34, "s_or_saveexec_b32", kOr),
    save_row_64(35, "s_or_saveexec_b64", kOr),
    save_row_32(36, "s_xor_saveexec_b32", kXor),
    save_row_64(37, "s_xor_saveexec_b64", kXor),
    save_row_32(38, "s_nand_saveexec_b32", kNand),
    save_row_64(39, "s_nand_saveexec_b64", kNand),
    save_row_32(40, "s_nor_saveexec_b32", kNor),
    save_row_64(41, "s_nor_saveexec_b64", kNor),
    save_row_32(42, "s_xnor_saveexec_b32", kXnor),
    save_row_64(43, "s_xnor_saveexec_b64", kXnor),
    save_row_32(44, "s_and_not0_saveexec_b32", kAndNot0),
    save_row_64(45, "s_and_not0_saveexec_b64", kAndNot0),
    save_row_32(46, "s_or_not0_saveexec_b32", kOrNot0),
    save_row_64(47, "s_or_not0_saveexec_b64", kOrNot0),
    save_row_32(48, "s_and_not1_saveexec_b32", kAndNot1),
    save_row_64(49, "s_and_not1_saveexec_b64", kAndNot1),
    save_row_32(50, "s_or_not1_saveexec_b32", kOrNot1),
    save_row_64(51, "s_or_not1_saveexec_b64", kOrNot1),
    {52, "s_and_not0_wrexec_b32", write_exec_32<decltype(kAndNot0)>, 1, 1, 0, kWritesExec},
    {53, "s_and_not0_wrexec_b64", write_exec_64<decltype(kAndNot0)>, 2, 2, 0, kWritesExec},
    {54, "s_and_not1_wrexec_b32", write_exec_32<decltype(kAndNot1)>, 1, 1, 0, kWritesExec},
    {55, "s_and_not1_wrexec_b64", write_exec_64<decltype(kAndNot1)>, 2, 2, 0, kWritesExec},
});

template <class F>
constexpr ScalarRow float_row(uint16_t opcode, const char* name, F) {
  return unary<U32, U32>(opcode, name, [](Wave& w, U32 a) { return float_out(w, F{}(float_in(w, a))); });
}
template <class F>
constexpr ScalarRow half_row(uint16_t opcode, const char* name, F) {
  return unary<U32, U32>(opcode, name,
                         [](Wave& w, U32 a) { return half_out(w, double{F{}(half_in(w, a))}); });
}

I32 to_signed(float x) {
  if (is_nan(x)) return 0;
  if (x >= 0x1p31f) return INT32_MAX;
  return x <= -0x1p31f ? INT32_MIN : static_cast<I32>(x);
}
U32 to_unsigned(float x) {
  if (!(x > 0)) return 0;
  return x >= 0x1p32f ? UINT32_MAX : static_cast<U32>(x);
}

constexpr auto other_rows = std::to_array<ScalarRow>({
    {64, "s_movrels_b32", move_relative_source<1>, 1, 1, 0, 0},
    {65, "s_movrels_b64", move_relative_source<2>, 2, 2, 0, 0},
    {66, "s_movreld_b32", move_relative_result<1>, 1, 1, 0, 0},
    {67, "s_movreld_b64", move_relative_result<2>, 2, 2, 0, 0},
    {71, "s_getpc_b64", get_pc, 2, 0, 0, 0},
    {72, "s_setpc_b64", set_pc, 0, 2, 0, 0},
    {73, "s_swappc_b64", swap_pc, 2, 2, 0, 0},
    {77, "s_sendmsg_rtn_b64", send_message_return, 2, 0, 0, 0},
    float_row(96, "s_ceil_f32", [](float a) { return std::ceil(a); }),
    float_row(97, "s_floor_f32", [](float a) { return std::floor(a); }),
    float_row(98, "s_trunc_f32", [](float a) { return std::trunc(a); }),
    float_row(99, "s_rndne_f32", [](float a) { return std::nearbyint(a); }),
    unary<U32, U32>(100, "s_cvt_f32_i32",
                    [](Wave&, U32 a) { return float_to_bits(static_cast<float>(I32(a))); }),
    unary<U32, U32>(101, "s_cvt_f32_u32", [](Wave&, U32 a) { return float_to_bits(static_cast<float>(a)); }),
    unary<I32, U32>(102, "s_cvt_i32_f32", [](Wave& w, U32 a) { return to_signed(float_in(w, a)); }),
    unary<U32, U32>(103, "s_cvt_u32_f32", [](Wave& w, U32 a) { return to_unsigned(float_in(w, a)); }),
    unary<U32, U32>(104, "s_cvt_f16_f32", [](Wave& w, U32 a) { return half_out(w, double{float_in(w, a)}); }),
    unary<U32, U32>(105, "s_cvt_f32_f16", [](Wave& w, U32 a) { return float_out(w, half_in(w, a)); }),
    unary<U32, U32>(106, "s_cvt_hi_f32_f16",
                    [](Wave& w, U32 a) { return float_out(w, half_in(w, a >> 16)); }),
    half_row(107, "s_ceil_f16", [](float a) { return std::ceil(a); }),
    half_row(108, "s_floor_f16", [](float a) { return std::floor(a); }),
    half_row(109, "s_trunc_f16", [](float a) { return std::trunc(a); }),
    half_row(110, "s_rndne_f16", [](float a) { return std::nearbyint(a); }),
});

}  // namespace

std::span<const ScalarRow> scalar_unary_rows() {
  static const auto rows = [] {
    std::array<ScalarRow, integer_rows.size() + exec_rows.size() + other_rows.size()> all{};
    auto at = std::copy(integer_rows.begin(), integer_rows.end(), all.begin());
    at = std::copy(exec_rows.begin(), exec_rows.end(), at);
    std::copy(other_rows.begin(), other_rows.end(), at);
    return all;
  }();
  return rows;
}

}  // namespace halyard::emulator
