// Open a model, make a session, evaluate tokens. Start here to use Halyard from a program; examples/hello is
// a whole one.
//
//   auto engine = halyard::Engine::open({.model_path = "model.gguf"});
//   auto session = engine->new_session(4096);
//   session.evaluate(engine->encode_chat({{halyard::Role::kUser, "Hello!"}}, {}));
//   halyard::generate(session, {}, [](const halyard::OutputEvent& event) { ...; return true; });
//
// All errors are halyard::Error (halyard/error.h), or std::bad_alloc; what the caller's own functions throw
// comes through. Strings are UTF-8, sizes are bytes, places in a sequence are tokens.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halyard/chat.h"
#include "halyard/error.h"
#include "halyard/load.h"

namespace halyard {

// How the weights come into the memory that the processor computes from.
enum class LoadMode {
  kMap,   // pages of the file, read when they are first touched: starts at once, shares memory with other
          // programs
  kCopy,  // read as a whole into memory of our own: nothing is read from the disk later
};

struct EngineOptions {
  std::string model_path;        // UTF-8; empty: the built-in tiny model
  std::string backend = "auto";  // auto, hip, cuda, cpu, reference
  unsigned n_threads = 0;        // host threads; 0: one a core
  bool cache_rounding = true;    // round the KV cache as the official model does (FP8, FP4)
  // Most tokens evaluated at once; a multiple of 128, at most 16384. Engine::options() says what became of
  // it: smaller where only that fits the memory.
  uint32_t slice_tokens = 512;
  uint64_t memory_limit_bytes = 0;  // plan for this much memory; 0: what the system has
  // Tokens of the longest session to come: what it needs is planned for before anything is loaded. 0: not
  // known.
  uint64_t context_tokens = 0;
  LoadMode load = LoadMode::kMap;  // of backends that compute in host memory
  // Expected SHA-256 of each file of the model, 64 hexadecimal digits; none: not checked. Reads all of the
  // file.
  std::vector<std::string> sha256;
  LoadWatcher load_watcher;  // called while weights are copied or checked
};

struct ModelInfo {
  std::string name;     // general.name, or the file's name
  std::string source;   // path, or "built-in"
  std::string formats;  // tensor formats by bytes, largest first: "IQ2_XXS, Q8_0, Q2_K, F16, F32"
  uint64_t file_bytes = 0;
  uint64_t context_tokens = 0;  // that the model was trained for; 0: the file does not say
  uint32_t vocab = 0;
  uint32_t n_layers = 0;
  uint64_t weight_bytes = 0;
  uint64_t bytes_per_token = 0;       // weights read to decode one token
  Release release = Release::kFirst;  // guessed from the names; see ChatOptions
};

class Session;

// One model on one backend. Kept alive by its sessions. Any thread may call any member; sessions of one
// engine may be used from a thread each and take turns on its backend, a slice at a time.
class Engine : public std::enable_shared_from_this<Engine> {
 public:
  // Reads the directory, checks it, plans what lives where, and makes the weights ready. Throws kNotFound,
  // kBadFile (another SHA-256 too), kUnsupported (another architecture, shape, format or backend),
  // kOutOfMemory with the bytes needed and there and the cure, and kCancelled when load_watcher said so.
  static std::shared_ptr<Engine> open(const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const EngineOptions& options() const;
  const ModelInfo& model() const;
  std::string_view backend_name() const;

  // A conversation as tokens, from BOS to where the next answer begins. Text in messages never becomes a
  // special token. Throws kUsage for a conversation that the protocol cannot say, and for tools or a schema
  // that are not JSON.
  std::vector<int32_t> encode_chat(const std::vector<Message>& messages, const ChatOptions& options) const;
  // BOS and then plain text, to be continued.
  std::vector<int32_t> encode_text(std::string_view text) const;
  // The bytes of a token, for as long as the engine lives: may end inside a UTF-8 sequence. Throws kUsage for
  // a token outside the vocabulary.
  std::string_view token_bytes(int32_t token) const;
  std::optional<int32_t> end_of_turn() const;  // none: the model never says that its turn is over

  // A sequence of up to max_tokens tokens (1 to 2^32). Throws kOutOfMemory with the bytes needed and the
  // bytes there.
  Session new_session(uint64_t max_tokens);
  // The most tokens of one session that fit this machine's memory (or the limit), up to what the model was
  // trained for. Throws kOutOfMemory where not even a short one fits.
  uint64_t largest_context() const;
  // What new_session would take, in bytes.
  uint64_t session_bytes(uint64_t max_tokens) const;

  struct Impl;
  Impl& impl() { return *impl_; }  // for the library's own files

 private:
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Called after each slice with the tokens done and all of this call; false stops there.
using Progress = std::function<bool(uint64_t done, uint64_t total)>;
// Called for each token with its place in the call and the logits [vocab] that follow it.
using LogitsReader = std::function<void(uint64_t index, std::span<const float> logits)>;

// The evaluated tokens of one sequence, with the model's memory of them. Move-only. One thread at a time, but
// for cancel() and cancelled(). One that was moved from may only be assigned to or destroyed.
class Session {
 public:
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  Engine& engine() const;
  uint64_t n_tokens() const;
  uint64_t max_tokens() const;
  const std::vector<int32_t>& tokens() const;
  uint64_t cache_bytes() const;       // what the session holds
  uint64_t used_cache_bytes() const;  // of that, the KV rows that its tokens fill

  // Evaluates tokens behind those already there, in slices that end at absolute multiples of slice_tokens, so
  // that a sequence sees the same schedule however it is handed over. Returns how many were evaluated: fewer
  // than given only when `progress` said stop or the session was cancelled. Throws kUsage for a token outside
  // the vocabulary or a context that would not fit, before anything is evaluated; after an error of the
  // backend the session is empty.
  uint64_t evaluate(std::span<const int32_t> tokens, const Progress& progress = {});
  // The same, reading the logits after every token.
  uint64_t evaluate(std::span<const int32_t> tokens, const LogitsReader& read, const Progress& progress = {});

  // Logits [vocab] after the last evaluated token; empty before the first. Valid until the next evaluate().
  std::span<const float> logits() const;

  // Stops the session from any thread: evaluate() returns after the running slice, generate() before the next
  // token, and what was evaluated stays. The session remains cancelled until clear_cancel(): later calls
  // return at once, so that a cancel between two calls is never lost, nor one that comes as a call ends.
  // Whoever starts new work on the session clears it first. The session must not be moved or destroyed
  // meanwhile.
  void cancel() noexcept;
  bool cancelled() const noexcept;  // any thread
  void clear_cancel() noexcept;

  // A second session at the same place, not cancelled. Throws kOutOfMemory.
  Session fork() const;

  struct Impl;
  Impl& impl() { return *impl_; }  // for the library's own files

 private:
  friend class Engine;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Bytes a second that `n_threads` threads (0: one a core) read from memory: the limit of decoding. Takes
// about a second and 512 MiB, less where memory is short.
double measure_read_bandwidth(unsigned n_threads);

}  // namespace halyard
