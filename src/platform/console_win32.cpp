#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include "platform/console.h"
#include "platform/console_text.h"
#include "platform/environment.h"
#include "platform/win32.h"

namespace halyard::console {
namespace {

HANDLE stream_handle(Stream stream) {
  switch (stream) {
    case Stream::kIn:
      return ::GetStdHandle(STD_INPUT_HANDLE);
    case Stream::kOut:
      return ::GetStdHandle(STD_OUTPUT_HANDLE);
    case Stream::kErr:
      break;
  }
  return ::GetStdHandle(STD_ERROR_HANDLE);
}

bool is_console(HANDLE handle) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle, &mode) != 0;
}

bool write_bytes(HANDLE handle, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD put = 0;
    const DWORD want = static_cast<DWORD>(std::min(bytes.size(), size_t{1} << 20));
    if (!::WriteFile(handle, bytes.data(), want, &put, nullptr) || put == 0) return false;
    bytes.remove_prefix(put);
  }
  return true;
}

bool is_high_surrogate(wchar_t unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}

// Old consoles refuse more than 64 KiB at once.
bool write_console(HANDLE handle, std::wstring_view text) {
  constexpr size_t kMaxUnits = 8192;
  while (!text.empty()) {
    size_t n_units = std::min(text.size(), kMaxUnits);
    if (n_units < text.size() && is_high_surrogate(text[n_units - 1])) --n_units;
    DWORD put = 0;
    if (!::WriteConsoleW(handle, text.data(), static_cast<DWORD>(n_units), &put, nullptr) || put == 0)
      return false;
    text.remove_prefix(put);
  }
  return true;
}

std::atomic<bool> g_interrupted = false;

// The C runtime calls this in a thread of its own and forgets the handler each time.
void on_interrupt(int signal) {
  if (g_interrupted.exchange(true)) {
    constexpr UINT kStatusControlCExit = 0xC000013A;
    ::TerminateProcess(::GetCurrentProcess(), kStatusControlCExit);
  }
  std::signal(signal, on_interrupt);
}

size_t read_input(std::span<char> out) {
  DWORD got = 0;
  // A closed pipe is the end of the input.
  const DWORD want = static_cast<DWORD>(out.size());
  return ::ReadFile(stream_handle(Stream::kIn), out.data(), want, &got, nullptr) ? got : 0;
}

// Ctrl-C ends the read before the handler's thread has set the flag: give that thread a moment.
void wait_for_interrupt_flag() {
  for (int ms = 0; ms < 1000 && !interrupted(); ++ms) ::Sleep(1);
}

std::optional<std::string> read_console_line(HANDLE handle) {
  constexpr wchar_t kCtrlZ = 0x1a;
  std::wstring line;
  while (!line.ends_with(L'\n')) {
    std::array<wchar_t, 4096> buffer;
    DWORD got = 0;
    ::SetLastError(ERROR_SUCCESS);
    if (!::ReadConsoleW(handle, buffer.data(), static_cast<DWORD>(buffer.size()), &got, nullptr)) break;
    if (got == 0) {
      if (::GetLastError() == ERROR_OPERATION_ABORTED) wait_for_interrupt_flag();
      return std::nullopt;
    }
    line.append(buffer.data(), got);
  }
  if (line.empty() || line.front() == kCtrlZ) return std::nullopt;
  while (line.ends_with(L'\n') || line.ends_with(L'\r')) line.pop_back();
  return win32::utf8(line);
}

}  // namespace

std::vector<std::string> utf8_arguments(int argc, char** argv) {
  int n_arguments = 0;
  wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &n_arguments);
  if (!wide) return {argv, argv + argc};
  std::vector<std::string> arguments;
  for (int i = 0; i < n_arguments; ++i) arguments.push_back(win32::utf8(wide[i]));
  ::LocalFree(wide);
  return arguments;
}

bool is_terminal(Stream stream) {
  return is_console(stream_handle(stream));
}

unsigned width(Stream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!::GetConsoleScreenBufferInfo(stream_handle(stream), &info)) return 80;
  return static_cast<unsigned>(std::max(1, info.srWindow.Right - info.srWindow.Left + 1));
}

bool use_colour(Stream stream) {
  const HANDLE handle = stream_handle(stream);
  DWORD mode = 0;
  if (!::GetConsoleMode(handle, &mode) || !environment("NO_COLOR").value_or("").empty()) return false;
  return ::SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool write(Stream stream, std::string_view utf8) {
  const HANDLE handle = stream_handle(stream);
  if (!is_console(handle)) return write_bytes(handle, utf8);
  static std::mutex mutex;
  static std::array<Utf8Carry, 3> carries;
  const std::lock_guard lock(mutex);
  return write_console(handle, win32::wide(carries[static_cast<size_t>(stream)].join(utf8)));
}

std::optional<std::string> read_line() {
  if (interrupted()) return std::nullopt;
  const HANDLE handle = stream_handle(Stream::kIn);
  static LineReader lines(read_input);
  std::optional<std::string> line = is_console(handle) ? read_console_line(handle) : lines.next();
  return interrupted() ? std::nullopt : line;
}

void install_interrupt_handler() {
  std::signal(SIGINT, on_interrupt);
}
bool interrupted() {
  return g_interrupted;
}
void clear_interrupt() {
  g_interrupted = false;
}

}  // namespace halyard::console
