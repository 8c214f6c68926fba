// What the platform tests need of the system beyond src/platform: a second program, variables to set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

struct ChildResult {
  int exit_code = 0;    // not 0 when the system ended it
  bool exited = false;  // by itself; on Windows always true
  std::string output;   // what it wrote to standard output
};

enum class ChildOutput { kRead, kClosed };  // kClosed: standard output is a pipe that nobody reads

// Runs platform_child, which lies beside the test program, to its end. Its standard input is `input`, which is
// under 4 KiB.
ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input = "",
                      ChildOutput output = ChildOutput::kRead);

void set_environment(const std::string& name, const std::string& value);

}  // namespace halyard
