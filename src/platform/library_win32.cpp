#include <filesystem>

#include "platform/library.h"
#include "platform/win32.h"

namespace halyard {

void* open_library(LibraryNames names, std::string* why) {
  // A driver that misses a DLL of its own must not open a dialog box.
  DWORD old_mode = 0;
  ::SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &old_mode);
  HMODULE library = nullptr;
  for (const char* name : names) {
    DWORD where = LOAD_LIBRARY_SEARCH_SYSTEM32;
    // The system refuses this flag for a plain name.
    if (std::filesystem::path(win32::wide(name)).is_absolute()) where |= LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR;
    library = ::LoadLibraryExW(win32::wide(name).c_str(), nullptr, where);
    if (library) break;
    if (why) *why = std::string(name) + ": cannot open: " + win32::last_error_text();
  }
  ::SetThreadErrorMode(old_mode, nullptr);
  return library;
}

void* find_symbol(void* library, const char* exported_name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), exported_name));
}

}  // namespace halyard
