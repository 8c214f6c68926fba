#include <array>

#include "emulator/scalar_op.h"

namespace halyard::emulator {
namespace {

using Table = std::array<const ScalarRow*, 256>;

Table table_of(std::span<const ScalarRow> rows) {
  Table table{};
  for (const ScalarRow& row : rows) table[row.opcode] = &row;
  return table;
}

const ScalarRow* find(uint32_t word) {
  static const Table unary = table_of(scalar_unary_rows()), compare = table_of(scalar_compare_rows());
  static const Table flow = table_of(scalar_flow_rows()), constant = table_of(scalar_constant_rows());
  static const Table binary = table_of(scalar_binary_rows());
  if (word >> 30 != 2) return nullptr;
  if (word >> 23 == 0x17d) return unary[word >> 8 & 0xff];
  if (word >> 23 == 0x17e) return compare[word >> 16 & 0x7f];
  if (word >> 23 == 0x17f) return flow[word >> 16 & 0x7f];
  if (word >> 28 == 0xb) return constant[word >> 23 & 0x1f];
  return binary[word >> 23 & 0x7f];
}

// Fields of the encoding that the row does not use (flow has none at all) are not looked at.
void read_operands(uint32_t word, const ScalarRow& row, Instruction& i) {
  const bool unary = word >> 23 == 0x17d, flow = word >> 23 == 0x17f;
  const bool constant = !unary && !flow && word >> 28 == 0xb && word >> 23 != 0x17e;
  if (flow || constant)
    i.offset = flow ? static_cast<int32_t>(word & 0xffff) : static_cast<int16_t>(word & 0xffff);
  if (row.flags & kBranch) i.offset = static_cast<int16_t>(word & 0xffff);
  if (!flow) i.dst = static_cast<uint16_t>(word >> 16 & 0x7f);
  if (flow || constant) return;
  i.src[0] = static_cast<uint16_t>(word & 0xff);
  if (!unary) i.src[1] = static_cast<uint16_t>(word >> 8 & 0xff);
}

}  // namespace

bool decode_scalar(const uint32_t* words, size_t n_words, Instruction& i) {
  const ScalarRow* row = find(words[0]);
  if (row == nullptr) return false;
  i.execute = row->execute;
  i.name = row->name;
  i.branches = (row->flags & kBranch) != 0;
  read_operands(words[0], *row, i);
  const bool literal = (row->n_src0 != 0 && i.src[0] == kLiteral) ||
                       (row->n_src1 != 0 && i.src[1] == kLiteral) || (row->flags & kLiteralAddend) != 0;
  if (literal) {
    if (n_words < 2) return false;
    i.literal = words[1];
    i.size_dwords = 2;
  }
  if (row->n_src0 != 0) add_read(i, i.src[0], row->n_src0);
  if (row->n_src1 != 0) add_read(i, i.src[1], row->n_src1);
  if ((row->flags & kReadsDst) != 0) add_read(i, i.dst, std::max<uint32_t>(row->n_dst, 1));
  if ((row->flags & kVccRead) != 0) add_read(i, kVccLo);
  if ((row->flags & kWritesExec) != 0) add_write(i, kExecLo, row->n_dst);
  if (row->n_dst != 0) add_write(i, i.dst, row->n_dst);
  return true;
}

}  // namespace halyard::emulator
