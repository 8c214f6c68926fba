#include <dlfcn.h>

#include "platform/library.h"

namespace halyard {

void* open_library(LibraryNames names, std::string* why) {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    const char* reason = ::dlerror();
    if (why && reason) *why = reason;
  }
  return nullptr;
}

void* find_symbol(void* library, const char* exported_name) {
  return ::dlsym(library, exported_name);
}

}  // namespace halyard
