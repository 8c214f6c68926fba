// Memory that may fault when it is touched: what drivers map into the process.
#pragma once
#include <cstddef>
#include <span>

namespace halyard {

// Copies as the processor does, but where an access would end the process they return false; some bytes may
// have been copied then. False too when the system lacks what it takes. Slow. Any thread.
bool read_guarded(std::span<std::byte> out, const void* from);
bool write_guarded(void* to, std::span<const std::byte> bytes);

}  // namespace halyard
