// Matrix products of 16x16x16 by one wave: D = A * B + C. All lanes take part, whatever exec says.
//
// Registers: lane l holds row l % 16 of A and column l % 16 of B, all 16 of k, packed from low bits upwards,
// so lanes 16 to 31 must hold what lanes 0 to 15 hold; a difference is a fault, because the hardware would
// mix the two. Element (row, column) of C and D is in register row / 2 of lane 16 * (row % 2) + column. Of
// 16-bit results one half of each register is used, the high one when the third opsel bit is set; the other
// half keeps its value.
//
// Products of 16-bit numbers are exact here and summed in double, with one rounding at the end. The hardware
// rounds in an order of its own, so results may differ from it by units in the last place of the largest
// term.
#include "emulator/vector_op.h"

namespace halyard::emulator {
namespace {

constexpr uint32_t kSide = 16;

template <class T>
using Matrix = T[kSide][kSide];

void check_mirrored(const Wave& wave, const Instruction& i, uint32_t source, uint32_t n_registers) {
  for (uint32_t r = 0; r < n_registers; ++r) {
    const uint32_t* lanes = wave.vgpr[i.src[source] - kVgpr0 + r];
    for (uint32_t lane = 0; lane < kSide; ++lane) {
      if (lanes[lane] != lanes[lane + kSide]) {
        fault(wave, i,
              std::string("lanes 16 to 31 of matrix ") + (source == 0 ? "A" : "B") +
                  " do not repeat lanes 0 to 15",
              static_cast<int>(lane + kSide));
      }
    }
  }
}

template <class T>
double widened(uint32_t bits, bool negative) {
  const float value = from_16<T>(bits).value;
  return static_cast<double>(negative ? -value : value);
}

// Lines (rows of A, columns of B) of 16 numbers of 16 bits.
template <class T>
void read_lines(const Wave& wave, const Instruction& i, uint32_t source, Matrix<double>& lines) {
  check_mirrored(wave, i, source, 8);
  const bool negative_even = (i.neg >> source & 1) != 0;
  const bool negative_odd = (i.neg_hi >> source & 1) != 0;
  for (uint32_t r = 0; r < 8; ++r) {
    const uint32_t* lanes = wave.vgpr[i.src[source] - kVgpr0 + r];
    for (uint32_t line = 0; line < kSide; ++line) {
      lines[line][2 * r] = widened<T>(lanes[line] & 0xffffu, negative_even);
      lines[line][2 * r + 1] = widened<T>(lanes[line] >> 16, negative_odd);
    }
  }
}

template <uint32_t kBits>
void read_integer_lines(const Wave& wave, const Instruction& i, uint32_t source, Matrix<int32_t>& lines) {
  constexpr uint32_t kPerRegister = 32 / kBits;
  const bool is_signed = (i.neg >> source & 1) != 0;
  check_mirrored(wave, i, source, kSide / kPerRegister);
  for (uint32_t k = 0; k < kSide; ++k) {
    const uint32_t* lanes = wave.vgpr[i.src[source] - kVgpr0 + k / kPerRegister];
    for (uint32_t line = 0; line < kSide; ++line) {
      const uint32_t top_aligned = lanes[line] << (32 - kBits * (k % kPerRegister + 1));
      lines[line][k] = is_signed ? static_cast<int32_t>(top_aligned) >> (32 - kBits)
                                 : static_cast<int32_t>(top_aligned >> (32 - kBits));
    }
  }
}

// sum[row][column] += a[row] . b[column]
template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& sum) {
  Matrix<T> by_k;  // b turned over, so that the innermost loop runs over neighbours
  for (uint32_t k = 0; k < kSide; ++k) {
    for (uint32_t column = 0; column < kSide; ++column) by_k[k][column] = b[column][k];
  }
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t k = 0; k < kSide; ++k) {
      for (uint32_t column = 0; column < kSide; ++column) sum[row][column] += a[row][k] * by_k[k][column];
    }
  }
}

constexpr uint32_t register_of(uint32_t row) {
  return row / 2;
}
constexpr uint32_t lane_of(uint32_t row, uint32_t column) {
  return 16 * (row % 2) + column;
}

// The 32 bits of C at a place; an inline constant stands for all of them.
uint32_t addend_bits(const Wave& wave, const Instruction& i, uint32_t constant, uint32_t row,
                     uint32_t column) {
  if (!is_vgpr(i.src[2])) return constant;
  return wave.vgpr[i.src[2] - kVgpr0 + register_of(row)][lane_of(row, column)];
}

// kAs32 tells whether C and D are float; else they are of type T.
template <class T, bool kAs32>
void multiply_floats(Wave& wave, const Instruction& i) {
  Matrix<double> a, b, sum;
  read_lines<T>(wave, i, 0, a);
  read_lines<T>(wave, i, 1, b);
  const uint32_t shift = !kAs32 && (i.opsel & 4) != 0 ? 16 : 0;
  uint32_t constant = is_vgpr(i.src[2]) ? 0 : read_scalar(wave, i, i.src[2]);
  if (!kAs32 && !is_vgpr(i.src[2])) {
    // As 16 bits, in the half that is read.
    const uint32_t bits = bits_16(T{bits_to_float(constant)});
    constant = bits << 16 | bits;
  }
  const bool negative = (i.neg & 4) != 0;
  const bool absolute = (i.neg_hi & 4) != 0;
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t column = 0; column < kSide; ++column) {
      const uint32_t bits = addend_bits(wave, i, constant, row, column);
      const float value = kAs32 ? bits_to_float(bits) : from_16<T>(bits >> shift).value;
      const double magnitude = static_cast<double>(absolute ? std::fabs(value) : value);
      sum[row][column] = negative ? -magnitude : magnitude;
    }
  }
  multiply(a, b, sum);
  for (uint32_t row = 0; row < kSide; ++row) {
    uint32_t* to = wave.vgpr[i.dst - kVgpr0 + register_of(row)];
    for (uint32_t column = 0; column < kSide; ++column) {
      uint32_t& d = to[lane_of(row, column)];
      if (kAs32) {
        d = float_to_bits(static_cast<float>(sum[row][column]));
      } else {
        d = (d & ~(0xffffu << shift)) | uint32_t{bits_16(T{narrow_to_odd(sum[row][column])})} << shift;
      }
    }
  }
}

template <uint32_t kBits>
void multiply_integers(Wave& wave, const Instruction& i) {
  Matrix<int32_t> a, b, products = {};
  read_integer_lines<kBits>(wave, i, 0, a);
  read_integer_lines<kBits>(wave, i, 1, b);
  multiply(a, b, products);
  const uint32_t constant = is_vgpr(i.src[2]) ? 0 : read_scalar(wave, i, i.src[2]);
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t column = 0; column < kSide; ++column) {
      const uint32_t c = addend_bits(wave, i, constant, row, column);
      int64_t exact = int64_t{static_cast<int32_t>(c)} + products[row][column];
      if (i.clamp) exact = exact < INT32_MIN ? INT32_MIN : exact > INT32_MAX ? INT32_MAX : exact;
      wave.vgpr[i.dst - kVgpr0 + register_of(row)][lane_of(row, column)] =
          static_cast<uint32_t>(static_cast<uint64_t>(exact));
    }
  }
}

using enum Format;
constexpr Type k2 = Type::kRegisters2;
constexpr Type k4 = Type::kRegisters4;
constexpr Type k8 = Type::kRegisters8;

constexpr VectorOp kOps[] = {
    wave_op(kVop3p, 64, "v_wmma_f32_16x16x16_f16", multiply_floats<half, true>, k8, {k8, k8, k8},
            kVectorSource),
    wave_op(kVop3p, 65, "v_wmma_f32_16x16x16_bf16", multiply_floats<bfloat, true>, k8, {k8, k8, k8},
            kVectorSource),
    wave_op(kVop3p, 66, "v_wmma_f16_16x16x16_f16", multiply_floats<half, false>, k8, {k8, k8, k8},
            kVectorSource),
    wave_op(kVop3p, 67, "v_wmma_bf16_16x16x16_bf16", multiply_floats<bfloat, false>, k8, {k8, k8, k8},
            kVectorSource),
    wave_op(kVop3p, 68, "v_wmma_i32_16x16x16_iu8", multiply_integers<8>, k8, {k4, k4, k8}, kVectorSource),
    wave_op(kVop3p, 69, "v_wmma_i32_16x16x16_iu4", multiply_integers<4>, k8, {k2, k2, k8}, kVectorSource),
};

}  // namespace

std::span<const VectorOp> matrix_ops() {
  return kOps;
}

}  // namespace halyard::emulator
