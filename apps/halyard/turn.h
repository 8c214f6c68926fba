// The model's turn on its way to the user.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "halyard/chat.h"
#include "halyard/output.h"

namespace halyard::app {

using Write = std::function<void(std::string_view text)>;

// Shows the turn as it comes. The answer and the calls of tools go to `answer`; the reasoning goes to
// `reasoning`, between lines that say so, which may be the same place, another one, or empty: not shown.
class TurnPrinter {
 public:
  TurnPrinter(Write answer, Write reasoning, bool colour)
      : answer_{std::move(answer)}, reasoning_{std::move(reasoning)}, colour_(colour) {}

  void show(const OutputEvent& event);
  void finish();  // ends what is open, so that the text ends with a newline; may be called twice

 private:
  struct Place {
    Write write;
    bool line_open = false;

    void put(std::string_view text);
    void end_line();
  };

  void begin_reasoning();
  void end_reasoning();

  Place answer_, reasoning_;
  bool colour_;
  bool thinking_ = false;
};

// Keeps the whole turn.
struct TurnText {
  std::string reasoning, content;
  std::vector<ToolCall> calls;
  bool call_cut_short = false;  // the output ended inside the last call

  void add(const OutputEvent& event);
};

}  // namespace halyard::app
