// This machine's own memory as devices and planner see it: where the backends of the processor keep all they
// have.
#pragma once
#include <string>

#include "device/device.h"
#include "platform/memory.h"

namespace halyard {

System this_system();

// One pool, host-pinned, as the system reports it now, and the processor's name. Integrated: the pool is the
// memory of system and desktop too.
DeviceFacts this_host_facts();
// The same from given facts; zeros in them mean that the system does not say.
DeviceFacts host_facts(const MemoryFacts& memory, System system, std::string name);

}  // namespace halyard
