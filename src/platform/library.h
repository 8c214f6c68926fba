// Shared libraries that may be absent: GPU drivers.
#pragma once
#include <span>

namespace halyard {

using LibraryNames = std::span<const char* const>;

// Tries the names in turn (UTF-8; a plain name or an absolute path); null when none opens. On Windows a plain
// name is looked for in System32 only, so that a DLL beside the program or the model cannot take its place.
// What was opened stays for the life of the process: drivers do not survive being unloaded.
void* open_library(LibraryNames names);

// The address of an exported function or object of `library` (from open_library); null when it has none such.
void* find_symbol(void* library, const char* exported_name);

}  // namespace halyard
