// The model's output, token by token, as reasoning, content and tool calls. Spec: chat.md, "Rendering a
// conversation" (tool call). One parser for every front end: streamed or not, with tools or without.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "halyard/output.h"

namespace halyard {

// Feed a turn's output in order, then finish() once; events are appended to `out`. How the output is cut into
// pieces changes how the texts are cut, never what they are together. Nothing is lost but the markup: what
// does not fit the protocol comes out as content.
//
// - `</think>` ends the reasoning, `<think>` begins more of it. As tokens they are never text, except in an
// argument.
// - A tool call block ends unclosed reasoning when its first call's name is complete. Markup that only begins
// like a
//   block stays text; when the output ends in it inside the reasoning, it is content, so that the turn is not
//   empty.
// - The blank line before a block belongs to the block.
// - Inside a block the parser goes on after stray text (which is content) and after missing closing tags.
// - An argument marked string="false" that is no JSON is passed on as a JSON string.
//
// Bytes that are not UTF-8 (0xFF) come out as U+FFFD; the decoder lets none through.
class OutputParser {
 public:
  explicit OutputParser(bool start_in_thinking);  // true when the prompt ended with <think>

  // The text of one token. Only a special token (is_special, judged by its id) is protocol: the same
  // characters spelt in ordinary tokens are text.
  void feed_token(std::string_view text, bool is_special, std::vector<OutputEvent>& out);

  // For text whose tokens are not known: the three markers count wherever they are spelt, also across calls.
  void feed(std::string_view text, std::vector<OutputEvent>& out);

  void finish(std::vector<OutputEvent>& out);

 private:
  enum class State { kThinking, kContent, kBetweenCalls, kInCall, kStringValue, kJsonValue };

  void accept(std::string_view text, bool is_special);
  void accept_think_marker(bool opens);
  void read_pending();

  // Each takes what it understands from the front of pending_; false when it needs more input to go on.
  bool read_text();
  bool read_between_tags();
  bool read_string_value();
  bool read_json_value();

  void end_value(size_t length);  // pending_[0, length) is the rest of the open argument
  void begin_call(std::string_view name);
  void begin_argument(std::string_view key, bool is_string);
  void end_call();
  void cut_call_short();
  void emit(OutputKind kind, std::string_view text);
  void emit_text(std::string_view text);
  void settle_doubt(OutputKind kind);
  void deliver(std::vector<OutputEvent>& out);

  State state_;
  std::string spelt_;    // feed() only: an end that may become a marker
  std::string pending_;  // not understood yet; the byte 0xFF stands for the special token ｜DSML｜
  size_t searched_ = 0;  // no closing tag of an argument begins before this byte of pending_
  bool doubting_ = false;
  std::string doubtful_;  // reasoning from a malformed block on, until </think> or the end decides what it is
  bool stray_ = false;    // in stray text between tags, where white space counts
  bool has_arguments_ = false;  // of the open call
  std::vector<OutputEvent> events_;
};

}  // namespace halyard
