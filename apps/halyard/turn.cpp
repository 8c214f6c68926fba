#include "turn.h"

namespace halyard::app {
namespace {

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kNormal = "\x1b[0m";

}  // namespace

void TurnPrinter::Place::put(std::string_view text) {
  if (!write || text.empty()) return;
  write(text);
  line_open = text.back() != '\n';
}

void TurnPrinter::Place::end_line() {
  if (line_open) put("\n");
}

void TurnPrinter::begin_reasoning() {
  if (thinking_) return;
  thinking_ = true;
  if (colour_) reasoning_.put(kDim);
  reasoning_.put("[thinking]\n");
}

void TurnPrinter::end_reasoning() {
  if (!thinking_) return;
  thinking_ = false;
  reasoning_.end_line();
  reasoning_.put("[/thinking]");
  if (colour_) reasoning_.put(kNormal);
  reasoning_.put("\n");
}

void TurnPrinter::show(const OutputEvent& event) {
  if (event.kind == OutputKind::kReasoning) {
    begin_reasoning();
    reasoning_.put(event.text);
    return;
  }
  end_reasoning();
  switch (event.kind) {
    case OutputKind::kReasoning:
      break;
    case OutputKind::kContent:
    case OutputKind::kCallArguments:
      answer_.put(event.text);
      break;
    case OutputKind::kCallBegin:
      answer_.end_line();
      answer_.put("[call] " + event.text + " ");
      break;
    case OutputKind::kCallEnd:
      answer_.end_line();
      break;
    case OutputKind::kCallCutShort:
      answer_.end_line();
      answer_.put("[call cut short] " + event.text + "\n");
      break;
  }
}

void TurnPrinter::finish() {
  end_reasoning();
  answer_.end_line();
}

void TurnText::add(const OutputEvent& event) {
  switch (event.kind) {
    case OutputKind::kReasoning:
      reasoning += event.text;
      break;
    case OutputKind::kContent:
      content += event.text;
      break;
    case OutputKind::kCallBegin:
      calls.push_back({.id = "", .name = event.text, .arguments = ""});
      break;
    case OutputKind::kCallArguments:
      if (!calls.empty()) calls.back().arguments += event.text;
      break;
    case OutputKind::kCallEnd:
      break;
    case OutputKind::kCallCutShort:
      call_cut_short = true;
      break;
  }
}

}  // namespace halyard::app
