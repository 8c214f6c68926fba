// A hash that the writer of a file cannot foresee: with a known one a vocabulary could be made whose look-ups
// all collide, which takes quadratic time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace halyard {

// Each object has a key of its own, which its copies share. Nothing that the program shows depends on it.
class KeyedHash {
 public:
  KeyedHash() {
    std::random_device random;
    key_ = (uint64_t{random()} << 32 | random()) | 1;
  }

  uint64_t operator()(uint64_t number) const { return number * key_; }  // its high bits are the hash

  size_t operator()(std::string_view text) const {
    uint64_t hash = text.size();
    for (; text.size() >= sizeof hash; text.remove_prefix(sizeof hash)) hash = mix(hash, text, sizeof hash);
    return static_cast<size_t>(mix(hash, text, text.size()));
  }

 private:
  uint64_t mix(uint64_t hash, std::string_view text, size_t n_bytes) const {
    uint64_t word = 0;
    if (n_bytes > 0) std::memcpy(&word, text.data(), n_bytes);
    hash = (hash ^ word) * key_;
    return hash ^ hash >> 32;
  }

  uint64_t key_;
};

}  // namespace halyard
