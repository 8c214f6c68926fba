#include "text/output_parser.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "text/held_suffix.h"
#include "text/json_text.h"
#include "text/protocol.h"

namespace halyard {
namespace {

// Inside pending text this byte, which UTF-8 never uses, is the special token ｜DSML｜.
constexpr char kDsml = '\xff';
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::string_view kWhiteSpace = " \t\r\n";

constexpr std::string_view kBlockOpen =
    "<\xff"
    "tool_calls>";
constexpr std::string_view kBlockClose =
    "</\xff"
    "tool_calls>";
constexpr std::string_view kCallOpen =
    "<\xff"
    "invoke name=\"";
constexpr std::string_view kCallClose =
    "</\xff"
    "invoke>";
constexpr std::string_view kArgumentOpen =
    "<\xff"
    "parameter name=\"";
constexpr std::string_view kArgumentClose =
    "</\xff"
    "parameter>";
constexpr std::string_view kTagEnd = "\">";

// A closing tag inside a raw value, escaped; the model may spell its ｜DSML｜ with ordinary tokens.
constexpr std::array<std::string_view, 2> kEscapedClose = {
    "&lt;/\xff"
    "parameter>",
    "&lt;/｜DSML｜parameter>"};
constexpr std::array kValueStops = {kArgumentClose, kCallClose, kEscapedClose[0], kEscapedClose[1]};

enum class Match { kYes, kNo, kMore };  // kMore: all of the text fits, and it is too short to tell

Match take_literal(std::string_view& rest, std::string_view expected) {
  if (rest.starts_with(expected)) {
    rest.remove_prefix(expected.size());
    return Match::kYes;
  }
  return expected.starts_with(rest) ? Match::kMore : Match::kNo;
}

Match take_attribute(std::string_view& rest, std::string& value) {
  const size_t end = rest.find(kTagEnd);
  const size_t bad = rest.substr(0, end).find_first_of("\n\xff");
  if (bad != std::string_view::npos) return Match::kNo;
  if (end == std::string_view::npos) return Match::kMore;
  value = rest.substr(0, end);
  rest.remove_prefix(end + kTagEnd.size());
  return Match::kYes;
}

void skip_white_space(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kWhiteSpace), rest.size()));
}

// The beginning of a block counts only with that of its first call: text about the markup is text.
Match take_block_start(std::string_view& rest, std::string& call_name) {
  if (const Match block = take_literal(rest, kBlockOpen); block != Match::kYes) return block;
  skip_white_space(rest);
  if (const Match call = take_literal(rest, kCallOpen); call != Match::kYes) return call;
  return take_attribute(rest, call_name);
}

struct Tag {
  enum Kind { kOpensArgument, kOpensCall, kClosesCall, kClosesBlock } kind = kClosesBlock;
  std::string name;
};

Match take_tag(std::string_view& rest, bool in_call, Tag& tag) {
  struct Candidate {
    std::string_view text;
    Tag::Kind kind;
    bool only_in_call, has_name;
  };
  static constexpr std::array kTags = {Candidate{kArgumentOpen, Tag::kOpensArgument, true, true},
                                       Candidate{kCallClose, Tag::kClosesCall, true, false},
                                       Candidate{kCallOpen, Tag::kOpensCall, false, true},
                                       Candidate{kBlockClose, Tag::kClosesBlock, false, false}};
  Match result = Match::kNo;
  for (const Candidate& candidate : kTags) {
    if (candidate.only_in_call && !in_call) continue;
    const Match match = take_literal(rest, candidate.text);
    if (match == Match::kMore) result = Match::kMore;
    if (match != Match::kYes) continue;
    tag.kind = candidate.kind;
    return candidate.has_name ? take_attribute(rest, tag.name) : Match::kYes;
  }
  return result;
}

size_t newlines_at_end(std::string_view text, size_t at_most) {
  size_t n = 0;
  while (n < at_most && n < text.size() && text[text.size() - 1 - n] == '\n') ++n;
  return n;
}

std::string with_literal_dsml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == kDsml)
      out += kDsmlMarker;
    else
      out += c;
  }
  return out;
}

std::string unescaped(std::string_view value) {
  std::string out = with_literal_dsml(value);
  const std::string_view escaped = kEscapedClose[1];
  for (size_t at = out.find(escaped); at != std::string::npos; at = out.find(escaped, at + 1))
    out.erase(at, std::string_view("&lt").size())[at] = '<';
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  append_json_escaped(out, text);
  return out += '"';
}

std::string_view trimmed(std::string_view text) {
  skip_white_space(text);
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

}  // namespace

OutputParser::OutputParser(bool start_in_thinking)
    : state_(start_in_thinking ? State::kThinking : State::kContent) {}

void OutputParser::feed_token(std::string_view text, bool is_special, std::vector<OutputEvent>& out) {
  accept(std::exchange(spelt_, {}), false);
  accept(text, is_special);
  deliver(out);
}

void OutputParser::feed(std::string_view text, std::vector<OutputEvent>& out) {
  static constexpr std::array kMarkers = {kThinkMarker, kEndThinkMarker, kDsmlMarker};
  spelt_ += text;
  for (size_t i = 0; i < spelt_.size();) {
    const std::string_view rest = std::string_view(spelt_).substr(i);
    const auto marker = std::find_if(kMarkers.begin(), kMarkers.end(),
                                     [&](std::string_view candidate) { return rest.starts_with(candidate); });
    if (marker == kMarkers.end()) {
      ++i;
      continue;
    }
    accept(spelt_.substr(0, i), false);
    accept(*marker, true);
    spelt_.erase(0, i + marker->size());
    i = 0;
  }
  const size_t ready = spelt_.size() - held_suffix(spelt_, kMarkers);
  accept(spelt_.substr(0, ready), false);
  spelt_.erase(0, ready);
  deliver(out);
}

void OutputParser::accept(std::string_view text, bool is_special) {
  if (is_special && (text == kThinkMarker || text == kEndThinkMarker)) {
    accept_think_marker(text == kThinkMarker);
  } else if (is_special && text == kDsmlMarker) {
    pending_ += kDsml;
  } else {
    for (const char c : text) {
      if (c == kDsml)
        pending_ += kReplacement;
      else
        pending_ += c;
    }
  }
  read_pending();
}

void OutputParser::accept_think_marker(bool opens) {
  if (state_ == State::kStringValue || state_ == State::kJsonValue) {
    pending_ += opens ? kThinkMarker : kEndThinkMarker;
  } else if (state_ == State::kThinking || state_ == State::kContent) {
    emit_text(std::exchange(pending_, {}));
    settle_doubt(OutputKind::kReasoning);
    state_ = opens ? State::kThinking : State::kContent;
  }
}

void OutputParser::read_pending() {
  bool more = true;
  while (more) {
    switch (state_) {
      case State::kThinking:
      case State::kContent:
        more = read_text();
        break;
      case State::kBetweenCalls:
      case State::kInCall:
        more = read_between_tags();
        break;
      case State::kStringValue:
        more = read_string_value();
        break;
      case State::kJsonValue:
        more = read_json_value();
        break;
    }
  }
}

bool OutputParser::read_text() {
  static constexpr std::array<std::string_view, 3> kBeforeBlock = {"\n\n<\xff", "\n<\xff", "<\xff"};
  const size_t dsml = pending_.find(kDsml);
  if (dsml == std::string::npos) {
    const size_t ready = pending_.size() - held_suffix(pending_, kBeforeBlock);
    emit_text(std::string_view(pending_).substr(0, ready));
    pending_.erase(0, ready);
    return false;
  }
  const bool begins_tag = dsml > 0 && pending_[dsml - 1] == '<';
  if (begins_tag) {
    size_t before = dsml - 1;
    std::string_view rest = std::string_view(pending_).substr(before);
    std::string name;
    const Match match = take_block_start(rest, name);
    if (match != Match::kNo) before -= newlines_at_end(std::string_view(pending_).substr(0, before), 2);
    emit_text(std::string_view(pending_).substr(0, before));
    if (match == Match::kYes) {
      pending_ = std::string(rest);
      settle_doubt(OutputKind::kReasoning);
      begin_call(name);
      return true;
    }
    pending_.erase(0, before);
    if (match == Match::kMore) return false;
    doubting_ = state_ == State::kThinking;
  }
  const size_t end = pending_.find(kDsml) + 1;
  emit_text(std::string_view(pending_).substr(0, end));
  pending_.erase(0, end);
  return true;
}

bool OutputParser::read_between_tags() {
  if (!stray_) pending_.erase(0, pending_.find_first_not_of(kWhiteSpace));
  if (pending_.empty()) return false;
  std::string_view rest = pending_;
  Tag tag;
  const Match match = take_tag(rest, state_ == State::kInCall, tag);
  if (match == Match::kMore) return false;
  if (match == Match::kNo) {
    const size_t end = std::min(pending_.find('<', 1), pending_.size());
    stray_ = true;
    emit(OutputKind::kContent, with_literal_dsml(pending_.substr(0, end)));
    pending_.erase(0, end);
    return true;
  }
  pending_ = std::string(rest);
  stray_ = false;
  if (tag.kind == Tag::kOpensArgument) {
    constexpr std::string_view kIsString = "\" string=\"true", kIsJson = "\" string=\"false";
    std::string_view key = tag.name;
    const bool is_string = key.ends_with(kIsString);
    if (is_string || key.ends_with(kIsJson)) key.remove_suffix(is_string ? kIsString.size() : kIsJson.size());
    begin_argument(key, is_string);
    return true;
  }
  if (state_ == State::kInCall) end_call();
  if (tag.kind == Tag::kOpensCall) begin_call(tag.name);
  if (tag.kind == Tag::kClosesBlock) state_ = State::kContent;
  return true;
}

bool OutputParser::read_string_value() {
  const size_t close = pending_.find(kArgumentClose, searched_);
  if (close != std::string::npos) {
    end_value(close);
    pending_.erase(0, kArgumentClose.size());
    return true;
  }
  // The end of the call inside a value: a missing closing tag, or a text about calls. The rest will tell.
  const size_t call_close = pending_.find(kCallClose);
  const size_t ready =
      call_close != std::string::npos ? call_close : pending_.size() - held_suffix(pending_, kValueStops);
  std::string text;
  append_json_escaped(text, unescaped(std::string_view(pending_).substr(0, ready)));
  emit(OutputKind::kCallArguments, text);
  pending_.erase(0, ready);
  searched_ = pending_.size() - std::min(pending_.size(), kArgumentClose.size() - 1);
  return false;
}

bool OutputParser::read_json_value() {
  const size_t close = pending_.find(kArgumentClose, searched_);
  if (close == std::string::npos) {
    searched_ = pending_.size() - std::min(pending_.size(), kArgumentClose.size() - 1);
    return false;
  }
  end_value(close);
  pending_.erase(0, kArgumentClose.size());
  return true;
}

void OutputParser::end_value(size_t length) {
  const std::string_view value = std::string_view(pending_).substr(0, length);
  if (state_ == State::kStringValue) {
    std::string text;
    append_json_escaped(text, unescaped(value));
    emit(OutputKind::kCallArguments, text + '"');
  } else {
    const std::string text = with_literal_dsml(value);
    emit(OutputKind::kCallArguments, is_json(text) ? std::string(trimmed(text)) : json_string(text));
  }
  pending_.erase(0, length);
  state_ = State::kInCall;
}

void OutputParser::begin_call(std::string_view name) {
  events_.push_back({OutputKind::kCallBegin, std::string(name)});
  has_arguments_ = false;
  state_ = State::kInCall;
}

void OutputParser::begin_argument(std::string_view key, bool is_string) {
  std::string text = (has_arguments_ ? ", " : "{") + json_string(key) + ": ";
  if (is_string) text += '"';
  emit(OutputKind::kCallArguments, text);
  has_arguments_ = true;
  searched_ = 0;
  state_ = is_string ? State::kStringValue : State::kJsonValue;
}

void OutputParser::end_call() {
  emit(OutputKind::kCallArguments, has_arguments_ ? "}" : "{}");
  events_.push_back({OutputKind::kCallEnd, ""});
  state_ = State::kBetweenCalls;
}

void OutputParser::cut_call_short() {
  emit(OutputKind::kCallArguments, has_arguments_ ? "}" : "{}");
  emit(OutputKind::kCallCutShort, "the output ended inside this tool call; its arguments may be incomplete");
}

void OutputParser::finish(std::vector<OutputEvent>& out) {
  accept(std::exchange(spelt_, {}), false);
  while (state_ == State::kStringValue || state_ == State::kJsonValue) {
    end_value(std::min(pending_.find(kCallClose), pending_.size()));
    read_pending();
  }
  if (state_ == State::kThinking && pending_.find(kDsml) != std::string::npos) doubting_ = true;
  if (state_ == State::kInCall || state_ == State::kBetweenCalls)
    emit(OutputKind::kContent, with_literal_dsml(pending_));
  else
    emit_text(pending_);
  pending_.clear();
  settle_doubt(OutputKind::kContent);
  if (state_ == State::kInCall) cut_call_short();
  deliver(out);
}

void OutputParser::emit(OutputKind kind, std::string_view text) {
  if (!text.empty()) events_.push_back({kind, std::string(text)});
}

void OutputParser::emit_text(std::string_view text) {
  if (doubting_)
    doubtful_ += with_literal_dsml(text);
  else
    emit(state_ == State::kThinking ? OutputKind::kReasoning : OutputKind::kContent, with_literal_dsml(text));
}

void OutputParser::settle_doubt(OutputKind kind) {
  emit(kind, std::exchange(doubtful_, {}));
  doubting_ = false;
}

void OutputParser::deliver(std::vector<OutputEvent>& out) {
  out.insert(out.end(), std::make_move_iterator(events_.begin()), std::make_move_iterator(events_.end()));
  events_.clear();
}

}  // namespace halyard
