#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

#include "halyard/error.h"
#include "platform/console.h"
#include "platform/console_text.h"
#include "platform/environment.h"

namespace halyard::console {
namespace {

int descriptor(Stream stream) {
  switch (stream) {
    case Stream::kIn:
      return STDIN_FILENO;
    case Stream::kOut:
      return STDOUT_FILENO;
    case Stream::kErr:
      break;
  }
  return STDERR_FILENO;
}

std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");
int g_wake_pipe[2] = {-1, -1};  // the handler writes a byte: a read that waits must end, in whatever thread

void on_interrupt(int) {
  if (g_interrupted.exchange(true)) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  const int saved = errno;
  [[maybe_unused]] const ssize_t put = ::write(g_wake_pipe[1], "", 1);
  errno = saved;
}

size_t read_input(std::span<char> out) {
  while (!interrupted()) {
    pollfd ready[] = {{STDIN_FILENO, POLLIN, 0}, {g_wake_pipe[0], POLLIN, 0}};  // poll skips a -1
    if (::poll(ready, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return 0;
    }
    if (ready[0].revents == 0) continue;
    const ssize_t got = ::read(STDIN_FILENO, out.data(), out.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
  return 0;
}

}  // namespace

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  return {argv, argv + argc};
}

bool is_terminal(Stream stream) {
  return ::isatty(descriptor(stream)) == 1;
}

unsigned width(Stream stream) {
  winsize size{};
  if (::ioctl(descriptor(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool use_colour(Stream stream) {
  if (!is_terminal(stream) || !environment("NO_COLOR").value_or("").empty()) return false;
  return environment("TERM").value_or("dumb") != "dumb";
}

bool write(Stream stream, std::string_view utf8) {
  // A closed pipe is an answer of write(), not a reason to die.
  static const bool ignored = std::signal(SIGPIPE, SIG_IGN) != SIG_ERR;
  if (!ignored) return false;
  const int fd = descriptor(stream);
  while (!utf8.empty()) {
    const ssize_t put = ::write(fd, utf8.data(), utf8.size());
    if (put >= 0) {
      utf8.remove_prefix(static_cast<size_t>(put));
    } else if (errno == EAGAIN) {  // somebody made the descriptor non-blocking
      pollfd ready{fd, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> read_line() {
  static LineReader lines(read_input);
  std::optional<std::string> line = lines.next();
  return interrupted() ? std::nullopt : line;
}

void install_interrupt_handler() {
  if (g_wake_pipe[0] < 0 && ::pipe2(g_wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Error(ErrorCode::kIo, "no pipe: " + std::generic_category().message(errno), "the handler of Ctrl-C",
                "raise the limit of open files (ulimit -n)");
  }
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

bool interrupted() {
  return g_interrupted;
}

void clear_interrupt() {
  g_interrupted = false;
  std::array<char, 64> bytes;
  while (::read(g_wake_pipe[0], bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace halyard::console
