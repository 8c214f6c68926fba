// A model file opened for a test: mapped, parsed, bound and placed in memory, without the engine.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/model.h"
#include "gguf/gguf.h"
#include "model/forward.h"
#include "platform/mapping.h"

namespace halyard::test {

// Keeps the mapping that the model points into.
struct LoadedModel {
  MappedFile file;
  gguf::Header header;
  Model model;
};
std::unique_ptr<LoadedModel> load_model(const std::filesystem::path& path);

// The backends under test, by name; a test program that is given a new one needs no other change.
struct BackendCase {
  std::string name;
  std::function<std::unique_ptr<Backend>(const Model&, const BackendOptions&)> make;
};
const std::vector<BackendCase>& backend_cases();
std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model, bool cache_rounding,
                                      uint32_t max_slice_tokens = 512, unsigned n_threads = 0);

// Lengths of the slices that `n` tokens are evaluated in: `pattern` repeated, the last one cut.
std::vector<size_t> slices(size_t n, const std::vector<size_t>& pattern);

// Logits of every position, [tokens.size()][vocab]; evaluated from an empty cache.
std::vector<float> all_logits(Backend& backend, const Model& model, std::span<const int32_t> tokens,
                              const std::vector<size_t>& pattern = {512}, const LayerObserver& observer = {});

// The token of the largest logit, lowest id on ties.
int32_t top_token(std::span<const float> logits);
// -log softmax(logits)[token], in double.
double negative_log_likelihood(std::span<const float> logits, int32_t token);

}  // namespace halyard::test
