// An engine over a model in memory, and what it computes: for tests that make many models.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/impl.h"
#include "halyard/engine.h"

namespace halyard::test {

inline ModelFile model_in_memory(std::span<const std::byte> bytes, const std::string& source = "memory") {
  ModelFile file;
  file.source = source;
  file.parts.push_back({"", std::nullopt, bytes, {}});
  file.header = gguf::parse(bytes, bytes.size(), source);
  return file;
}

// `bytes` must outlive the engine.
inline std::shared_ptr<Engine> open_in_memory(std::span<const std::byte> bytes,
                                              const EngineOptions& options) {
  return Engine::Impl::open(options, model_in_memory(bytes));
}

// The logits after each of `tokens`, [tokens.size()][vocab].
inline std::vector<float> logits_of(Engine& engine, std::span<const int32_t> tokens) {
  Session session = engine.new_session(tokens.size());
  std::vector<float> all;
  session.evaluate(tokens, [&](uint64_t, std::span<const float> logits) {
    all.insert(all.end(), logits.begin(), logits.end());
  });
  return all;
}

}  // namespace halyard::test
