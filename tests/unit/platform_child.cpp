// The program that platform_test starts: its first argument says what to do.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "platform/console.h"
#include "platform/environment.h"
#include "unit/child_process.h"

namespace {

using namespace halyard;
using console::Stream;

void print(const std::string& text) {
  console::write(Stream::kOut, text);
}

// On Windows the handler runs in a thread of its own.
void wait_until(bool (*done)()) {
  for (int ms = 0; ms < 10000 && !done(); ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int flood() {
  const std::string block(64 << 10, 'x');
  for (int i = 0; i < 4096; ++i) {
    if (!console::write(Stream::kOut, block)) return 7;
  }
  return 0;
}

void ctrl_c_twice() {
  console::install_interrupt_handler();
  send_ctrl_c();
  wait_until([] { return console::interrupted(); });
  print(console::interrupted() ? "once\n" : "missed\n");
  send_ctrl_c();
  wait_until([] { return false; });
  print("twice\n");
}

void echo_lines() {
  for (auto line = console::read_line(); line && line != "end"; line = console::read_line()) {
    print("[" + *line + "]");
  }
}

// Ctrl-C comes while a line is awaited, and not in the thread that waits.
void interrupted_read() {
  console::install_interrupt_handler();
  bool got_line = true;
  std::thread([&] {
    print("ready\n");
    got_line = console::read_line().has_value();
  }).join();
  print(console::interrupted() && !got_line ? "interrupted\n" : "missed\n");
}

void stream_facts() {
  print(console::is_terminal(Stream::kOut) ? "terminal" : "no terminal");
  print(console::use_colour(Stream::kOut) ? ", colour" : ", no colour");
  print(", " + std::to_string(console::width(Stream::kOut)));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments = console::utf8_arguments(argc, argv);
  if (arguments.at(1) == "on-terminal") {
    use_terminal();
    arguments.erase(arguments.begin() + 1);
  }
  const std::string task = arguments.at(1);
  if (task == "flood") return flood();
  if (task == "ctrl-c-twice") ctrl_c_twice();
  if (task == "interrupted-read") interrupted_read();
  if (task == "echo-lines") {
    print("ready\n");
    echo_lines();
  }
  if (task == "stream-facts") stream_facts();
  if (task == "environment") print(environment(arguments.at(2)).value_or("(none)"));
  if (task == "arguments") {
    for (size_t i = 2; i < arguments.size(); ++i) print(arguments[i] + "\n");
  }
  if (task == "split") {
    for (const char byte : arguments.at(2)) print(std::string(1, byte));
  }
  return 0;
}
