#include "halyard/generate.h"

#include "engine/impl.h"
#include "text/output_parser.h"
#include "text/stop_strings.h"
#include "text/utf8_stream.h"

namespace halyard {
namespace {

// From tokens to events that may be shown: characters completed, protocol parsed, stop strings cut off.
class OutputPipeline {
 public:
  OutputPipeline(const Tokenizer& tokenizer, const GenerateOptions& options, const OutputReader& read)
      : tokenizer_(tokenizer),
        chat_(options.form == OutputForm::kChat),
        parser_(options.starts_in_thinking),
        stop_(options.stop.stop_strings),
        read_(read) {}

  // False when the caller said stop or a stop string has come.
  bool accept(int32_t token) {
    const TokenType type = tokenizer_.type_of(token);
    const bool special = type == TokenType::kControl || type == TokenType::kUserDefined;
    std::vector<OutputEvent> events;
    if (!special) {
      pass_text(text_.feed(tokenizer_.bytes_of(token)), false, events);
    } else {
      pass_text(text_.flush(), false, events);
      // Control tokens are for the parser; without it nobody sees them.
      if (chat_ || type == TokenType::kUserDefined)
        pass_text(std::string(tokenizer_.bytes_of(token)), true, events);
    }
    return deliver(events);
  }

  void finish() {
    std::vector<OutputEvent> events;
    pass_text(text_.flush(), false, events);
    if (chat_) parser_.finish(events);
    if (!deliver(events) || stop_.stopped()) return;
    std::string rest;
    stop_.finish(rest);
    if (!rest.empty()) read_({OutputKind::kContent, rest});
  }

  bool stopped_by_string() const { return stop_.stopped(); }

 private:
  void pass_text(const std::string& text, bool special, std::vector<OutputEvent>& events) {
    if (text.empty()) return;
    if (chat_) {
      parser_.feed_token(text, special, events);
    } else {
      events.push_back({OutputKind::kContent, text});
    }
  }

  // Content goes through the stop strings; anything else first lets out what they hold back.
  bool deliver(const std::vector<OutputEvent>& events) {
    for (const OutputEvent& event : events) {
      if (stop_.stopped()) return false;
      OutputEvent shown = event;
      if (event.kind == OutputKind::kContent) {
        shown.text.clear();
        stop_.feed(event.text, shown.text);
        if (shown.text.empty()) continue;
      }
      if (!read_(shown)) return false;
    }
    return !stop_.stopped();
  }

  const Tokenizer& tokenizer_;
  const bool chat_;
  Utf8Stream text_;
  OutputParser parser_;
  StopStrings stop_;
  const OutputReader& read_;
};

}  // namespace

Generation generate(Session& session, const GenerateOptions& options, const OutputReader& read,
                    const std::function<bool()>& keep_going) {
  if (session.logits().empty()) {
    throw Error(ErrorCode::kUsage, "nothing to continue", "the session has no tokens",
                "evaluate a prompt first");
  }
  const Tokenizer& tokenizer = *session.engine().impl().tokenizer;
  Sampler sampler(options.sampling);
  OutputPipeline output(tokenizer, options, read);
  Generation result;
  while (result.n_tokens < options.stop.max_tokens) {
    if (session.n_tokens() == session.max_tokens()) {
      result.reason = StopReason::kContextFull;
      break;
    }
    if (session.cancelled() || (keep_going && !keep_going())) {
      result.reason = StopReason::kCancelled;
      break;
    }
    const int32_t token = sampler.sample(session.logits());
    ++result.n_tokens;
    if (tokenizer.eos() && token == *tokenizer.eos()) {
      result.reason = StopReason::kEndOfTurn;
      break;
    }
    const bool more = output.accept(token);
    session.impl().append(token);
    if (!more) {
      result.reason = output.stopped_by_string() ? StopReason::kStopString : StopReason::kCancelled;
      break;
    }
  }
  output.finish();
  return result;
}

}  // namespace halyard
