#include "halyard/error.h"
#include "platform/environment.h"
#include "platform/paths.h"
#include "platform/win32.h"

namespace halyard {

std::filesystem::path path_from_utf8(std::string_view utf8) {
  return std::filesystem::path(win32::wide(utf8));
}

std::string utf8_from_path(const std::filesystem::path& path) {
  return win32::utf8(path.native());
}

std::filesystem::path executable_path() {
  std::wstring buffer(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length = ::GetModuleFileNameW(nullptr, buffer.data(), static_cast<DWORD>(buffer.size()));
    if (length == 0) {
      throw Error(ErrorCode::kIo, "cannot find the running program: " + win32::last_error_text(),
                  "GetModuleFileName", "start it by its full path");
    }
    if (length < buffer.size()) return std::filesystem::path(buffer.substr(0, length));
    buffer.resize(buffer.size() * 2);  // a full buffer means that the path was cut
  }
}

std::filesystem::path user_cache_directory() {
  const std::filesystem::path local = path_from_utf8(environment("LOCALAPPDATA").value_or(""));
  if (local.is_absolute()) return local / "halyard";
  throw Error(ErrorCode::kNotFound, "there is no folder for caches", "LOCALAPPDATA",
              "set LOCALAPPDATA to your AppData\\Local folder");
}

}  // namespace halyard
