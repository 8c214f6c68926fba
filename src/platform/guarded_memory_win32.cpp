#include "platform/guarded_memory.h"
#include "platform/win32.h"

namespace halyard {

// What debuggers use, on this process itself: they fail where an access would.
bool read_guarded(std::span<std::byte> out, const void* from) {
  SIZE_T copied = 0;
  return ::ReadProcessMemory(::GetCurrentProcess(), from, out.data(), out.size(), &copied) != 0 &&
         copied == out.size();
}

bool write_guarded(void* to, std::span<const std::byte> bytes) {
  SIZE_T copied = 0;
  return ::WriteProcessMemory(::GetCurrentProcess(), to, bytes.data(), bytes.size(), &copied) != 0 &&
         copied == bytes.size();
}

}  // namespace halyard
