#define NTDDI_VERSION 0x0A000006  // Windows 10 1809, which brought CreatePseudoConsole
#include <array>
#include <stdexcept>
#include <thread>

#include "platform/paths.h"
#include "platform/win32.h"
#include "unit/child_process.h"

namespace halyard {
namespace {

struct Pipe {
  explicit Pipe(bool inheritable) {
    SECURITY_ATTRIBUTES attributes{sizeof(SECURITY_ATTRIBUTES), nullptr, inheritable};
    if (!::CreatePipe(&read_end, &write_end, &attributes, 0)) throw std::runtime_error("no pipe");
  }
  HANDLE read_end, write_end;
};

// As CommandLineToArgvW undoes it: backslashes double before a quote, and nowhere else.
std::wstring quoted(const std::wstring& argument) {
  std::wstring out = L"\"";
  size_t n_backslashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'"') out.append(n_backslashes + 1, L'\\');
    n_backslashes = c == L'\\' ? n_backslashes + 1 : 0;
    out += c;
  }
  return out.append(n_backslashes, L'\\') + L'"';
}

HANDLE start(const std::vector<std::string>& arguments, STARTUPINFOEXW& info, bool inherit) {
  std::wstring command = quoted(executable_path().parent_path() / L"platform_child.exe");
  for (const std::string& a : arguments) command += L' ' + quoted(win32::wide(a));
  info.StartupInfo.cb = sizeof info;
  info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  PROCESS_INFORMATION child{};
  if (!::CreateProcessW(nullptr, command.data(), nullptr, nullptr, inherit, EXTENDED_STARTUPINFO_PRESENT,
                        nullptr, nullptr, &info.StartupInfo, &child)) {
    throw std::runtime_error("no process: " + win32::last_error_text());
  }
  ::CloseHandle(child.hThread);
  return child.hProcess;
}

HANDLE start_with_pipes(const std::vector<std::string>& arguments, const Pipe& in, const Pipe& out) {
  ::SetHandleInformation(in.write_end, HANDLE_FLAG_INHERIT, 0);
  ::SetHandleInformation(out.read_end, HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOEXW info{};
  info.StartupInfo.hStdInput = in.read_end;
  info.StartupInfo.hStdOutput = out.write_end;
  info.StartupInfo.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
  return start(arguments, info, true);
}

HANDLE start_on_terminal(const std::vector<std::string>& arguments, HPCON terminal) {
  SIZE_T size_bytes = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size_bytes);
  std::vector<std::byte> list(size_bytes);
  STARTUPINFOEXW info{};
  info.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(list.data());
  ::InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &size_bytes);
  ::UpdateProcThreadAttribute(info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, terminal,
                              sizeof terminal, nullptr, nullptr);
  return start(arguments, info, false);
}

void send(HANDLE to, std::string_view input) {
  DWORD moved = 0;
  ::WriteFile(to, input.data(), static_cast<DWORD>(input.size()), &moved, nullptr);
}

// The next piece of output; empty at its end.
std::string receive(HANDLE from) {
  std::array<char, 4096> buffer;
  DWORD got = 0;
  ::ReadFile(from, buffer.data(), static_cast<DWORD>(buffer.size()), &got, nullptr);
  return std::string(buffer.data(), got);
}

ChildResult wait_for(HANDLE child, std::string output) {
  ::WaitForSingleObject(child, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(child, &code);
  ::CloseHandle(child);
  return {static_cast<int>(code), true, std::move(output)};
}

ChildResult run_on_terminal(const std::vector<std::string>& arguments, std::string_view input) {
  const Pipe in(false), out(false);
  HPCON terminal = nullptr;
  if (::CreatePseudoConsole({100, 40}, in.read_end, out.write_end, 0, &terminal) != S_OK) {
    throw std::runtime_error("no terminal");
  }
  const HANDLE child = start_on_terminal(arguments, terminal);
  ::CloseHandle(in.read_end);
  ::CloseHandle(out.write_end);
  // The output ends when the terminal is closed, and somebody must read it until then.
  std::thread closer([&] {
    ::WaitForSingleObject(child, INFINITE);
    ::ClosePseudoConsole(terminal);
  });
  std::string output;
  bool sent = false;
  for (std::string piece = receive(out.read_end); !piece.empty(); piece = receive(out.read_end)) {
    output += piece;
    if (!sent && output.find("ready") != std::string::npos) {
      send(in.write_end, input);
      sent = true;
    }
  }
  closer.join();
  ::CloseHandle(in.write_end);
  ::CloseHandle(out.read_end);
  return wait_for(child, std::move(output));
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input,
                      ChildStreams streams) {
  if (streams == ChildStreams::kTerminal) return run_on_terminal(arguments, input);
  const Pipe in(true), out(true);
  if (streams == ChildStreams::kClosedPipe) ::CloseHandle(out.read_end);
  const HANDLE child = start_with_pipes(arguments, in, out);
  ::CloseHandle(in.read_end);
  ::CloseHandle(out.write_end);
  send(in.write_end, input);
  ::CloseHandle(in.write_end);
  std::string output;
  if (streams == ChildStreams::kPipes) {
    for (std::string piece = receive(out.read_end); !piece.empty(); piece = receive(out.read_end))
      output += piece;
    ::CloseHandle(out.read_end);
  }
  return wait_for(child, std::move(output));
}

void use_terminal() {
  const auto open = [](const wchar_t* name) {
    return ::CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                         OPEN_EXISTING, 0, nullptr);
  };
  const HANDLE in = open(L"CONIN$");
  ::SetStdHandle(STD_INPUT_HANDLE, in);
  ::SetStdHandle(STD_OUTPUT_HANDLE, open(L"CONOUT$"));
  DWORD mode = 0;
  ::GetConsoleMode(in, &mode);
  ::SetConsoleMode(in, mode & ~DWORD{ENABLE_ECHO_INPUT});
}

void send_ctrl_c() {
  ::GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
}

bool can_type_ctrl_c() {
  const HMODULE ntdll = ::GetModuleHandleW(L"ntdll.dll");
  return ntdll && !::GetProcAddress(ntdll, "wine_get_version");
}

bool make_fifo(const std::filesystem::path&) {
  return false;
}

void set_environment(const std::string& name, const std::string& value) {
  ::SetEnvironmentVariableW(win32::wide(name).c_str(), win32::wide(value).c_str());
}

}  // namespace halyard
