// Conversions. To integers: toward zero unless the name says otherwise, out of range to the nearest end, NaN
// to 0.
#include "emulator/vector_float_math.h"

namespace halyard::emulator {
namespace {

using enum Format;

// Exact for every bound of 32 bits or fewer, because the comparison is made in double.
template <class T>
T clamped(double value) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double kHigh = static_cast<double>(std::numeric_limits<T>::max());
  double in_range = value > kLow ? value : kLow;  // NaN goes to kLow here and to 0 below
  in_range = in_range < kHigh ? in_range : kHigh;
  in_range = value == value ? in_range : 0.0;
  return static_cast<T>(static_cast<int64_t>(in_range));
}
template <class T>
T clamped_32(float value) {
  return clamped<T>(static_cast<double>(value));
}

float byte_of(uint32_t x, uint32_t byte) {
  return static_cast<float>(static_cast<int32_t>(x >> (8 * byte) & 0xffu));
}
// 4 bits as a signed sixteenth.
float offset_of(uint32_t x) {
  return static_cast<float>(static_cast<int32_t>(x << 28) >> 28) * 0.0625f;
}
uint32_t two(uint16_t low, uint16_t high) {
  return uint32_t{high} << 16 | low;
}
uint16_t signed_norm(float x) {
  const double bounded = x >= 1.0f ? 1.0 : x <= -1.0f ? -1.0 : is_nan(x) ? 0.0 : static_cast<double>(x);
  return static_cast<uint16_t>(static_cast<int32_t>(std::nearbyint(bounded * 32767.0)));
}
uint16_t unsigned_norm(float x) {
  const double bounded = x >= 1.0f ? 1.0 : x > 0.0f ? static_cast<double>(x) : 0.0;
  return static_cast<uint16_t>(static_cast<int32_t>(std::nearbyint(bounded * 65535.0)));
}
template <class T>
uint16_t short_of(float x) {
  return static_cast<uint16_t>(clamped_32<T>(x));
}
uint16_t low_16_unsigned(uint32_t x) {
  return static_cast<uint16_t>(x > 0xffffu ? 0xffffu : x);
}
uint16_t low_16_signed(int32_t x) {
  return static_cast<uint16_t>(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
}
uint32_t byte_clamped(int32_t x) {
  return static_cast<uint32_t>(x < 0 ? 0 : x > 255 ? 255 : x);
}
uint32_t with_byte(float x, uint32_t byte, uint32_t others) {
  const uint32_t shift = 8 * (byte & 3u);
  return (others & ~(0xffu << shift)) | uint32_t{clamped_32<uint8_t>(x)} << shift;
}
// Single rounding of 32-bit integers.
float from_unsigned(uint32_t x) {
  return static_cast<float>(static_cast<double>(x));
}

constexpr VectorOp kOps[] = {
    op<[](double x) { return clamped<int32_t>(x); }>(kVop1, 3, "v_cvt_i32_f64"),
    op<[](int32_t x) { return static_cast<double>(x); }>(kVop1, 4, "v_cvt_f64_i32"),
    op<[](int32_t x) { return static_cast<float>(x); }>(kVop1, 5, "v_cvt_f32_i32"),
    op<[](uint32_t x) { return from_unsigned(x); }>(kVop1, 6, "v_cvt_f32_u32"),
    op<[](float x) { return clamped_32<uint32_t>(x); }>(kVop1, 7, "v_cvt_u32_f32"),
    op<[](float x) { return clamped_32<int32_t>(x); }>(kVop1, 8, "v_cvt_i32_f32"),
    op<[](float x) { return half{x}; }>(kVop1, 10, "v_cvt_f16_f32"),
    op<[](half x) { return is_nan(x.value) ? quiet(x.value) : x.value; }>(kVop1, 11, "v_cvt_f32_f16"),
    op<[](float x) { return clamped<int32_t>(std::floor(static_cast<double>(x) + 0.5)); }>(
        kVop1, 12, "v_cvt_nearest_i32_f32"),
    op<[](float x) { return clamped<int32_t>(std::floor(static_cast<double>(x))); }>(kVop1, 13,
                                                                                     "v_cvt_floor_i32_f32"),
    op<[](uint32_t x) { return offset_of(x); }>(kVop1, 14, "v_cvt_off_f32_i4"),
    op<[](double x) { return static_cast<float>(x); }>(kVop1, 15, "v_cvt_f32_f64"),
    op<[](float x) { return static_cast<double>(x); }>(kVop1, 16, "v_cvt_f64_f32"),
    op<[](uint32_t x) { return byte_of(x, 0); }>(kVop1, 17, "v_cvt_f32_ubyte0"),
    op<[](uint32_t x) { return byte_of(x, 1); }>(kVop1, 18, "v_cvt_f32_ubyte1"),
    op<[](uint32_t x) { return byte_of(x, 2); }>(kVop1, 19, "v_cvt_f32_ubyte2"),
    op<[](uint32_t x) { return byte_of(x, 3); }>(kVop1, 20, "v_cvt_f32_ubyte3"),
    op<[](double x) { return clamped<uint32_t>(x); }>(kVop1, 21, "v_cvt_u32_f64"),
    op<[](uint32_t x) { return static_cast<double>(x); }>(kVop1, 22, "v_cvt_f64_u32"),
    op<[](uint16_t x) { return half{static_cast<float>(x)}; }>(kVop1, 80, "v_cvt_f16_u16"),
    op<[](int16_t x) { return half{static_cast<float>(x)}; }>(kVop1, 81, "v_cvt_f16_i16"),
    op<[](half x) { return clamped_32<uint16_t>(x.value); }>(kVop1, 82, "v_cvt_u16_f16"),
    op<[](half x) { return clamped_32<int16_t>(x.value); }>(kVop1, 83, "v_cvt_i16_f16"),
    op<[](uint32_t x) {
      const uint32_t high = byte_clamped(static_cast<int16_t>(x >> 16));
      return static_cast<uint16_t>(high << 8 | byte_clamped(static_cast<int16_t>(x)));
    }>(kVop1, 98, "v_sat_pk_u8_i16"),
    op<[](half x) { return signed_norm(x.value); }>(kVop1, 99, "v_cvt_norm_i16_f16"),
    op<[](half x) { return unsigned_norm(x.value); }>(kVop1, 100, "v_cvt_norm_u16_f16"),

    op<[](float a, float b) { return two(float_to_half_toward_zero(a), float_to_half_toward_zero(b)); }>(
        kVop2, 47, "v_cvt_pk_rtz_f16_f32"),

    op<[](float x, uint32_t byte, uint32_t c) { return with_byte(x, byte, c); }>(kVop3, 550,
                                                                                 "v_cvt_pk_u8_f32"),
    op<[](float a, float b) { return two(short_of<int16_t>(a), short_of<int16_t>(b)); }>(kVop3, 774,
                                                                                         "v_cvt_pk_i16_f32"),
    op<[](float a, float b) { return two(short_of<uint16_t>(a), short_of<uint16_t>(b)); }>(
        kVop3, 775, "v_cvt_pk_u16_f32"),
    op<[](half a, half b) { return two(signed_norm(a.value), signed_norm(b.value)); }>(
        kVop3, 786, "v_cvt_pk_norm_i16_f16"),
    op<[](half a, half b) { return two(unsigned_norm(a.value), unsigned_norm(b.value)); }>(
        kVop3, 787, "v_cvt_pk_norm_u16_f16"),
    op<[](float a, float b) { return two(signed_norm(a), signed_norm(b)); }>(kVop3, 801,
                                                                             "v_cvt_pk_norm_i16_f32"),
    op<[](float a, float b) { return two(unsigned_norm(a), unsigned_norm(b)); }>(kVop3, 802,
                                                                                 "v_cvt_pk_norm_u16_f32"),
    op<[](uint32_t a, uint32_t b) { return two(low_16_unsigned(a), low_16_unsigned(b)); }>(
        kVop3, 803, "v_cvt_pk_u16_u32"),
    op<[](int32_t a, int32_t b) { return two(low_16_signed(a), low_16_signed(b)); }>(kVop3, 804,
                                                                                     "v_cvt_pk_i16_i32"),
};

}  // namespace

std::span<const VectorOp> convert_ops() {
  return kOps;
}

}  // namespace halyard::emulator
