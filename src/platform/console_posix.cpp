#include <atomic>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

// True to try again: after a signal, or when a descriptor that somebody made non-blocking is ready.
bool wait_for(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd ready{fd, events, 0};
  return ::poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

void on_interrupt(int) {
  if (!g_interrupted.exchange(true)) return;
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

size_t read_input(std::span<char> out) {
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, out.data(), out.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (interrupted() || !wait_for(STDIN_FILENO, POLLIN)) return 0;
  }
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
    } else if (!wait_for(fd, POLLOUT)) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> read_line() {
  static LineReader lines(read_input);
  return lines.next();
}

void install_interrupt_handler() {
  // Without SA_RESTART, so that Ctrl-C wakes a read_line() that waits.
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
}

bool interrupted() {
  return g_interrupted;
}
void clear_interrupt() {
  g_interrupted = false;
}

}  // namespace halyard::console
