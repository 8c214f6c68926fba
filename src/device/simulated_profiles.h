// Machines by name, for `halyard plan --simulate` and tests. Sizes are those that people reported.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "device/simulated_device.h"

namespace halyard {

std::vector<std::string> simulated_machines();  // all names; "strix-halo-96" is the first

// Throw kUsage with all names for another one.
SimulatedDeviceOptions simulated_options(std::string_view machine);
DeviceFacts simulated_facts(std::string_view machine);

}  // namespace halyard
