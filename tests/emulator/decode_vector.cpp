// Vector encodings of gfx11: VOP1, VOP2, VOPC, VOP3, VOP3SD, VOP3P and VOPD, with literals, DPP16 and DPP8.
// Fields are those of AMD's "RDNA3 Instruction Set Architecture". What is behind an opcode is in the tables
// of vector_op.h.
//
// Not in the tables, and so unknown: cube and interpolation instructions, v_mullit, v_qsad and v_mqsad,
// v_trig_preop, v_swap_b16, v_swaprel, and DPP on lane moves and v_mbcnt.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

constexpr uint32_t kVop1Base = 384;  // of the VOP3 form
constexpr uint32_t kVop2Base = 256;
constexpr uint32_t kCompareExec = 128;  // v_cmpx: opcode of v_cmp + 128

struct Tables {
  std::array<const VectorOp*, 256> vop1 = {};
  std::array<const VectorOp*, 64> vop2 = {};
  std::array<const VectorOp*, 128> vopc = {};
  std::array<const VectorOp*, 1024> vop3 = {};
  std::array<const VectorOp*, 128> vop3p = {};
  std::array<const VectorOp*, 32> vopd = {};
};

Tables make_tables() {
  Tables t;
  for (const auto& rows : {float_ops(), double_ops(), half_ops(), integer_ops(), short_ops(), convert_ops(),
                           compare_ops(), dot_ops(), lane_ops(), matrix_ops()}) {
    for (const VectorOp& row : rows) {
      const bool has_vop3 = (row.flags & kNoVop3) == 0;
      switch (row.format) {
        case Format::kVop1:
          t.vop1.at(row.opcode) = &row;
          if (has_vop3) t.vop3.at(kVop1Base + row.opcode) = &row;
          break;
        case Format::kVop2:
          t.vop2.at(row.opcode) = &row;
          if (has_vop3) t.vop3.at(kVop2Base + row.opcode) = &row;
          break;
        case Format::kVopc:
          t.vopc.at(row.opcode) = &row;
          t.vop3.at(row.opcode) = &row;
          t.vop3.at(kCompareExec + row.opcode) = &row;
          break;
        case Format::kVop3:
          t.vop3.at(row.opcode) = &row;
          break;
        case Format::kVop3p:
          t.vop3p.at(row.opcode) = &row;
          break;
        case Format::kVopd:
          t.vopd.at(row.opcode) = &row;
          break;
      }
    }
  }
  return t;
}

const Tables& tables() {
  static const Tables t = make_tables();
  return t;
}

constexpr uint32_t bits(uint32_t word, uint32_t low, uint32_t count) {
  return word >> low & ((1u << count) - 1u);
}
constexpr uint16_t vgpr(uint32_t number) {
  return static_cast<uint16_t>(kVgpr0 + number);
}

uint32_t registers_of(Type type) {
  switch (type) {
    case Type::kNone:
      return 0;
    case Type::kB64:
    case Type::kF64:
    case Type::kRegisters2:
      return 2;
    case Type::kRegisters4:
      return 4;
    case Type::kRegisters8:
      return 8;
    default:
      return 1;
  }
}
bool is_16(Type type) {
  return type == Type::kB16 || type == Type::kF16 || type == Type::kBf16;
}
bool has_opsel_hi(Type type) {
  return type == Type::kPairB16 || type == Type::kPairF16 || type == Type::kPairBf16 || type == Type::kMixed;
}
bool is_matrix(Type type) {
  return type == Type::kRegisters2 || type == Type::kRegisters4 || type == Type::kRegisters8;
}

// A source that can be read as `type` without leaving the register file.
bool is_readable(uint16_t operand, Type type) {
  const uint32_t n = registers_of(type);
  if (is_vgpr(operand)) return type != Type::kMask && operand - kVgpr0 + n <= 256u;
  if (operand < kIntZero) return n == 1 ? true : n == 2 && operand + n <= kIntZero;
  const bool is_constant = operand <= 208 || (operand >= kHalf && operand <= 248) || operand == kLiteral;
  return is_constant || (operand >= kSharedBase && operand <= kPrivateLimit) || operand == kScc;
}

// DPP words and literals behind `i.size_dwords` dwords. `short_form` is VOP1, VOP2 or VOPC, where the DPP
// word carries abs and neg.
bool decode_trailer(const uint32_t* words, size_t n_words, Instruction& i, uint32_t n_operands,
                    bool short_form) {
  const bool is_dpp = i.src[0] == kDpp16 || i.src[0] == kDpp8 || i.src[0] == kDpp8Fi;
  bool literal = false;
  for (uint32_t n = 0; n < n_operands; ++n) literal = literal || i.src[n] == kLiteral;
  if (!is_dpp && !literal) return true;
  if (i.size_dwords >= n_words || (is_dpp && literal)) return false;
  const uint32_t word = words[i.size_dwords++];
  if (literal) {
    i.literal = word;
    return true;
  }
  if (i.src[0] == kDpp16) {
    i.dpp_kind = 16;
    i.dpp_control = static_cast<uint16_t>(bits(word, 8, 9));
    i.dpp_fetch_inactive = bits(word, 18, 1) != 0;
    i.dpp_bound_control = bits(word, 19, 1) != 0;
    if (short_form) {
      i.neg = static_cast<uint8_t>(bits(word, 20, 1) | bits(word, 22, 1) << 1);
      i.abs = static_cast<uint8_t>(bits(word, 21, 1) | bits(word, 23, 1) << 1);
    }
    i.dpp_bank_mask = static_cast<uint8_t>(bits(word, 24, 4));
    i.dpp_row_mask = static_cast<uint8_t>(bits(word, 28, 4));
    if (!is_dpp16_control(i.dpp_control)) return false;
  } else {
    i.dpp_kind = 8;
    i.dpp_fetch_inactive = i.src[0] == kDpp8Fi;
    i.dpp8_selects = bits(word, 8, 24);
  }
  i.src[0] = vgpr(bits(word, 0, 8));
  return true;
}

// In the short forms a 16-bit operand has 7 bits for the register and one for the half.
void take_half_from_register(Instruction& i, const VectorOp& row) {
  for (uint32_t n = 0; n < row.n_sources; ++n) {
    if (!is_16(row.source[n]) || i.src[n] < vgpr(128)) continue;
    i.src[n] = static_cast<uint16_t>(i.src[n] - 128);
    i.opsel = static_cast<uint8_t>(i.opsel | 1u << n);
  }
  if (is_16(row.result) && i.dst >= vgpr(128)) {
    i.dst = static_cast<uint16_t>(i.dst - 128);
    i.opsel = static_cast<uint8_t>(i.opsel | 8u);
  }
}

// Sources that are not in the encoding: the result register of fmac, the literal of fmamk, vcc.
void add_implicit_sources(Instruction& i, const VectorOp& row, bool short_form) {
  const uint32_t last = row.n_sources - 1u;
  if ((row.flags & kMultiplierK) != 0) {
    i.src[2] = i.src[1];
    i.src[1] = kLiteral;
  }
  if ((row.flags & kAddendK) != 0) i.src[2] = kLiteral;
  if ((row.flags & kAccumulates) != 0) i.src[last] = i.dst;
  const bool reads_mask = row.n_sources != 0 && row.source[last] == Type::kMask;
  if (reads_mask && (short_form || (row.flags & kReadsVcc) != 0)) i.src[last] = kVccLo;
}

// Checks operands, notes registers, picks the Execute. `i` has its fields.
bool finish(Instruction& i, const VectorOp& row) {
  if ((row.flags & kAccumulates) != 0 && is_16(row.result)) {
    i.opsel = static_cast<uint8_t>((i.opsel & ~4u) | (i.opsel & 8u) >> 1);
  }
  for (uint32_t n = 0; n < row.n_sources; ++n) {
    if (!is_readable(i.src[n], row.source[n])) return false;
    if (i.dpp_kind != 0 && registers_of(row.source[n]) != 1) return false;
    add_read(i, i.src[n], registers_of(row.source[n]));
  }
  if (row.run_wave != nullptr) {
    if (i.dpp_kind != 0) return false;
    if ((row.flags & kVectorSource) != 0 && !is_vgpr(i.src[0])) return false;
    if (is_matrix(row.result) && !is_vgpr(i.src[1])) return false;
  }
  if (row.result != Type::kNone) {
    if (i.dst - kVgpr0 + registers_of(row.result) > 256u) return false;
    add_write(i, i.dst, registers_of(row.result));
  }
  if ((row.flags & kScalarResult) != 0) add_write(i, i.dst);
  if ((row.flags & kScalarPair) != 0 || row.result == Type::kNone) add_write(i, i.sdst);
  if ((row.flags & kExchanges) != 0) {
    add_write(i, i.src[0]);
    add_read(i, i.dst);
  }
  i.name = row.name;
  i.detail = &row;
  i.execute = execute_for(i, row);
  return true;
}

uint16_t result_operand(const VectorOp& row, uint32_t field) {
  return (row.flags & kScalarResult) != 0 ? static_cast<uint16_t>(field) : vgpr(field);
}

bool decode_short(const uint32_t* words, size_t n_words, Instruction& i, const VectorOp* row, bool has_src1) {
  if (row == nullptr) return false;
  i.size_dwords = 1;
  i.opsel_hi = 7;
  i.src[0] = static_cast<uint16_t>(bits(words[0], 0, 9));
  if (has_src1) i.src[1] = vgpr(bits(words[0], 9, 8));
  add_implicit_sources(i, *row, true);
  if (!decode_trailer(words, n_words, i, row->n_sources, true)) return false;
  take_half_from_register(i, *row);
  if ((row->flags & kAccumulates) != 0) i.src[row->n_sources - 1u] = i.dst;
  return finish(i, *row);
}

bool decode_vop1(const uint32_t* words, size_t n_words, Instruction& i) {
  const VectorOp* row = tables().vop1[bits(words[0], 9, 8)];
  if (row == nullptr) return false;
  i.dst = result_operand(*row, bits(words[0], 17, 8));
  return i.dst < 128 || is_vgpr(i.dst) ? decode_short(words, n_words, i, row, false) : false;
}

bool decode_vop2(const uint32_t* words, size_t n_words, Instruction& i) {
  const VectorOp* row = tables().vop2[bits(words[0], 25, 6)];
  i.dst = vgpr(bits(words[0], 17, 8));
  i.sdst = kVccLo;
  return decode_short(words, n_words, i, row, true);
}

bool decode_vopc(const uint32_t* words, size_t n_words, Instruction& i) {
  const uint32_t opcode = bits(words[0], 17, 8);
  i.sdst = opcode >= kCompareExec ? kExecLo : kVccLo;
  return decode_short(words, n_words, i, tables().vopc[opcode % kCompareExec], true);
}

void read_long_sources(uint32_t word, Instruction& i) {
  i.src[0] = static_cast<uint16_t>(bits(word, 0, 9));
  i.src[1] = static_cast<uint16_t>(bits(word, 9, 9));
  i.src[2] = static_cast<uint16_t>(bits(word, 18, 9));
  i.neg = static_cast<uint8_t>(bits(word, 29, 3));
}

bool decode_vop3(const uint32_t* words, size_t n_words, Instruction& i) {
  const uint32_t word = words[0];
  const uint32_t opcode = bits(word, 16, 10);
  const VectorOp* row = tables().vop3[opcode];
  if (row == nullptr || n_words < 2) return false;
  i.size_dwords = 2;
  i.opsel_hi = 7;
  i.clamp = bits(word, 15, 1) != 0;
  i.omod = static_cast<uint8_t>(bits(words[1], 27, 2));
  read_long_sources(words[1], i);
  i.dst = result_operand(*row, bits(word, 0, 8));
  if ((row->flags & kScalarPair) != 0) {
    i.sdst = static_cast<uint16_t>(bits(word, 8, 7));
  } else {
    i.abs = static_cast<uint8_t>(bits(word, 8, 3));
    i.opsel = static_cast<uint8_t>(bits(word, 11, 4));
  }
  if (row->format == Format::kVopc) {
    // v_cmpx writes exec whatever the field says.
    i.sdst = static_cast<uint16_t>(opcode >= kCompareExec ? uint32_t{kExecLo} : bits(word, 0, 8));
    if (i.sdst >= kIntZero) return false;
  }
  if ((row->flags & kScalarResult) != 0 && i.dst >= kIntZero) return false;
  add_implicit_sources(i, *row, false);
  return decode_trailer(words, n_words, i, row->n_sources, false) && finish(i, *row);
}

bool decode_vop3p(const uint32_t* words, size_t n_words, Instruction& i) {
  const uint32_t word = words[0];
  const VectorOp* row = tables().vop3p[bits(word, 16, 7)];
  if (row == nullptr || n_words < 2) return false;
  i.size_dwords = 2;
  i.clamp = bits(word, 15, 1) != 0;
  i.neg_hi = static_cast<uint8_t>(bits(word, 8, 3));
  i.opsel = static_cast<uint8_t>(bits(word, 11, 3));
  i.opsel_hi = static_cast<uint8_t>(bits(words[1], 27, 2) | bits(word, 14, 1) << 2);
  read_long_sources(words[1], i);
  i.dst = vgpr(bits(word, 0, 8));
  for (uint32_t n = 0; n < 3; ++n) {
    if (has_opsel_hi(row->source[n]) || is_matrix(row->result)) continue;
    i.opsel = static_cast<uint8_t>(i.opsel & ~(1u << n));
    i.opsel_hi = static_cast<uint8_t>(i.opsel_hi | 1u << n);
  }
  if ((row->flags & kSigns) != 0) {
    i.number = i.neg;
    i.neg = 0;
  }
  return decode_trailer(words, n_words, i, row->n_sources, false) && finish(i, *row);
}

struct DualName {
  uint8_t opcode;
  const char* name;
  Format format;
  uint16_t row;
};
constexpr DualName kDualNames[] = {
    {0, "v_dual_fmac_f32", Format::kVop2, 43},        {1, "v_dual_fmaak_f32", Format::kVop2, 45},
    {2, "v_dual_fmamk_f32", Format::kVop2, 44},       {3, "v_dual_mul_f32", Format::kVop2, 8},
    {4, "v_dual_add_f32", Format::kVop2, 3},          {5, "v_dual_sub_f32", Format::kVop2, 4},
    {6, "v_dual_subrev_f32", Format::kVop2, 5},       {7, "v_dual_mul_dx9_zero_f32", Format::kVop2, 7},
    {8, "v_dual_mov_b32", Format::kVop1, 1},          {9, "v_dual_cndmask_b32", Format::kVop2, 1},
    {10, "v_dual_max_f32", Format::kVop2, 16},        {11, "v_dual_min_f32", Format::kVop2, 15},
    {12, "v_dual_dot2acc_f32_f16", Format::kVop2, 2}, {13, "v_dual_dot2acc_f32_bf16", Format::kVopd, 13},
    {16, "v_dual_add_nc_u32", Format::kVop2, 37},  // 16 and up: only as Y
    {17, "v_dual_lshlrev_b32", Format::kVop2, 24},    {18, "v_dual_and_b32", Format::kVop2, 27},
};

const DualName* dual_name(uint64_t opcode) {
  for (const DualName& d : kDualNames) {
    if (d.opcode == opcode) return &d;
  }
  return nullptr;
}

void read_dual_sources(const VectorOp& row, uint32_t word, uint16_t dst, uint16_t* src) {
  src[0] = static_cast<uint16_t>(bits(word, 0, 9));
  src[1] = vgpr(bits(word, 9, 8));
  Instruction half;
  half.src[0] = src[0];
  half.src[1] = src[1];
  half.dst = dst;
  add_implicit_sources(half, row, true);
  for (uint32_t n = 0; n < 3; ++n) src[n] = half.src[n];
}

bool decode_dual(const uint32_t* words, size_t n_words, Instruction& i) {
  if (n_words < 2) return false;
  const uint32_t opcode_x = bits(words[0], 22, 4);
  const uint32_t opcode_y = bits(words[0], 17, 5);
  const VectorOp* x = dual_row(opcode_x);
  const VectorOp* y = dual_row(opcode_y);
  if (x == nullptr || y == nullptr) return false;
  i.size_dwords = 2;
  i.dst = vgpr(bits(words[1], 24, 8));
  // The results must be of different parity, so the last bit of Y's is not stored.
  i.dst_y = vgpr(bits(words[1], 17, 7) << 1 | (i.dst % 2 == 0 ? 1u : 0u));
  read_dual_sources(*x, words[0], i.dst, i.src);
  read_dual_sources(*y, words[1], i.dst_y, i.src_y);
  bool literal = false;
  for (uint32_t n = 0; n < x->n_sources; ++n) {
    if (!is_readable(i.src[n], x->source[n])) return false;
    literal = literal || i.src[n] == kLiteral;
    add_read(i, i.src[n]);
  }
  for (uint32_t n = 0; n < y->n_sources; ++n) {
    if (!is_readable(i.src_y[n], y->source[n])) return false;
    literal = literal || i.src_y[n] == kLiteral;
    add_read(i, i.src_y[n]);
  }
  if (literal) {
    if (n_words < 3) return false;
    i.literal = words[i.size_dwords++];
  }
  add_write(i, i.dst);
  add_write(i, i.dst_y);
  i.name = dual_name(opcode_x)->name;
  i.detail = x;
  i.number = opcode_y;
  i.execute = execute_dual;
  return true;
}

}  // namespace

const VectorOp* dual_row(uint64_t opcode) {
  const DualName* d = dual_name(opcode);
  if (d == nullptr) return nullptr;
  if (d->format == Format::kVopd) return tables().vopd[d->row];
  return d->format == Format::kVop1 ? tables().vop1[d->row] : tables().vop2[d->row];
}

bool decode_vector(const uint32_t* words, size_t n_words, Instruction& i) {
  const uint32_t word = words[0];
  if (word >> 25 == 0x3f) return decode_vop1(words, n_words, i);
  if (word >> 25 == 0x3e) return decode_vopc(words, n_words, i);
  if (word >> 31 == 0) return decode_vop2(words, n_words, i);
  if (word >> 26 == 0x35) return decode_vop3(words, n_words, i);
  if (word >> 23 == 0x198) return decode_vop3p(words, n_words, i);
  if (word >> 26 == 0x32) return decode_dual(words, n_words, i);
  return false;
}

}  // namespace halyard::emulator
