#include "support/test_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "model/config.h"
#include "model/weights.h"

namespace halyard::test {

std::unique_ptr<LoadedModel> load_model(const std::filesystem::path& path) {
  auto loaded = std::make_unique<LoadedModel>(LoadedModel{MappedFile::open(path), {}, {}});
  const std::span<const std::byte> bytes = loaded->file.bytes();
  loaded->header = gguf::parse(bytes, bytes.size(), path.filename().string());
  loaded->model = read_config(loaded->header);
  bind_weights(loaded->header, loaded->model);
  place_in_memory(loaded->model, {&bytes, 1});
  return loaded;
}

const std::vector<BackendCase>& backend_cases() {
  static const std::vector<BackendCase> cases = {
      {"reference", make_reference_backend},
      {"cpu", make_cpu_backend},
  };
  return cases;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const Model& model, bool cache_rounding,
                                      uint32_t max_slice_tokens, unsigned n_threads) {
  for (const BackendCase& c : backend_cases()) {
    if (c.name == name) return c.make(model, {cache_rounding, n_threads, max_slice_tokens});
  }
  throw std::invalid_argument("no backend " + name);
}

std::vector<size_t> slices(size_t n, const std::vector<size_t>& pattern) {
  std::vector<size_t> lengths;
  for (size_t i = 0; n > 0; ++i) {
    lengths.push_back(std::min(n, pattern[i % pattern.size()]));
    n -= lengths.back();
  }
  return lengths;
}

std::vector<float> all_logits(Backend& backend, const Model& model, std::span<const int32_t> tokens,
                              const std::vector<size_t>& pattern, const LayerObserver& observer) {
  const std::unique_ptr<KvCache> cache = backend.make_cache(tokens.size());
  std::vector<float> logits;
  logits.reserve(tokens.size() * model.shape.vocab);
  uint64_t position = 0;
  for (size_t n : slices(tokens.size(), pattern)) {
    const Batch batch{tokens.subspan(position, n), position};
    const auto part = forward(backend, model, *cache, batch, static_cast<uint32_t>(n), observer);
    logits.insert(logits.end(), part.begin(), part.end());
    position += n;
  }
  return logits;
}

int32_t top_token(std::span<const float> logits) {
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

double negative_log_likelihood(std::span<const float> logits, int32_t token) {
  const double max = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float v : logits) sum += std::exp(v - max);
  return std::log(sum) + max - logits[static_cast<size_t>(token)];
}

}  // namespace halyard::test
