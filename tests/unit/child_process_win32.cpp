#include <array>
#include <stdexcept>

#include "platform/paths.h"
#include "platform/win32.h"
#include "unit/child_process.h"

namespace halyard {
namespace {

struct Pipe {
  Pipe() {
    SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    if (!::CreatePipe(&read_end, &write_end, &inheritable, 0)) throw std::runtime_error("no pipe");
  }
  HANDLE read_end, write_end;
};

void keep_from_child(HANDLE handle) {
  ::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
}

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

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, std::string_view input, ChildOutput output) {
  std::wstring command = quoted(executable_path().parent_path() / L"platform_child.exe");
  for (const std::string& a : arguments) command += L' ' + quoted(win32::wide(a));

  const Pipe in, out;
  keep_from_child(in.write_end);
  keep_from_child(out.read_end);
  if (output == ChildOutput::kClosed) ::CloseHandle(out.read_end);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = in.read_end;
  start.hStdOutput = out.write_end;
  start.hStdError = ::GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION child{};
  if (!::CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start,
                        &child)) {
    throw std::runtime_error("no process: " + win32::last_error_text());
  }
  ::CloseHandle(in.read_end);
  ::CloseHandle(out.write_end);
  DWORD moved = 0;
  ::WriteFile(in.write_end, input.data(), static_cast<DWORD>(input.size()), &moved, nullptr);
  ::CloseHandle(in.write_end);

  ChildResult result;
  if (output == ChildOutput::kRead) {
    std::array<char, 4096> buffer;
    while (::ReadFile(out.read_end, buffer.data(), static_cast<DWORD>(buffer.size()), &moved, nullptr) &&
           moved > 0) {
      result.output.append(buffer.data(), moved);
    }
    ::CloseHandle(out.read_end);
  }
  ::WaitForSingleObject(child.hProcess, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(child.hProcess, &code);
  ::CloseHandle(child.hProcess);
  ::CloseHandle(child.hThread);
  result.exited = true;
  result.exit_code = static_cast<int>(code);
  return result;
}

void set_environment(const std::string& name, const std::string& value) {
  ::SetEnvironmentVariableW(win32::wide(name).c_str(), win32::wide(value).c_str());
}

}  // namespace halyard
