#include <algorithm>
#include <cwchar>
#include <memory>

#include "platform/environment.h"
#include "platform/win32.h"

namespace halyard {

std::optional<std::string> environment(const std::string& name) {
  const std::wstring wide_name = win32::wide(name);
  std::wstring buffer(256, L'\0');
  for (;;) {
    // Success with an empty value and failure both return 0; only the error tells them apart.
    ::SetLastError(ERROR_SUCCESS);
    const DWORD length =
        ::GetEnvironmentVariableW(wide_name.c_str(), buffer.data(), static_cast<DWORD>(buffer.size()));
    if (length == 0 && ::GetLastError() != ERROR_SUCCESS) return std::nullopt;
    if (length < buffer.size()) return win32::utf8(std::wstring_view(buffer.data(), length));
    buffer.resize(length);  // the size that is needed, when it did not fit
  }
}

std::vector<std::string> environment_names(std::string_view prefix) {
  const std::unique_ptr<wchar_t, decltype(&::FreeEnvironmentStringsW)> block(::GetEnvironmentStringsW(),
                                                                             ::FreeEnvironmentStringsW);
  std::vector<std::string> names;
  // "name=value" after "name=value", each ended by a zero, and an empty one behind the last.
  for (const wchar_t* entry = block.get(); entry != nullptr && *entry != 0; entry += std::wcslen(entry) + 1) {
    const std::wstring_view text = entry;
    // Names that begin with '=' are the system's own: the current folder of each drive.
    std::wstring name(text.substr(0, text.find(L'=', 1)));
    for (wchar_t& unit : name) {
      if (unit >= L'a' && unit <= L'z') unit = static_cast<wchar_t>(unit - L'a' + L'A');
    }
    std::string utf8 = win32::utf8(name);
    if (utf8.starts_with(prefix)) names.push_back(std::move(utf8));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halyard
