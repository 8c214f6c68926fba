#include "halyard/engine.h"

#include <algorithm>
#include <map>

#include "backend/cpu/scratch.h"
#include "core/log.h"
#include "engine/backend_choice.h"
#include "engine/host_facts.h"
#include "engine/impl.h"
#include "engine/slice_check.h"
#include "engine/vocabulary.h"
#include "gguf/printable.h"
#include "model/config.h"
#include "model/weights.h"
#include "platform/cpu_features.h"
#include "text/chat.h"

namespace halyard {
namespace {

constexpr uint64_t kMaxSessionTokens = uint64_t{1} << 32;

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
  check_slice(options.slice_tokens, "slice_tokens");
  return Impl::open(options, open_model_file(options.model_path));
}

std::shared_ptr<Engine> Engine::Impl::open(const EngineOptions& options, ModelFile file) {
  auto impl = std::make_unique<Impl>(options, std::move(file));
  impl->model = read_config(impl->file.header);
  bind_weights(impl->file.header, impl->model);
  impl->info = describe(impl->file, impl->model);
  impl->tokenizer = std::make_unique<Tokenizer>(read_tokenizer(impl->file.header, impl->model.shape.vocab));
  impl->host = this_host_facts();
  const Plan plan = impl->plan(std::max<uint64_t>(1, options.context_tokens));
  require_fit(plan, impl->file.source);
  for (const std::string& line : plan.notes) log_verbose(line);
  impl->options.slice_tokens = plan.slice_tokens;
  impl->weights = HostWeights(options, impl->file, plan, impl->host, impl->model);
  impl->backend = choose_backend(options.backend, impl->model,
                                 {options.cache_rounding, options.n_threads, impl->options.slice_tokens});
  return std::shared_ptr<Engine>(new Engine(std::move(impl)));
}

Plan Engine::Impl::plan(std::optional<uint64_t> context_tokens) const {
  PlanRequest request;
  request.model = &model;
  request.device = host;
  request.weights = options.load == LoadMode::kMap ? WeightsHome::kMapped : WeightsHome::kDevice;
  request.context_tokens = context_tokens;
  request.slice_tokens = options.slice_tokens;
  request.fixed_slice = backend != nullptr;
  request.cache_rounding = options.cache_rounding;
  request.limit_bytes = options.memory_limit_bytes;
  const unsigned n_threads = options.n_threads != 0 ? options.n_threads : usable_cores();
  request.scratch_bytes = [this, n_threads](uint32_t slice, uint64_t context) {
    return cpu_scratch_bytes(model, slice, context, n_threads);
  };
  return make_plan(request);
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

uint64_t Engine::largest_context() const {
  const Plan plan = impl_->plan(std::nullopt);
  require_fit(plan, impl_->file.source);
  return plan.context_tokens;
}

Session Engine::new_session(uint64_t max_tokens) {
  if (max_tokens == 0 || max_tokens > kMaxSessionTokens) {
    throw Error(ErrorCode::kUsage, "a context of " + std::to_string(max_tokens) + " tokens", "--ctx",
                "use 1 to " + std::to_string(kMaxSessionTokens));
  }
  require_fit(impl_->plan(max_tokens),
              impl_->file.source + ", context of " + std::to_string(max_tokens) + " tokens");
  auto session = std::make_unique<Session::Impl>();
  session->engine = shared_from_this();
  session->cache = impl_->backend->make_cache(max_tokens);
  return Session(std::move(session));
}

}  // namespace halyard
