#include "ops/op_cases.h"

#include <map>
#include <set>
#include <stdexcept>

namespace halyard::test {
namespace {

const char* step_name(Step step) {
  constexpr const char* kNames[] = {"embed",          "collapse_norm", "project_qkv",          "compress",
                                    "select",         "attend",        "attention_out_expand", "route",
                                    "experts_expand", "head"};
  return kNames[static_cast<size_t>(step)];
}

// Steps over weights: every format, numbers of tokens around the sizes of tiles.
void add_matrix_cases(std::vector<OpCase>& cases) {
  for (Step step : {Step::kEmbed, Step::kCollapseNorm, Step::kProjectQkv, Step::kAttentionOutExpand,
                    Step::kRoute, Step::kExpertsExpand, Step::kHead}) {
    for (const SyntheticFormats& formats : op_formats()) {
      for (size_t n : {1, 3, 17, 64})
        cases.push_back({step, Size::kTiny, formats.name, 0, false, n, 100, false});
    }
    for (const char* formats : {"q2", "mxfp4"}) {
      for (size_t n : {1, 3}) cases.push_back({step, Size::kFlashLike, formats, 0, false, n, 5, false});
    }
    cases.push_back({step, Size::kFlashLike, "q2", 0, false, 17, 5, false});
  }
  cases.push_back({Step::kRoute, Size::kTiny, "f16", 0, true, 17, 0, false});
}

// Steps over the cache: first positions around the ends of windows, before and behind the ring's length.
void add_cache_cases(std::vector<OpCase>& cases) {
  for (bool rounding : {false, true}) {
    for (uint32_t ratio : {0, 4, 128}) {
      for (Step step : {Step::kProjectQkv, Step::kCompress, Step::kSelect, Step::kAttend}) {
        if (step == Step::kCompress && ratio == 0) continue;
        if (step == Step::kSelect && ratio != 4) continue;
        for (uint64_t first : {0, 1, 62, 63, 64, 125, 127, 128, 129, 255}) {
          for (size_t n : {1, 3, 17})
            cases.push_back({step, Size::kTiny, "f16", ratio, false, n, first, rounding});
        }
        // A batch longer than the ring, and one in which the selection starts to bind.
        cases.push_back({step, Size::kTiny, "q2", ratio, false, 150, 0, rounding});
        cases.push_back({step, Size::kTiny, "q2", ratio, false, 64, 96, rounding});
      }
    }
  }
  // Filling the cache is slow at these dimensions.
  cases.push_back({Step::kProjectQkv, Size::kFlashLike, "q2", 0, false, 5, 127, true});
  for (uint32_t ratio : {4, 128}) {
    for (Step step : {Step::kCompress, Step::kAttend})
      cases.push_back({step, Size::kFlashLike, "q2", ratio, false, 5, 127, true});
  }
  cases.push_back({Step::kSelect, Size::kFlashLike, "q2", 4, false, 5, 127, true});
}

std::unique_ptr<SyntheticModel> make_model(const OpCase& c) {
  SyntheticOptions options;
  options.shape = c.size == Size::kTiny ? tiny_shape() : flash_like_shape();
  options.ratios = {c.ratio, c.ratio};
  if (c.size == Size::kFlashLike) options.ratios.pop_back();
  options.n_hash_layers = c.size == Size::kTiny ? 1 : 0;
  options.seed = 77;
  for (const SyntheticFormats& f : op_formats()) {
    if (f.name == c.formats) options.formats = f;
  }
  return make_synthetic_model(options);
}

}  // namespace

const std::vector<SyntheticFormats>& op_formats() {
  static const std::vector<SyntheticFormats> formats = {
      {"f32", Format::kF32, Format::kF32, Format::kF32, Format::kF32},
      {"f16", Format::kF16, Format::kF16, Format::kF16, Format::kF16},
      {"q8", Format::kQ8_0, Format::kQ8_0, Format::kQ8_0, Format::kQ8_0},
      {"q4", Format::kQ4_K, Format::kF16, Format::kQ4_K, Format::kQ4_K},
      {"q2", Format::kQ8_0, Format::kF16, Format::kIQ2_XXS, Format::kQ2_K},
      {"mxfp4", Format::kQ8_0, Format::kBF16, Format::kMXFP4, Format::kMXFP4},
  };
  return formats;
}

std::string OpCase::name() const {
  return std::string(step_name(step)) + (size == Size::kTiny ? "_tiny_" : "_flash_") + formats + "_ratio" +
         std::to_string(ratio) + (hash_routed ? "_hash" : "") + "_n" + std::to_string(n_tokens) + "_at" +
         std::to_string(first_position) + (cache_rounding ? "_rounded" : "");
}

void PrintTo(const OpCase& c, std::ostream* out) {
  *out << c.name();
}

// The sanitizers make the reference some ten times slower: they get the tiny cases of few tokens, and behind
// a full ring one number of tokens only.
std::vector<OpCase> op_cases() {
  std::vector<OpCase> all, cases;
  add_matrix_cases(all);
  add_cache_cases(all);
  std::set<std::string> seen;
  for (const OpCase& c : all) {
#ifdef HALYARD_SANITIZED
    if (c.size == Size::kFlashLike || c.n_tokens > 17 || (c.first_position > 100 && c.n_tokens != 3))
      continue;
#endif
    if (seen.insert(c.name()).second) cases.push_back(c);
  }
  return cases;
}

const Model& op_model(const OpCase& c) {
  static std::map<std::string, std::unique_ptr<SyntheticModel>> models;
  const std::string key = std::to_string(static_cast<int>(c.size)) + c.formats + std::to_string(c.ratio);
  std::unique_ptr<SyntheticModel>& made = models[key];
  if (!made) made = make_model(c);
  return made->model;
}

const Layer& op_layer(const OpCase& c) {
  const std::vector<Layer>& layers = op_model(c).layers;
  return c.hash_routed ? layers.front() : layers.back();
}

}  // namespace halyard::test
