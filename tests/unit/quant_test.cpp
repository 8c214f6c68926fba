#include "core/quant.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/half.h"
#include "core/iq2_grid.h"
#include "platform/sha256.h"

namespace halyard {
namespace {

// Made by tests/data/make_quant_cases.py, which says what is in the file.
struct Case {
  uint32_t ggml_type = 0;
  std::vector<std::byte> blocks;
  std::vector<float> values;
};

std::vector<Case> load_cases() {
  std::ifstream file(std::string(HALYARD_SOURCE_DIR) + "/tests/data/quant_cases.bin", std::ios::binary);
  std::vector<Case> cases;
  uint32_t head[3];
  while (file.read(reinterpret_cast<char*>(head), sizeof head)) {
    Case c{head[0], std::vector<std::byte>(head[2]), std::vector<float>(head[1])};
    file.read(reinterpret_cast<char*>(c.blocks.data()), static_cast<std::streamsize>(c.blocks.size()));
    file.read(reinterpret_cast<char*>(c.values.data()), static_cast<std::streamsize>(4 * c.values.size()));
    cases.push_back(std::move(c));
  }
  return cases;
}

TEST(Formats, RowsAreSoundAndDistinct) {
  std::set<Format> ids;
  std::set<std::string_view> names;
  for (const FormatInfo& info : all_formats()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_GT(info.block_bytes, 0u) << info.name;
    EXPECT_TRUE(info.block_values == 1 || info.block_values == 32 || info.block_values == 256) << info.name;
    EXPECT_LE(info.block_bytes, 8 * info.block_values) << info.name;
    EXPECT_EQ(find_format(static_cast<uint32_t>(info.id)), &info);
  }
  EXPECT_EQ(all_formats().size(), 32u);
  EXPECT_EQ(find_format(4), nullptr);
  EXPECT_EQ(find_format(0xFFFFFFFFu), nullptr);
}

TEST(Formats, SizesOfTheSpec) {
  const auto expect = [](uint32_t type, std::string_view name, uint32_t values, uint32_t bytes) {
    const FormatInfo* info = find_format(type);
    ASSERT_NE(info, nullptr) << name;
    EXPECT_EQ(info->name, name);
    EXPECT_EQ(info->block_values, values) << name;
    EXPECT_EQ(info->block_bytes, bytes) << name;
  };
  expect(8, "Q8_0", 32, 34);
  expect(10, "Q2_K", 256, 84);
  expect(12, "Q4_K", 256, 144);
  expect(13, "Q5_K", 256, 176);
  expect(14, "Q6_K", 256, 210);
  expect(15, "Q8_K", 256, 4 + 256 + 32);
  expect(16, "IQ2_XXS", 256, 66);
  expect(18, "IQ3_XXS", 256, 98);
  expect(23, "IQ4_XS", 256, 136);
  expect(39, "MXFP4", 32, 17);
}

TEST(Formats, EveryEnumeratorHasADecoder) {
  for (const Format format : {Format::kF32, Format::kF16, Format::kBF16, Format::kI32, Format::kQ8_0,
                              Format::kQ2_K, Format::kQ4_K, Format::kIQ2_XXS, Format::kMXFP4}) {
    EXPECT_NE(format_info(format).decode, nullptr) << format_info(format).name;
  }
}

TEST(Formats, DecodersGiveTheExpectedNumbers) {
  const std::vector<Case> cases = load_cases();
  std::set<uint32_t> seen;
  for (const Case& c : cases) {
    const FormatInfo* info = find_format(c.ggml_type);
    ASSERT_NE(info, nullptr);
    seen.insert(c.ggml_type);
    ASSERT_EQ(c.values.size() / info->block_values * info->block_bytes, c.blocks.size()) << info->name;
    // One byte off: blocks in a mapped file have any alignment.
    std::vector<std::byte> shifted(c.blocks.size() + 1);
    std::memcpy(shifted.data() + 1, c.blocks.data(), c.blocks.size());
    std::vector<float> out(c.values.size(), std::numeric_limits<float>::quiet_NaN());
    info->decode(shifted.data() + 1, out.data(), out.size());
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], c.values[i]) << info->name << " value " << i;
  }
  for (const FormatInfo& info : all_formats()) {
    EXPECT_EQ(info.decode != nullptr, seen.count(static_cast<uint32_t>(info.id)) == 1) << info.name;
  }
}

TEST(Formats, Mxfp4ScalesReachBothEndsOfTheExponent) {
  std::byte block[17] = {};
  block[1] = std::byte{0x71};  // 0.5 and 6
  float out[32];
  const auto decode = format_info(Format::kMXFP4).decode;
  decode(block, out, 32);
  EXPECT_EQ(out[0], 0x1p-128f);
  EXPECT_EQ(out[16], 0x1.8p-125f);
  block[0] = std::byte{254};
  decode(block, out, 32);
  EXPECT_EQ(out[0], 0x1p126f);
  EXPECT_EQ(out[16], std::numeric_limits<float>::infinity());
}

TEST(Iq2Grid, CodesHaveTheKnownHash) {
  Sha256 sum;
  sum.add(std::as_bytes(std::span(kIq2Codes)));
  EXPECT_EQ(sum.hex(), "915952ebc4af8ddba8113583ca1316fc818843f7b825bbf1a25ae1c39bf0e16d");
}

TEST(Iq2Grid, MagnitudesHaveTheKnownMeanSquare) {
  double sum = 0;
  for (const uint64_t octet : kIq2Grid) {
    for (unsigned i = 0; i < 8; ++i) {
      const auto magnitude = static_cast<double>((octet >> (8 * i)) & 255u);
      EXPECT_TRUE(magnitude == 8 || magnitude == 25 || magnitude == 43);
      sum += magnitude * magnitude;
    }
  }
  EXPECT_NEAR(std::sqrt(sum / 2048), 23.118, 5e-4);
}

TEST(Iq2Grid, SignsAreEvenInNumber) {
  for (uint32_t index = 0; index < 128; ++index) {
    EXPECT_EQ(iq2_signs(index) & 127u, index);
    EXPECT_EQ(std::popcount(iq2_signs(index)) % 2, 0);
  }
}

// The value of a half by the formula of IEEE 754.
double half_value(uint32_t bits) {
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>((bits >> 10) & 31u);
  const int mantissa = static_cast<int>(bits & 1023u);
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(Half, AllBitPatternsDecodeAndReturn) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = half_to_float(half);
    const double expected = half_value(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_TRUE(std::isnan(half_to_float(float_to_half(value)))) << bits;
      continue;
    }
    ASSERT_EQ(double{value}, expected) << bits;
    ASSERT_EQ(std::signbit(value), bits >= 32768) << bits;
    ASSERT_EQ(float_to_half(value), half) << bits;
  }
}

TEST(Half, RoundsToNearestAndTiesToEven) {
  for (uint16_t half = 0; half < 0x7c00; ++half) {
    const auto next = static_cast<uint16_t>(half + 1);
    // The step above the largest half would be 2^16: from half way on, the result is infinity.
    const float above = next == 0x7c00 ? 65536.0f : half_to_float(next);
    const float middle = (half_to_float(half) + above) / 2;
    const uint16_t even = half % 2 == 0 ? half : next;
    ASSERT_EQ(float_to_half(middle), even) << half;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000) << half;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), half) << half;
    ASSERT_EQ(float_to_half(std::nextafter(middle, INFINITY)), next) << half;
  }
}

TEST(Half, OverflowsToInfinity) {
  EXPECT_EQ(float_to_half(65504.0f), 0x7bff);
  EXPECT_EQ(float_to_half(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(-1e30f), 0xfc00);
  EXPECT_EQ(float_to_half(INFINITY), 0x7c00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0);
}

TEST(Bf16, RoundsToNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const auto bf16 = static_cast<uint16_t>(bits), next = static_cast<uint16_t>(bits + 1);
    const float middle = std::bit_cast<float>((bits << 16) | 0x8000u);
    ASSERT_EQ(float_to_bf16(bf16_to_float(bf16)), bf16);
    ASSERT_EQ(float_to_bf16(middle), bits % 2 == 0 ? bf16 : next);
    ASSERT_EQ(float_to_bf16(std::nextafter(middle, 0.0f)), bf16);
    ASSERT_EQ(float_to_bf16(-std::nextafter(middle, INFINITY)), next | 0x8000);
  }
  EXPECT_EQ(float_to_bf16(INFINITY), 0x7f80);
  EXPECT_TRUE(std::isnan(bf16_to_float(float_to_bf16(std::bit_cast<float>(0x7f800001u)))));
}

}  // namespace
}  // namespace halyard
