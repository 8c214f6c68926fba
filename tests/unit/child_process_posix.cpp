#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "platform/paths.h"
#include "unit/child_process.h"

namespace halyard {
namespace {

struct Ends {
  int child_in, child_out;    // the child's
  int parent_in, parent_out;  // where its input is written and its output read
};

Ends make_pipes() {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {in[0], out[1], in[1], out[0]};
}

Ends make_terminal() {
  const int outside = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (outside < 0 || ::grantpt(outside) != 0 || ::unlockpt(outside) != 0)
    throw std::runtime_error("no terminal");
  const int inside = ::open(::ptsname(outside), O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (inside < 0) throw std::runtime_error("no terminal");
  winsize size{};
  size.ws_col = 100;
  size.ws_row = 40;
  ::ioctl(inside, TIOCSWINSZ, &size);
  termios mode{};
  ::tcgetattr(inside, &mode);
  mode.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(inside, TCSANOW, &mode);
  return {inside, ::dup(inside), outside, ::dup(outside)};
}

pid_t start(const std::vector<std::string>& arguments, const Ends& ends, bool terminal) {
  const std::string program = executable_path().parent_path() / "platform_child";
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child > 0) return child;
  if (terminal) {
    ::setsid();
    ::ioctl(ends.child_in, TIOCSCTTY, 0);
  }
  ::dup2(ends.child_in, STDIN_FILENO);
  ::dup2(ends.child_out, STDOUT_FILENO);
  ::close(ends.parent_in);
  ::close(ends.parent_out);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

void send(int fd, std::string_view input) {
  if (::write(fd, input.data(), input.size()) < 0) throw std::runtime_error("the child reads nothing");
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input,
                      ChildStreams streams) {
  const bool terminal = streams == ChildStreams::kTerminal;
  const Ends ends = terminal ? make_terminal() : make_pipes();
  if (streams == ChildStreams::kClosedPipe) ::close(ends.parent_out);
  const pid_t child = start(arguments, ends, terminal);
  ::close(ends.child_in);
  ::close(ends.child_out);
  if (!terminal) {
    send(ends.parent_in, input);
    ::close(ends.parent_in);
  }

  ChildResult result;
  bool sent = !terminal;
  std::array<char, 4096> buffer;
  for (ssize_t got; streams != ChildStreams::kClosedPipe &&
                    (got = ::read(ends.parent_out, buffer.data(), buffer.size())) > 0;) {
    result.output.append(buffer.data(), static_cast<size_t>(got));
    if (!sent && result.output.find("ready") != std::string::npos) {
      send(ends.parent_in, input);
      sent = true;
    }
  }
  if (streams != ChildStreams::kClosedPipe) ::close(ends.parent_out);
  if (terminal) ::close(ends.parent_in);

  int status = 0;
  ::waitpid(child, &status, 0);
  result.exited = WIFEXITED(status);
  result.exit_code = result.exited ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void use_terminal() {}  // done by run_child
void send_ctrl_c() {
  ::kill(::getpid(), SIGINT);
}
bool can_type_ctrl_c() {
  return true;
}

bool make_fifo(const std::filesystem::path& path) {
  return ::mkfifo(path.c_str(), 0600) == 0;
}

void set_environment(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace halyard
