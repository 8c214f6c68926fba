// Generation: tokens from a session, as events of the chat protocol.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "halyard/engine.h"
#include "halyard/output.h"
#include "halyard/sampling.h"

namespace halyard {

enum class StopReason {
  kEndOfTurn,  // the model said so
  kStopString,
  kMaxTokens,
  kContextFull,  // the session has no room for more
  kCancelled,    // the caller said stop, or Session::cancel()
};

struct Generation {
  uint64_t n_tokens = 0;  // sampled, the end-of-turn token included
  StopReason reason = StopReason::kMaxTokens;
};

// How the output is read. kChat: reasoning, content and tool calls. kRaw: all text is content, special tokens
// that people do not see left out.
enum class OutputForm { kChat, kRaw };

struct GenerateOptions {
  SamplingOptions sampling;
  StopOptions stop;
  OutputForm form = OutputForm::kChat;
  bool starts_in_thinking = false;  // kChat: the prompt ended with the think marker
};

// Called with each event as it comes; false stops.
using OutputReader = std::function<bool(const OutputEvent&)>;

// Continues `session` (at least one token evaluated) token by token; every sampled token is evaluated, but
// the one that ends the turn. Text comes in whole characters. Stop strings are looked for in the content.
// `keep_going`, where given, is asked before each token; false stops. Both functions are called on this
// thread and must not evaluate the session. Throws kUsage for options out of range or a session without
// tokens, and what Session::evaluate throws.
Generation generate(Session& session, const GenerateOptions& options, const OutputReader& read,
                    const std::function<bool()>& keep_going = {});

}  // namespace halyard
