// For the *_win32.cpp files only: <windows.h> without its surprises, what it leaves out, and text both ways.
#pragma once
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
// clang-format off: the others need <windows.h> before them
#include <windows.h>
#include <psapi.h>
#include <shellapi.h>
#include <winioctl.h>
// clang-format on

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::win32 {

// UTF-8 to UTF-16 and back. What is broken becomes U+FFFD. Throws kUsage for a text of 2 GiB or more.
std::wstring wide(std::string_view utf8);
std::string utf8(std::wstring_view wide);

std::string error_text(DWORD code);  // "Access is denied." in the user's language
inline std::string last_error_text() {
  return error_text(::GetLastError());
}

inline HANDLE as_handle(intptr_t value) {
  return reinterpret_cast<HANDLE>(value);
}

}  // namespace halyard::win32
