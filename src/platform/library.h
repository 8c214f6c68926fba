// Shared libraries that may be absent: GPU drivers.
#pragma once
#include <span>
#include <string>

namespace halyard {

using LibraryNames = std::span<const char* const>;

// Tries the names in turn (UTF-8; a plain name or an absolute path); null when none opens, and then `why`, if
// given, is what the system says of the last one ("NAME: cannot open ..." where it is absent). On Windows a
// plain name is looked for in System32 only, so that a DLL beside the program or the model cannot take its
// place; what a library given by path needs itself is looked for beside it too. What was opened stays for the
// life of the process: drivers do not survive being unloaded.
void* open_library(LibraryNames names, std::string* why = nullptr);

// The address of an exported function or object of `library` (from open_library); null when it has none such.
void* find_symbol(void* library, const char* exported_name);

}  // namespace halyard
