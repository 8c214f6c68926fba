// A turn of the model, which must mean the same however it is cut into pieces.
// Input: 1 byte, odd when the turn begins in its reasoning; 4 bytes that choose the cuts; then the turn.
#include "text/output_parser.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "text/protocol.h"
#include "text/utf8_stream.h"

namespace halyard {
namespace {

using fuzz::require;

struct Token {
  std::string_view text;
  bool is_special;
};

// Collects events, and checks their order and that the arguments of each call are JSON.
class Turn {
 public:
  explicit Turn(bool thinking) : parser_(thinking) {}

  void feed(std::string_view text) { parser_.feed(text, events_); }
  void feed_token(const Token& token) { parser_.feed_token(token.text, token.is_special, events_); }

  // What the turn means: neighbours of one kind as one text.
  std::string meaning() {
    parser_.finish(events_);
    std::string text;
    for (size_t i = 0; i < events_.size(); ++i) {
      const OutputKind kind = events_[i].kind;
      const bool goes_on = i > 0 && events_[i - 1].kind == kind && kind != OutputKind::kCallBegin;
      if (!goes_on) text.append("\n").append(std::to_string(static_cast<int>(kind))).append(" ");
      text += events_[i].text;
      follow(events_[i]);
    }
    require(!in_call_, "a call without an end");
    return text;
  }

 private:
  void follow(const OutputEvent& event) {
    switch (event.kind) {
      case OutputKind::kReasoning:
      case OutputKind::kContent:
        break;
      case OutputKind::kCallBegin:
        require(!in_call_, "a call inside a call");
        in_call_ = true;
        arguments_.clear();
        break;
      case OutputKind::kCallArguments:
        require(in_call_, "arguments outside a call");
        arguments_ += event.text;
        break;
      case OutputKind::kCallEnd:
      case OutputKind::kCallCutShort:
        require(in_call_, "the end of no call");
        require(nlohmann::json::accept(arguments_), "arguments that are no JSON");
        in_call_ = false;
        break;
    }
  }

  OutputParser parser_;
  std::vector<OutputEvent> events_;
  bool in_call_ = false;
  std::string arguments_;
};

// The markers in `text` as tokens of their own, special or spelt, and what is between them.
template <class IsSpecial>
std::vector<Token> tokens_of(std::string_view text, IsSpecial is_special) {
  static constexpr std::array kMarkers = {kThinkMarker, kEndThinkMarker, kDsmlMarker};
  std::vector<Token> tokens;
  size_t plain = 0;
  for (size_t at = 0; at < text.size();) {
    const auto marker = std::find_if(kMarkers.begin(), kMarkers.end(), [&](std::string_view candidate) {
      return text.substr(at).starts_with(candidate);
    });
    if (marker == kMarkers.end()) {
      ++at;
      continue;
    }
    tokens.push_back({text.substr(plain, at - plain), false});
    tokens.push_back({*marker, is_special()});
    plain = at += marker->size();
  }
  tokens.push_back({text.substr(plain), false});
  return tokens;
}

void check_text(bool thinking, std::string_view text, std::minstd_rand& random) {
  Turn whole(thinking), cut(thinking), in_tokens(thinking);
  whole.feed(text);
  const std::string meaning = whole.meaning();
  for (const std::string_view piece : fuzz::random_pieces(text, random)) cut.feed(piece);
  require(cut.meaning() == meaning, "the cuts of the text change the turn");
  for (const Token& token : tokens_of(text, [] { return true; })) in_tokens.feed_token(token);
  require(in_tokens.meaning() == meaning, "as tokens the text is another turn");
}

void check_tokens(bool thinking, std::string_view text, std::minstd_rand& random) {
  Turn whole(thinking), cut(thinking);
  for (const Token& token : tokens_of(text, [&] { return random() % 8 != 0; })) {
    whole.feed_token(token);
    if (token.is_special) {
      cut.feed_token(token);
    } else {
      for (const std::string_view piece : fuzz::random_pieces(token.text, random))
        cut.feed_token({piece, false});
    }
  }
  require(cut.meaning() == whole.meaning(), "the cuts of the tokens change the turn");
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  fuzz::Input input(data, size);
  const bool thinking = input.number(1) % 2 != 0;
  std::minstd_rand random(static_cast<uint32_t>(input.number(4)));
  Utf8Stream stream;  // the parser never sees other text
  const std::string text = stream.feed(input.rest()) + stream.flush();
  check_text(thinking, text, random);
  check_tokens(thinking, text, random);
  return 0;
}
