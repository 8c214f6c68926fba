#include "platform/library.h"
#include "platform/win32.h"

namespace halyard {

void* open_library(LibraryNames names) {
  // A driver that misses a DLL of its own must not open a dialog box.
  DWORD old_mode = 0;
  ::SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &old_mode);
  HMODULE library = nullptr;
  for (const char* name : names) {
    library = ::LoadLibraryExW(win32::wide(name).c_str(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
    if (library) break;
  }
  ::SetThreadErrorMode(old_mode, nullptr);
  return library;
}

void* find_symbol(void* library, const char* exported_name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), exported_name));
}

}  // namespace halyard
