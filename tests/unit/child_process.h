// What the platform tests need of the system beyond src/platform: a second program, variables to set.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

struct ChildResult {
  int exit_code = 0;    // not 0 when the system ended it
  bool exited = false;  // by itself; on Windows always true
  std::string output;   // what it wrote to standard output
};

// What the child's standard streams are. kPipes: two pipes. kClosedPipe: nobody reads its output. kTerminal:
// a terminal of 100 columns without echo; the input is typed once the child has written "ready".
enum class ChildStreams { kPipes, kClosedPipe, kTerminal };

// Runs platform_child, which lies beside the test program, to its end. `input` is under 4 KiB.
ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input = "",
                      ChildStreams streams = ChildStreams::kPipes);

// In the child of a terminal, first of all: takes it as its standard streams where that is not done yet.
void use_terminal();
// In such a child: Ctrl-C for itself, as the system sends it.
void send_ctrl_c();
// Whether Ctrl-C may be typed. Wine's terminal does not survive it.
bool can_type_ctrl_c();

// A named pipe at `path`; false on systems that keep none among the files.
bool make_fifo(const std::filesystem::path& path);

void set_environment(const std::string& name, const std::string& value);

}  // namespace halyard
