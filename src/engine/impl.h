// What Engine and Session hold, shared by the files of this folder.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "engine/host_weights.h"
#include "engine/model_file.h"
#include "halyard/engine.h"
#include "planner/plan.h"
#include "text/tokenizer.h"

namespace halyard {

struct Engine::Impl {
  Impl(const EngineOptions& given, ModelFile opened) : options(given), file(std::move(opened)) {}

  // Engine::open, from a model that is in memory already.
  static std::shared_ptr<Engine> open(const EngineOptions& options, ModelFile file);

  // What lives where with a session of so many tokens; nothing: of the most that fit. Before the backend is
  // made the plan may take smaller slices than asked for.
  Plan plan(std::optional<uint64_t> context_tokens) const;

  EngineOptions options;
  ModelFile file;
  ModelInfo info;
  Model model;
  DeviceFacts host;  // as it was before anything was loaded
  HostWeights weights;
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<Backend> backend;
  std::mutex backend_mutex;  // one slice at a time: the backend has one scratch
};

struct Session::Impl {
  std::shared_ptr<Engine> engine;
  std::unique_ptr<KvCache> cache;
  std::vector<int32_t> tokens;
  std::vector<float> logits;
  std::atomic<bool> cancelled = false;

  // Evaluates one token without a look at `cancelled`: a token that was shown belongs to the session. Throws
  // what Session::evaluate throws.
  void append(int32_t token);
  // Evaluates one slice; the logits of its last n_last tokens. After an error the session is empty.
  std::vector<float> run_slice(std::span<const int32_t> slice, uint64_t n_last);
};

}  // namespace halyard
