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

}  // namespace halyard
