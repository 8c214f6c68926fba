// A model of any shape with random weights in given formats, in memory: for tests of the backends' steps.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backend/model.h"

namespace halyard::test {

// Formats of the matrices by their part in the model; vectors are F32 and ids I32. Rows must be multiples of
// the formats' blocks.
struct SyntheticFormats {
  std::string name;
  Format dense = Format::kF16;       // attention projections, shared expert, output
  Format small = Format::kF16;       // hyper-connections, compressors, indexer, router, embedding
  Format experts_in = Format::kF16;  // gate and up
  Format experts_down = Format::kF16;
};

// Layers are given by ratio: 0 window, 4 CSA, more HCA. The first n_hash_layers are hash-routed.
struct SyntheticOptions {
  ModelShape shape;  // n_layers is taken from ratios
  std::vector<uint32_t> ratios;
  uint32_t n_hash_layers = 0;
  SyntheticFormats formats;
  uint64_t seed = 1;
};

// Owns the bytes that the model points to.
struct SyntheticModel {
  Model model;
  std::deque<std::vector<std::byte>> storage;
};
std::unique_ptr<SyntheticModel> make_synthetic_model(const SyntheticOptions& options);

// The shapes of the tests: like the tiny reference model, and with the row lengths, head size and rope size
// of Flash but fewer heads, experts and rows kept.
ModelShape tiny_shape();
ModelShape flash_like_shape();

// A small generator of our own: the same numbers with every standard library.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits();             // 64 random bits
  uint32_t below(uint32_t n);  // 0 to n - 1
  float uniform(float low, float high);
  float normal();  // close to the standard normal distribution
  std::vector<float> normals(size_t n, float scale = 1.0f);

 private:
  uint64_t state_;
};

// n_values random values of about the given standard deviation as blocks of `format`.
std::vector<std::byte> random_blocks(Format format, uint64_t n_values, float deviation, Random& random);

}  // namespace halyard::test
