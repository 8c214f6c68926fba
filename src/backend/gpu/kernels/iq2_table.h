// The octets of IQ2_XXS as halves, from the numbers that the host decodes too.
#pragma once
#include "backend/gpu/kernels/gpu.h"

namespace halyard::gpu {

struct Iq2Octets {
  Half8 at[256];
};

constexpr Iq2Octets make_iq2_octets() {
  constexpr uint16_t kDifferences[256] = {
#include "core/iq2_codes.inc"
  };
  constexpr Half kMagnitudes[4] = {8, 25, 43, 0};
  Iq2Octets octets{};
  uint32_t code = 0;
  for (uint32_t k = 0; k < 256; ++k) {
    code += kDifferences[k];
    Half8 octet = {};
    octet = Half8{kMagnitudes[code & 3],       kMagnitudes[code >> 2 & 3], kMagnitudes[code >> 4 & 3],
                  kMagnitudes[code >> 6 & 3],  kMagnitudes[code >> 8 & 3], kMagnitudes[code >> 10 & 3],
                  kMagnitudes[code >> 12 & 3], kMagnitudes[code >> 14 & 3]};
    octets.at[k] = octet;
  }
  return octets;
}

HALYARD_TABLE Iq2Octets kIq2Octets = make_iq2_octets();

}  // namespace halyard::gpu
