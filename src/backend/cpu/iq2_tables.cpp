#include <array>

#include "backend/cpu/kernels.h"
#include "core/iq2_grid.h"

namespace halyard::cpu {
namespace {

alignas(64) constexpr std::array<float, 256 * 8> kMagnitudes = [] {
  std::array<float, 256 * 8> values{};
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((kIq2Grid[i / 8] >> (8 * (i % 8))) & 255u);
  return values;
}();

alignas(64) constexpr std::array<float, 128 * 8> kSignBits = [] {
  std::array<float, 128 * 8> values{};
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = ((iq2_signs(static_cast<uint32_t>(i / 8)) >> (i % 8)) & 1u) != 0 ? -0.0f : 0.0f;
  return values;
}();

}  // namespace

const float* const kIq2Magnitudes = kMagnitudes.data();
const float* const kIq2SignBits = kSignBits.data();

}  // namespace halyard::cpu
