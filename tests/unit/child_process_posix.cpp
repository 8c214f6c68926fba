#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/paths.h"
#include "unit/child_process.h"

namespace halyard {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end, write_end;
};

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input, ChildOutput output) {
  const std::string program = executable_path().parent_path() / "platform_child";
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);

  const Pipe in, out;
  if (output == ChildOutput::kClosed) ::close(out.read_end);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::dup2(in.read_end, STDIN_FILENO);
    ::dup2(out.write_end, STDOUT_FILENO);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(in.read_end);
  ::close(out.write_end);
  if (::write(in.write_end, input.data(), input.size()) < 0)
    throw std::runtime_error("the child reads nothing");
  ::close(in.write_end);

  ChildResult result;
  if (output == ChildOutput::kRead) {
    std::array<char, 4096> buffer;
    for (ssize_t got; (got = ::read(out.read_end, buffer.data(), buffer.size())) > 0;) {
      result.output.append(buffer.data(), static_cast<size_t>(got));
    }
    ::close(out.read_end);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  result.exited = WIFEXITED(status);
  result.exit_code = result.exited ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void set_environment(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace halyard
