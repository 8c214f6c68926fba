#include <algorithm>
#include <string>

#include "engine/impl.h"
#include "model/forward.h"

namespace halyard {
namespace {

// Slices end at absolute multiples of the slice length, so that a sequence that was rewound, saved or handed
// over in other portions sees the same schedule as one that was not.
uint64_t slice_length(uint64_t position, uint64_t n_left, uint64_t slice) {
  return std::min(n_left, slice - position % slice);
}

void check_tokens(std::span<const int32_t> tokens, const Model& model, const KvCache& cache) {
  for (int32_t token : tokens) {
    if (token >= 0 && static_cast<uint32_t>(token) < model.shape.vocab) continue;
    throw Error(ErrorCode::kUsage, "token " + std::to_string(token) + " is not in the vocabulary",
                "the tokens given", "pass ids from 0 to " + std::to_string(model.shape.vocab - 1));
  }
  if (tokens.size() > cache.max_tokens() - cache.n_tokens()) {
    throw Error(ErrorCode::kUsage,
                std::to_string(tokens.size()) + " tokens behind " + std::to_string(cache.n_tokens()) +
                    " do not fit a context of " + std::to_string(cache.max_tokens()),
                "the session", "use a larger --ctx or a shorter text");
  }
}

}  // namespace

// The logits are copied while the backend is held: the next session overwrites them.
std::vector<float> Session::Impl::run_slice(std::span<const int32_t> slice, uint64_t n_last) {
  Engine::Impl& on = engine->impl();
  const std::lock_guard lock(on.backend_mutex);
  try {
    const auto result =
        forward(*on.backend, on.model, *cache, {slice, cache->n_tokens()}, static_cast<uint32_t>(n_last));
    tokens.insert(tokens.end(), slice.begin(), slice.end());
    return {result.begin(), result.end()};
  } catch (...) {
    // The cache may hold half a slice: nothing of it can be trusted.
    tokens.clear();
    logits.clear();
    cache->clear();
    throw;
  }
}

void Session::Impl::append(int32_t token) {
  check_tokens({&token, 1}, engine->impl().model, *cache);
  logits = run_slice({&token, 1}, 1);
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Engine& Session::engine() const {
  return *impl_->engine;
}
uint64_t Session::n_tokens() const {
  return impl_->cache->n_tokens();
}
uint64_t Session::max_tokens() const {
  return impl_->cache->max_tokens();
}
const std::vector<int32_t>& Session::tokens() const {
  return impl_->tokens;
}
uint64_t Session::cache_bytes() const {
  return impl_->cache->bytes();
}
std::span<const float> Session::logits() const {
  return impl_->logits;
}

void Session::cancel() noexcept {
  impl_->cancelled = true;
}
bool Session::cancelled() const noexcept {
  return impl_->cancelled;
}
void Session::clear_cancel() noexcept {
  impl_->cancelled = false;
}

uint64_t Session::used_cache_bytes() const {
  const Engine::Impl& engine = impl_->engine->impl();
  return CacheLayout(engine.model, engine.options.cache_rounding, max_tokens())
      .row_bytes(engine.model, n_tokens());
}

uint64_t Session::evaluate(std::span<const int32_t> tokens, const Progress& progress) {
  return evaluate(tokens, LogitsReader{}, progress);
}

uint64_t Session::evaluate(std::span<const int32_t> tokens, const LogitsReader& read,
                           const Progress& progress) {
  const Engine::Impl& engine = impl_->engine->impl();
  check_tokens(tokens, engine.model, *impl_->cache);
  const size_t vocab = engine.model.shape.vocab;
  uint64_t done = 0;
  while (done < tokens.size() && !impl_->cancelled) {
    const uint64_t n = slice_length(n_tokens(), tokens.size() - done, engine.options.slice_tokens);
    std::vector<float> logits = impl_->run_slice(tokens.subspan(done, n), read ? n : 1);
    for (uint64_t i = 0; read && i < n; ++i) read(done + i, std::span(logits).subspan(i * vocab, vocab));
    logits.erase(logits.begin(), logits.end() - static_cast<ptrdiff_t>(vocab));
    impl_->logits = std::move(logits);
    done += n;
    if (progress && !progress(done, tokens.size())) break;
  }
  return done;
}

Session Session::fork() const {
  auto copy = std::make_unique<Impl>();
  copy->engine = impl_->engine;
  copy->cache = impl_->cache->clone();
  copy->tokens = impl_->tokens;
  copy->logits = impl_->logits;
  return Session(std::move(copy));
}

}  // namespace halyard
