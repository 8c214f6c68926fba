// The real model's dimensions: the file that scripts/make-flash4 makes, against flash4.json. Random weights,
// so no perplexity; limits of the design's table for flash4.
#include <gtest/gtest.h>

#include "support/reference_data.h"
#include "support/test_model.h"

namespace halyard::test {
namespace {

class Flash4 : public testing::TestWithParam<std::string> {
 protected:
  // Compares the first n_tokens positions: logits where the file lists them, top tokens where the exact
  // margin is above 0.3, of which `may_differ` may be others.
  void check(size_t n_tokens, bool cache_rounding, double may_differ) const {
    static const std::unique_ptr<LoadedModel> loaded = load_model(HALYARD_FLASH4_FILE);
    const Model& model = loaded->model;
    const auto& expected =
        flash4_json()["logits"][cache_rounding ? "cache_rounding_on" : "cache_rounding_off"];
    const std::vector<int32_t> all = flash4_json()["tokens"], top = expected["argmax_all"];
    const std::vector<double> margin = expected["margin_all"];
    const std::vector<size_t> positions = flash4_json()["positions"];
    const std::vector<float> rows = read_f32(expected["file"]);
    const size_t vocab = model.shape.vocab;

    const std::span<const int32_t> tokens = std::span(all).first(n_tokens);
    const std::vector<float> logits =
        all_logits(*make_backend(GetParam(), model, cache_rounding), model, tokens);
    std::vector<float> ours, theirs;
    for (size_t i = 0; i < positions.size() && positions[i] < n_tokens; ++i) {
      const auto at = [&](const std::vector<float>& from, size_t row) {
        return from.begin() + static_cast<ptrdiff_t>(row * vocab);
      };
      ours.insert(ours.end(), at(logits, positions[i]), at(logits, positions[i] + 1));
      theirs.insert(theirs.end(), at(rows, i), at(rows, i + 1));
    }
    expect_within(distance(ours, theirs, vocab), cache_rounding ? kFlashFloat32On : kFlashFloat32Off,
                  GetParam() + " flash4, cache rounding " + (cache_rounding ? "on" : "off"));
    size_t clear = 0, other = 0;
    for (size_t p = 0; p < n_tokens; ++p) {
      if (margin[p] <= 0.3) continue;
      ++clear;
      other += top_token(std::span(logits).subspan(p * vocab, vocab)) != top[p];
    }
    std::printf("%s flash4: another top token at %zu of %zu clear positions\n", GetParam().c_str(), other,
                clear);
    EXPECT_LE(static_cast<double>(other), may_differ * static_cast<double>(clear));
  }
};

TEST_P(Flash4, First130PositionsRoundingOff) {
  check(130, false, 1.0 / 84);
}
TEST_P(Flash4, First130PositionsRoundingOn) {
  check(130, true, 1.0 / 84);
}
// Minutes on the CPU backend, hours on the reference: by hand, with --gtest_also_run_disabled_tests.
TEST_P(Flash4, DISABLED_AllPositionsRoundingOff) {
  check(2112, false, 0.01);
}
TEST_P(Flash4, DISABLED_AllPositionsRoundingOn) {
  check(2112, true, 0.01);
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const BackendCase& c : backend_cases()) names.push_back(c.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Backends, Flash4, testing::ValuesIn(backend_names()),
                         [](const auto& param_info) { return param_info.param; });

}  // namespace
}  // namespace halyard::test
