// Damaged copies of a model file: the same ones for one seed, everywhere.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace halyard::test {

constexpr uint64_t kDamageSeed = 20261201;

// One damage: the file ends at `at`, or its byte there is another.
struct Damage {
  bool cut;
  uint64_t at;
  std::byte value;

  std::string text() const {
    return cut ? "cut at byte " + std::to_string(at)
               : "byte " + std::to_string(at) + " is " + std::to_string(static_cast<int>(value));
  }
};

class DamageSource {
 public:
  explicit DamageSource(std::span<const std::byte> original, uint64_t seed = kDamageSeed)
      : original_(original), random_(seed) {}

  Damage cut(uint64_t below) { return {true, random_() % below, {}}; }
  // Of a byte before `below`; the byte is another than before.
  Damage change(uint64_t below) {
    const uint64_t at = random_() % below;
    return {false, at, original_[at] ^ static_cast<std::byte>(1 + random_() % 255)};
  }

 private:
  std::span<const std::byte> original_;
  std::mt19937_64 random_;  // the standard fixes its numbers
};

}  // namespace halyard::test
