// The text of a token stream: tokens may end inside a character, so bytes wait here until it is complete.
#pragma once
#include <string>
#include <string_view>

namespace halyard {

// Turns bytes that come in any portions into valid UTF-8. The same bytes give the same text however they are
// portioned. What can never become valid is replaced by U+FFFD, one for each longest well-formed beginning of
// a character, or each single byte that begins none (Unicode 15, section 3.9). One object a stream; not
// thread-safe.
class Utf8Stream {
 public:
  // The text that is complete now. The beginning of an unfinished character is kept for the next call.
  std::string feed(std::string_view bytes);

  // At the end of the stream: U+FFFD when a character was left unfinished, else nothing. Ready for another
  // stream.
  std::string flush();

 private:
  std::string unfinished_;  // at most 3 bytes
};

}  // namespace halyard
