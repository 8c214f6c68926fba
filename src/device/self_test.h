// What drivers say they can and cannot do, tried with a few bytes before a model relies on it.
#pragma once
#include <string>

#include "device/device.h"

namespace halyard {

// Copies to a block of the pool, in one piece and as rows with gaps between them, at odd offsets and sizes,
// and compares what comes back. Throws kDevice with the pool and the first wrong byte, and what the device
// throws.
void check_copies(Device& device, Pool pool);

// Tries managed memory from both sides. Empty: it works; otherwise why it does not. Throws nothing but what
// releasing could.
std::string managed_memory_problem(Device& device);

// Where to put what processor and device both touch: managed memory if it works from both sides, otherwise
// the first of host-pinned, shared and dedicated memory that the device has (with copies, then). Throws
// kUnsupported for a device without any.
Pool pool_for_both_sides(Device& device);

}  // namespace halyard
