// Execution of the rows that are functions of one lane: sources are fetched (DPP, opsel, abs, neg,
// denormals), the row runs over 32 lanes, the result is modified (denormals, omod, clamp) and blended into
// its register.
#include "emulator/vector_float_math.h"

namespace halyard::emulator {
namespace {

struct Scratch {
  alignas(64) Lanes lo;
  alignas(64) Lanes hi;
};

constexpr uint32_t kModeKeepsDenormals =
    kModeDenorm32In | kModeDenorm32Out | kModeDenorm16_64In | kModeDenorm16_64Out;

bool is_float_constant(uint16_t operand) {
  return operand >= kHalf && operand <= 248;
}

bool is_two_registers(Type type) {
  return type == Type::kB64 || type == Type::kF64;
}

// A constant as the type of the operand reads it.
uint32_t scalar_32(const Wave& wave, const Instruction& i, uint16_t operand, Type type, bool mixed_is_half) {
  if (is_float_constant(operand)) {
    const bool is_half = type == Type::kF16 || type == Type::kB16 || type == Type::kPairF16;
    if (is_half || mixed_is_half) return inline_half(operand);
    if (type == Type::kBf16 || type == Type::kPairBf16) return inline_constant(wave, i, operand) >> 16;
  }
  return read_scalar(wave, i, operand);
}

Source fetch_plain(const Wave& wave, const Instruction& i, uint16_t operand, Type type, Scratch& scratch,
                   bool mixed_is_half = false) {
  if (is_vgpr(operand)) {
    const uint32_t* lanes = wave.vgpr[operand - kVgpr0];
    return {lanes, is_two_registers(type) ? lanes + kLanes : nullptr};
  }
  if (is_two_registers(type)) {
    // A literal is the upper half of a binary64.
    const bool upper = type == Type::kF64 && operand == kLiteral;
    const uint64_t value = upper ? uint64_t{i.literal} << 32 : read_scalar_64(wave, i, operand);
    for (uint32_t& lane : scratch.lo) lane = static_cast<uint32_t>(value);
    for (uint32_t& lane : scratch.hi) lane = static_cast<uint32_t>(value >> 32);
    return {scratch.lo, scratch.hi};
  }
  const uint32_t value = scalar_32(wave, i, operand, type, mixed_is_half);
  for (uint32_t& lane : scratch.lo) lane = value;
  return {scratch.lo, nullptr};
}

// Denormals of one half, both halves, a float or the upper register of a double become zero of their sign.
// (Of a double the lower register is cleared by the caller.)
uint32_t flush_half(uint32_t bits) {
  return (bits & 0x7c00u) == 0 ? bits & 0xffff8000u : bits;
}
uint32_t flush_pair(uint32_t bits) {
  const uint32_t low = (bits & 0x7c00u) == 0 ? 0x8000u : 0xffffu;
  const uint32_t high = (bits & 0x7c000000u) == 0 ? 0x80000000u : 0xffff0000u;
  return bits & (low | high);
}
uint32_t flush_float(uint32_t bits) {
  return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

void flush_lanes(Type type, uint32_t* lo, uint32_t* hi, uint32_t mode, bool input) {
  const bool keeps_32 = (mode & (input ? kModeDenorm32In : kModeDenorm32Out)) != 0;
  const bool keeps_16_64 = (mode & (input ? kModeDenorm16_64In : kModeDenorm16_64Out)) != 0;
  if (type == Type::kF32 && !keeps_32) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) lo[lane] = flush_float(lo[lane]);
  } else if (type == Type::kF16 && !keeps_16_64) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) lo[lane] = flush_half(lo[lane]);
  } else if (type == Type::kPairF16 && !keeps_16_64) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) lo[lane] = flush_pair(lo[lane]);
  } else if (type == Type::kF64 && !keeps_16_64) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((hi[lane] & 0x7ff00000u) != 0) continue;
      lo[lane] = 0;
      hi[lane] &= 0x80000000u;
    }
  }
}

void change_sign(uint32_t* lanes, uint32_t sign, bool absolute, bool negative) {
  const uint32_t keep = absolute ? ~sign : ~0u;
  const uint32_t flip = negative ? sign : 0u;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] = (lanes[lane] & keep) ^ flip;
}

void choose_halves(uint32_t* lanes, bool low_from_high, bool high_from_high) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t low = low_from_high ? lanes[lane] >> 16 : lanes[lane] & 0xffffu;
    const uint32_t high = high_from_high ? lanes[lane] & 0xffff0000u : lanes[lane] << 16;
    lanes[lane] = high | low;
  }
}

// v_fma_mix: opsel_hi makes the operand a half, opsel says which; neg_hi means abs there.
void widen_mixed(const Instruction& i, uint32_t index, uint32_t* lanes, uint32_t mode) {
  const uint32_t shift = (i.opsel >> index & 1) != 0 ? 16 : 0;
  if ((i.opsel_hi >> index & 1) != 0) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lanes[lane] >> shift & 0xffffu;
    flush_lanes(Type::kF16, lanes, nullptr, mode, true);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = float_to_bits(half_to_float(static_cast<uint16_t>(lanes[lane])));
    }
  } else {
    flush_lanes(Type::kF32, lanes, nullptr, mode, true);
  }
  change_sign(lanes, 0x80000000u, (i.neg_hi >> index & 1) != 0, (i.neg >> index & 1) != 0);
}

// opsel, abs and neg of one source.
void modify_source(const Instruction& i, uint32_t index, Type type, Scratch& scratch, uint32_t mode) {
  const bool select = (i.opsel >> index & 1) != 0;
  const bool negative = (i.neg >> index & 1) != 0;
  const bool absolute = (i.abs >> index & 1) != 0;
  switch (type) {
    case Type::kB16:
    case Type::kF16:
    case Type::kBf16:
      for (uint32_t& lane : scratch.lo) lane = select ? lane >> 16 : lane & 0xffffu;
      change_sign(scratch.lo, 0x8000u, absolute, negative);
      break;
    case Type::kB32:
    case Type::kF32:
      change_sign(scratch.lo, 0x80000000u, absolute, negative);
      break;
    case Type::kB64:
    case Type::kF64:
      change_sign(scratch.hi, 0x80000000u, absolute, negative);
      break;
    case Type::kPairF16:
    case Type::kPairBf16:
    case Type::kPairB16:
      choose_halves(scratch.lo, select, (i.opsel_hi >> index & 1) != 0);
      if (type == Type::kPairB16) break;
      change_sign(scratch.lo, 0x8000u, false, negative);
      change_sign(scratch.lo, 0x80000000u, false, (i.neg_hi >> index & 1) != 0);
      break;
    case Type::kMixed:
      widen_mixed(i, index, scratch.lo, mode);
      break;
    default:
      break;
  }
}

// omod is ignored in IEEE mode and where denormal results are kept; it makes -0 into +0. clamp takes NaN to 0
// with DX10_CLAMP and leaves it alone without.
template <class T>
T modified_result(T x, T factor, bool clamp, bool nan_to_zero) {
  if (factor != T{1}) {
    x *= factor;
    x = x == 0 ? T{0} : x;
  }
  if (!clamp || (x != x && !nan_to_zero)) return x;
  return x > 0 ? (x < 1 ? x : T{1}) : T{0};
}

void modify_result(const Instruction& i, Type type, LaneArguments& x, uint32_t mode) {
  constexpr double kFactors[4] = {1, 2, 4, 0.5};
  const bool denormals_out = (mode & (type == Type::kF32 ? kModeDenorm32Out : kModeDenorm16_64Out)) != 0;
  const double factor = denormals_out || (mode & kModeIeee) != 0 ? 1.0 : kFactors[i.omod & 3];
  const bool nan_to_zero = (mode & kModeDx10Clamp) != 0;
  if (i.clamp || factor != 1.0) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto change_half = [&](uint32_t bits) -> uint32_t {
        const float value = half_to_float(static_cast<uint16_t>(bits));
        return float_to_half(modified_result(value, static_cast<float>(factor), i.clamp, nan_to_zero));
      };
      uint32_t& lo = x.lo[lane];
      if (type == Type::kF32) {
        lo = float_to_bits(
            modified_result(bits_to_float(lo), static_cast<float>(factor), i.clamp, nan_to_zero));
      } else if (type == Type::kF16) {
        lo = change_half(lo & 0xffffu);
      } else if (type == Type::kPairF16) {
        lo = change_half(lo >> 16) << 16 | change_half(lo & 0xffffu);
      } else if (type == Type::kF64) {
        const double value = std::bit_cast<double>(uint64_t{x.hi[lane]} << 32 | lo);
        Access<double>::put(x.lo, x.hi, lane, modified_result(value, factor, i.clamp, nan_to_zero));
      }
    }
  }
  flush_lanes(type, x.lo, x.hi, mode, false);
}

void write_masked(uint32_t* to, const uint32_t* values, uint32_t writes) {
  if (writes == ~0u) {
    std::memcpy(to, values, sizeof(Lanes));
    return;
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    to[lane] = (writes >> lane & 1u) != 0 ? values[lane] : to[lane];
  }
}

void write_result(Wave& wave, const Instruction& i, const VectorOp& row, const LaneArguments& x,
                  uint32_t writes) {
  if (row.result == Type::kNone || (row.flags & kScalarPair) != 0) {
    write_scalar(wave, i.sdst, x.mask_out & writes);
    if (row.result == Type::kNone) return;
  }
  uint32_t* to = wave.vgpr[i.dst - kVgpr0];
  if (row.result == Type::kB16 || row.result == Type::kF16 || row.result == Type::kBf16) {
    const uint32_t shift = (i.opsel & 8) != 0 || (row.flags & kHighHalf) != 0 ? 16 : 0;
    Lanes merged;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      merged[lane] = (to[lane] & ~(0xffffu << shift)) | (x.lo[lane] & 0xffffu) << shift;
    }
    write_masked(to, merged, writes);
    return;
  }
  write_masked(to, x.lo, writes);
  if (is_two_registers(row.result)) write_masked(to + kLanes, x.hi, writes);
}

Context context_of(const Wave& wave, const Instruction& i) {
  return {(wave.mode & kModeIeee) != 0, i.clamp, static_cast<uint8_t>(i.number)};
}

// Everything that an encoding can ask for.
void execute_full(Wave& wave, const Instruction& i) {
  const VectorOp& row = *static_cast<const VectorOp*>(i.detail);
  Scratch scratch[4];
  Scratch result;
  LaneArguments x;
  x.lo = result.lo;
  x.hi = result.hi;
  x.context = context_of(wave, i);
  uint32_t writes = wave.exec();
  for (uint32_t n = 0; n < row.n_sources; ++n) {
    const Type type = row.source[n];
    if (type == Type::kMask) {
      x.mask_in = read_scalar(wave, i, i.src[n]);
      continue;
    }
    Scratch& own = scratch[n];
    const bool mixed_is_half = type == Type::kMixed && (i.opsel_hi >> n & 1) != 0;
    Source source = fetch_plain(wave, i, i.src[n], type, own, mixed_is_half);
    if (n == 0 && i.dpp_kind != 0) {
      writes = apply_dpp(wave, i, source.lo, own.lo);
      if (source.hi != nullptr) apply_dpp(wave, i, source.hi, own.hi);
    } else {
      if (source.lo != own.lo) std::memcpy(own.lo, source.lo, sizeof(Lanes));
      if (source.hi != nullptr && source.hi != own.hi) std::memcpy(own.hi, source.hi, sizeof(Lanes));
    }
    modify_source(i, n, type, own, wave.mode);
    flush_lanes(type, own.lo, own.hi, wave.mode, true);
    x.src[n] = {own.lo, own.hi};
  }
  row.run(x);
  modify_result(i, row.result, x, wave.mode);
  write_result(wave, i, row, x, writes);
}

// Registers of 32 bits with nothing to modify: nearly all of what runs.
template <uint32_t kSources>
void execute_quick(Wave& wave, const Instruction& i) {
  if ((wave.mode & kModeKeepsDenormals) != kModeKeepsDenormals) {
    execute_full(wave, i);
    return;
  }
  const VectorOp& row = *static_cast<const VectorOp*>(i.detail);
  Scratch scratch[kSources];
  alignas(64) Lanes result;
  LaneArguments x;
  x.lo = result;
  x.context = context_of(wave, i);
  for (uint32_t n = 0; n < kSources; ++n) {
    if (row.source[n] == Type::kMask) {
      x.mask_in = read_scalar(wave, i, i.src[n]);
    } else {
      x.src[n] = fetch_plain(wave, i, i.src[n], row.source[n], scratch[n]);
    }
  }
  row.run(x);
  if (row.result == Type::kNone || (row.flags & kScalarPair) != 0) {
    write_scalar(wave, i.sdst, x.mask_out & wave.exec());
    if (row.result == Type::kNone) return;
  }
  write_masked(wave.vgpr[i.dst - kVgpr0], result, wave.exec());
}

bool is_quick(Type type) {
  return type != Type::kB16 && type != Type::kF16 && type != Type::kBf16 && type != Type::kMixed &&
         !is_two_registers(type);
}

void run_half_of_dual(Wave& wave, const Instruction& i, const VectorOp& row, const uint16_t* operands,
                      uint32_t* result) {
  Scratch scratch[3];
  LaneArguments x;
  x.lo = result;
  x.context = {(wave.mode & kModeIeee) != 0, false, 0};
  for (uint32_t n = 0; n < row.n_sources; ++n) {
    const Type type = row.source[n];
    if (type == Type::kMask) {
      x.mask_in = wave.vcc();
      continue;
    }
    Source source = fetch_plain(wave, i, operands[n], type, scratch[n]);
    if ((wave.mode & kModeKeepsDenormals) != kModeKeepsDenormals) {
      if (source.lo != scratch[n].lo) std::memcpy(scratch[n].lo, source.lo, sizeof(Lanes));
      flush_lanes(type, scratch[n].lo, nullptr, wave.mode, true);
      source.lo = scratch[n].lo;
    }
    x.src[n] = source;
  }
  row.run(x);
  flush_lanes(row.result, result, nullptr, wave.mode, false);
}

}  // namespace

Execute execute_for(const Instruction& i, const VectorOp& row) {
  if (row.run_wave != nullptr) return row.run_wave;
  bool quick = is_quick(row.result) && i.dpp_kind == 0 && i.neg == 0 && i.neg_hi == 0 && i.abs == 0 &&
               i.omod == 0 && i.opsel == 0 && i.opsel_hi == 7;
  // The clamp of integers is the row's own affair.
  if (i.clamp && row.result != Type::kB32) quick = false;
  for (uint32_t n = 0; n < row.n_sources; ++n) quick = quick && is_quick(row.source[n]);
  if (!quick) return execute_full;
  switch (row.n_sources) {
    case 1:
      return execute_quick<1>;
    case 2:
      return execute_quick<2>;
    case 3:
      return execute_quick<3>;
    default:
      return execute_quick<4>;
  }
}

void execute_dual(Wave& wave, const Instruction& i) {
  alignas(64) Lanes x, y;
  run_half_of_dual(wave, i, *static_cast<const VectorOp*>(i.detail), i.src, x);
  run_half_of_dual(wave, i, *dual_row(i.number), i.src_y, y);
  write_masked(wave.vgpr[i.dst - kVgpr0], x, wave.exec());
  write_masked(wave.vgpr[i.dst_y - kVgpr0], y, wave.exec());
}

}  // namespace halyard::emulator
