// Rotary position embedding with YaRN (spec B.6).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "backend/model.h"

namespace halyard {

// Cosine and sine of one position's angles, rope_dim / 2 of each.
struct RopeAngles {
  std::vector<float> cosine, sine;
};

class Rope {
 public:
  // `compressed`: the frequencies of layers with ratio != 0 (compress base, YaRN); else the plain base.
  Rope(const ModelShape& shape, bool compressed);

  // Angles are computed in double: float32 is off by up to 0.03 rad near position 1,000,000.
  RopeAngles angles(uint64_t position) const;
  std::span<const double> frequencies() const { return frequencies_; }

 private:
  std::vector<double> frequencies_;
};

// Rotates the pairs (2i, 2i + 1) of the last rope_dim values of `head` forwards, or back when `inverse`.
void rotate(std::span<float> head, const RopeAngles& angles, bool inverse = false);

}  // namespace halyard
