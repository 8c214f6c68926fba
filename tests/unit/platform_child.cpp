// The program that platform_test starts: its first argument says what to do.
#include <csignal>
#include <string>

#include "platform/console.h"
#include "platform/environment.h"

namespace {

using namespace halyard;
using console::Stream;

void print(const std::string& text) {
  console::write(Stream::kOut, text);
}

int flood() {
  const std::string block(64 << 10, 'x');
  for (int i = 0; i < 4096; ++i) {
    if (!console::write(Stream::kOut, block)) return 7;
  }
  return 0;
}

int interrupt_twice() {
  console::install_interrupt_handler();
  std::raise(SIGINT);
  print("once\n");
  std::raise(SIGINT);
  print("twice\n");
  return 0;
}

void echo_lines() {
  while (const auto line = console::read_line()) print("[" + *line + "]");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments = console::utf8_arguments(argc, argv);
  const std::string task = arguments.at(1);
  if (task == "flood") return flood();
  if (task == "interrupt-twice") return interrupt_twice();
  if (task == "echo-lines") echo_lines();
  if (task == "environment") print(environment(arguments.at(2)).value_or("(none)"));
  if (task == "arguments") {
    for (size_t i = 2; i < arguments.size(); ++i) print(arguments[i] + "\n");
  }
  if (task == "split") {
    for (const char byte : arguments.at(2)) print(std::string(1, byte));
  }
  if (task == "stream-facts") {
    print(console::is_terminal(Stream::kOut) ? "terminal" : "no terminal");
    print(console::use_colour(Stream::kOut) ? ", colour" : ", no colour");
    print(", " + std::to_string(console::width(Stream::kOut)));
  }
  return 0;
}
