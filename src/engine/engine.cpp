#include "halyard/engine.h"

#include <algorithm>
#include <map>

#include "engine/backend_choice.h"
#include "engine/impl.h"
#include "engine/memory_check.h"
#include "engine/vocabulary.h"
#include "gguf/printable.h"
#include "model/config.h"
#include "model/weights.h"
#include "text/chat.h"

namespace halyard {
namespace {

constexpr uint32_t kSliceGrain = 128, kMaxSlice = 16384;
constexpr uint64_t kMaxSessionTokens = uint64_t{1} << 32;

void check_options(const EngineOptions& options) {
  const uint32_t slice = options.slice_tokens;
  if (slice >= kSliceGrain && slice <= kMaxSlice && slice % kSliceGrain == 0) return;
  throw Error(ErrorCode::kUsage, "a slice of " + std::to_string(slice) + " tokens", "slice_tokens",
              "use a multiple of " + std::to_string(kSliceGrain) + " up to " + std::to_string(kMaxSlice));
}

// "IQ2_XXS, Q8_0, F16": the formats of the tensors, most bytes first.
std::string format_mix(const gguf::Header& header) {
  std::map<std::string_view, uint64_t> bytes;
  for (const gguf::TensorInfo& t : header.tensors) {
    if (t.format) bytes[t.format->name] += t.bytes;
  }
  std::vector<std::pair<uint64_t, std::string_view>> order;
  for (const auto& [name, n] : bytes) order.emplace_back(n, name);
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (const auto& [n, name] : order) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

ModelInfo describe(const ModelFile& file, Model& model) {
  ModelInfo info;
  const std::string file_name = file.source.substr(file.source.find_last_of("/\\") + 1);
  const gguf::Value* name = file.header.find("general.name");
  const auto* text = name ? std::get_if<std::string_view>(&name->data) : nullptr;
  info.name = text ? gguf::printable(*text) : file_name;
  info.source = file.source;
  info.formats = format_mix(file.header);
  info.file_bytes = file.header.file_bytes;
  info.context_tokens = model.shape.context_tokens;
  info.vocab = model.shape.vocab;
  info.n_layers = model.shape.n_layers;
  const WeightBytes bytes = count_bytes(model);
  info.weight_bytes = bytes.total;
  info.bytes_per_token = bytes.per_token;
  info.release = guess_release(info.name, file_name);
  return info;
}

}  // namespace

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Engine::~Engine() = default;

std::shared_ptr<Engine> Engine::open(const EngineOptions& options) {
  check_options(options);
  return Impl::open(options, open_model_file(options.model_path));
}

std::shared_ptr<Engine> Engine::Impl::open(const EngineOptions& options, ModelFile file) {
  auto impl = std::make_unique<Impl>(options, std::move(file));
  impl->model = read_config(impl->file.header);
  bind_weights(impl->file.header, impl->model);
  impl->info = describe(impl->file, impl->model);
  require_memory({impl->info.weight_bytes, 0, 0}, options.memory_limit_bytes, impl->file.source);
  impl->tokenizer = std::make_unique<Tokenizer>(read_tokenizer(impl->file.header, impl->model.shape.vocab));
  place_in_memory(impl->model, impl->file.bytes());
  impl->backend = choose_backend(options.backend, impl->model,
                                 {options.cache_rounding, options.n_threads, options.slice_tokens});
  return std::shared_ptr<Engine>(new Engine(std::move(impl)));
}

const EngineOptions& Engine::options() const {
  return impl_->options;
}
const ModelInfo& Engine::model() const {
  return impl_->info;
}
std::string_view Engine::backend_name() const {
  return impl_->backend->name();
}

std::vector<int32_t> Engine::encode_chat(const std::vector<Message>& messages,
                                         const ChatOptions& options) const {
  std::vector<int32_t> tokens;
  for (const PromptPiece& piece : render_prompt(messages, options)) {
    const std::vector<int32_t> part = piece.protocol ? impl_->tokenizer->encode_special(piece.text)
                                                     : impl_->tokenizer->encode_plain(piece.text);
    tokens.insert(tokens.end(), part.begin(), part.end());
  }
  return tokens;
}

std::vector<int32_t> Engine::encode_text(std::string_view text) const {
  std::vector<int32_t> tokens = impl_->tokenizer->encode_plain(text);
  if (const auto bos = impl_->tokenizer->bos()) tokens.insert(tokens.begin(), *bos);
  return tokens;
}

std::string_view Engine::token_bytes(int32_t token) const {
  return impl_->tokenizer->bytes_of(token);
}
std::optional<int32_t> Engine::end_of_turn() const {
  return impl_->tokenizer->eos();
}

uint64_t Engine::session_bytes(uint64_t max_tokens) const {
  const CacheLayout layout(impl_->model, impl_->options.cache_rounding, max_tokens);
  return layout.row_bytes(impl_->model, max_tokens) + layout.partial_window_bytes;
}

Session Engine::new_session(uint64_t max_tokens) {
  if (max_tokens == 0 || max_tokens > kMaxSessionTokens) {
    throw Error(ErrorCode::kUsage, "a context of " + std::to_string(max_tokens) + " tokens", "--ctx",
                "use 1 to " + std::to_string(kMaxSessionTokens));
  }
  require_memory({impl_->info.weight_bytes, session_bytes(max_tokens), impl_->backend->scratch_bytes()},
                 impl_->options.memory_limit_bytes,
                 impl_->file.source + ", context of " + std::to_string(max_tokens) + " tokens");
  auto session = std::make_unique<Session::Impl>();
  session->engine = shared_from_this();
  session->cache = impl_->backend->make_cache(max_tokens);
  return Session(std::move(session));
}

}  // namespace halyard
