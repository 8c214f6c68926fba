// One list of cases for the steps of every backend and every format.
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "backend/model.h"
#include "support/synthetic_model.h"

namespace halyard::test {

enum class Step {
  kEmbed,
  kCollapseNorm,
  kProjectQkv,
  kCompress,
  kSelect,
  kAttend,
  kAttentionOutExpand,
  kRoute,
  kExpertsExpand,
  kHead,
};

enum class Size { kTiny, kFlashLike };

struct OpCase {
  Step step;
  Size size;
  std::string formats;  // a row of op_formats()
  uint32_t ratio;       // the kind of layer: 0, 4 or 128
  bool hash_routed;
  size_t n_tokens;
  uint64_t first_position;
  bool cache_rounding;

  std::string name() const;  // letters, digits and underscores; unique
};
void PrintTo(const OpCase& c, std::ostream* out);

const std::vector<SyntheticFormats>& op_formats();
std::vector<OpCase> op_cases();

// The model of a case: two layers of its kind, the first hash-routed. Made once and kept.
const Model& op_model(const OpCase& c);
const Layer& op_layer(const OpCase& c);

}  // namespace halyard::test
