// What Sampler (halyard/sampling.h) computes with. The same logits, options and seed give the same tokens on
// every platform: the random numbers, exp and all sums are our own, in double, in a fixed order.
#pragma once
#include <array>
#include <cstdint>

#include "halyard/sampling.h"

namespace halyard {

// xoshiro256** by Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators" (2021), seeded with
// splitmix64 as they advise. Period 2^256 - 1.
class RandomGenerator {
 public:
  explicit RandomGenerator(uint64_t seed);
  uint64_t next();
  double next_unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)

 private:
  std::array<uint64_t, 4> state_;
};

// e^x for x <= 0 from additions and multiplications alone, so that no C library has a say. Relative error
// below 5e-16 (a rounding error of 2.2e-16 or less in each of the last two operations, 1e-17 for the series);
// 0 below -708.
double portable_exp(double x);

}  // namespace halyard
