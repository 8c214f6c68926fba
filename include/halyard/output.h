// What a model's turn consists of, as it is streamed.
#pragma once
#include <string>

namespace halyard {

enum class OutputKind {
  kReasoning,      // text: more of the reasoning
  kContent,        // text: more of the answer
  kCallBegin,      // text: the function's name
  kCallArguments,  // text: more of the call's arguments; together they are the JSON text of one object
  kCallEnd,        // text is empty; the call is complete
  kCallCutShort,   // in place of kCallEnd: the output ended inside the call; text says so to the user
};

struct OutputEvent {
  OutputKind kind;
  std::string text;  // UTF-8, whole characters when the input came in whole characters
};

}  // namespace halyard
