// The C header over the C++ one: handles, codes, and a fence that no exception passes.
#include <algorithm>
#include <cstring>
#include <new>

#include "engine/impl.h"
#include "halyard/generate.h"
#include "halyard/halyard.h"
#include "halyard/version.h"

struct halyard_engine {
  std::shared_ptr<halyard::Engine> engine;
};
struct halyard_session {
  halyard::Session session;
  bool thinking = false;  // the prompt ended with the think marker
};

namespace halyard {
namespace {

static_assert(HALYARD_ERROR_CANCELLED == static_cast<int>(ErrorCode::kCancelled) + 1);
static_assert(HALYARD_ROLE_TOOL == static_cast<int>(Role::kTool));
static_assert(HALYARD_THINKING_MAX == static_cast<int>(Thinking::kMax));
static_assert(HALYARD_OUTPUT_CALL_CUT_SHORT == static_cast<int>(OutputKind::kCallCutShort));
static_assert(HALYARD_STOP_CANCELLED == static_cast<int>(StopReason::kCancelled));

// Plain arrays: nothing to construct, to run out of memory, or to destroy when the thread ends.
thread_local char t_error[2048] = "";
thread_local halyard_code t_code = HALYARD_OK;

halyard_code fail(halyard_code code, std::string_view text) noexcept {
  size_t n = std::min(text.size(), sizeof t_error - 1);
  // Not in the middle of a character.
  while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
  std::memcpy(t_error, text.data(), n);
  t_error[n] = '\0';
  t_code = code;
  return code;
}

template <class Body>
halyard_code guarded(const Body& body) noexcept {
  try {
    body();
    return HALYARD_OK;
  } catch (const Error& error) {
    return fail(static_cast<halyard_code>(static_cast<int>(error.code()) + 1), error.what());
  } catch (const std::bad_alloc&) {
    return fail(HALYARD_ERROR_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return fail(HALYARD_ERROR_UNEXPECTED, error.what());
  } catch (...) {
    return fail(HALYARD_ERROR_UNEXPECTED, "an exception of a type of its own");
  }
}

template <class T>
T& given(T* pointer, const char* what) {
  if (pointer) return *pointer;
  throw Error(ErrorCode::kUsage, "a null pointer", what, "pass what the call before it returned");
}

template <class Enum>
Enum checked(int value, Enum last, const char* what) {
  if (value >= 0 && value <= static_cast<int>(last)) return static_cast<Enum>(value);
  throw Error(ErrorCode::kUsage, "there is no " + std::string(what) + " " + std::to_string(value), what,
              "use the names of halyard.h");
}

void evaluate_all(Session& session, std::span<const int32_t> tokens) {
  const uint64_t done = session.evaluate(tokens);
  if (done == tokens.size()) return;
  throw Error(ErrorCode::kCancelled, "cancelled",
              "token " + std::to_string(done) + " of " + std::to_string(tokens.size()),
              "call halyard_clear_cancel before new work");
}

std::vector<int32_t> encode_chat(const Engine& engine, std::span<const halyard_message> messages,
                                 Thinking thinking) {
  std::vector<Message> conversation(messages.size());
  for (size_t i = 0; i < messages.size(); ++i) {
    conversation[i].role = checked(messages[i].role, Role::kTool, "role");
    conversation[i].content = &given(messages[i].content, "the content of a message");
  }
  ChatOptions options;
  options.thinking = thinking;
  options.release = engine.model().release;
  return engine.encode_chat(conversation, options);
}

GenerateOptions generate_options(const halyard_generate_options& from) {
  GenerateOptions options;
  options.sampling.temperature = from.temperature;
  options.sampling.top_k = from.top_k;
  options.sampling.top_p = from.top_p == 0 ? 1.0f : from.top_p;
  options.sampling.min_p = from.min_p;
  options.sampling.seed = from.seed;
  if (from.max_tokens > 0) options.stop.max_tokens = from.max_tokens;
  if (from.n_stop_strings > 0) given(from.stop_strings, "stop_strings");
  for (size_t i = 0; i < from.n_stop_strings; ++i)
    options.stop.stop_strings.emplace_back(&given(from.stop_strings[i], "a stop string"));
  options.form = from.plain_text ? OutputForm::kRaw : OutputForm::kChat;
  return options;
}

}  // namespace
}  // namespace halyard

using namespace halyard;

const char* halyard_last_error(void) {
  return t_error;
}
halyard_code halyard_last_code(void) {
  return t_code;
}
const char* halyard_version(void) {
  return version().data();  // a literal
}

halyard_engine* halyard_open(const halyard_engine_options* options) {
  halyard_engine* opened = nullptr;
  guarded([&] {
    const halyard_engine_options from = options ? *options : halyard_engine_options{};
    EngineOptions to;
    if (from.model_path) to.model_path = from.model_path;
    if (from.backend) to.backend = from.backend;
    to.n_threads = from.n_threads;
    if (from.slice_tokens > 0) to.slice_tokens = from.slice_tokens;
    to.memory_limit_bytes = from.memory_limit_bytes;
    to.cache_rounding = !from.exact_cache;
    opened = new halyard_engine{Engine::open(to)};
  });
  return opened;
}
void halyard_close(halyard_engine* engine) {
  delete engine;
}

halyard_session* halyard_session_new(halyard_engine* engine, uint64_t max_tokens) {
  halyard_session* made = nullptr;
  guarded([&] { made = new halyard_session{given(engine, "engine").engine->new_session(max_tokens)}; });
  return made;
}
void halyard_session_free(halyard_session* session) {
  delete session;
}
uint64_t halyard_session_tokens(const halyard_session* session) {
  return session ? session->session.n_tokens() : 0;
}

halyard_code halyard_evaluate_text(halyard_session* session, const char* text) {
  return guarded([&] {
    Session& on = given(session, "session").session;
    session->thinking = false;
    Engine& engine = on.engine();
    const char* more = &given(text, "text");
    evaluate_all(on,
                 on.n_tokens() == 0 ? engine.encode_text(more) : engine.impl().tokenizer->encode_plain(more));
  });
}

halyard_code halyard_evaluate_chat(halyard_session* session, const halyard_message* messages,
                                   size_t n_messages, int thinking) {
  return guarded([&] {
    Session& on = given(session, "session").session;
    const std::span list(n_messages ? &given(messages, "messages") : nullptr, n_messages);
    const Thinking think = checked(thinking, Thinking::kMax, "thinking");
    const std::vector<int32_t> tokens = encode_chat(on.engine(), list, think);
    const std::vector<int32_t>& held = on.tokens();
    if (held.size() > tokens.size() || !std::equal(held.begin(), held.end(), tokens.begin())) {
      throw Error(ErrorCode::kUsage, "the session holds another text", "the conversation",
                  "make a new session for it");
    }
    session->thinking = think != Thinking::kOff;
    evaluate_all(on, std::span(tokens).subspan(held.size()));
  });
}

halyard_code halyard_generate(halyard_session* session, const halyard_generate_options* options,
                              halyard_reader reader, void* user, halyard_generation* result) {
  return guarded([&] {
    Session& on = given(session, "session").session;
    GenerateOptions with = generate_options(options ? *options : halyard_generate_options{});
    with.starts_in_thinking = session->thinking;
    const Generation made = generate(on, with, [&](const OutputEvent& event) {
      return !reader || reader(user, static_cast<halyard_output>(event.kind), event.text.c_str());
    });
    if (result) *result = {made.n_tokens, static_cast<halyard_stop>(made.reason)};
  });
}

void halyard_cancel(halyard_session* session) {
  if (session) session->session.cancel();
}
void halyard_clear_cancel(halyard_session* session) {
  if (session) session->session.clear_cancel();
}
