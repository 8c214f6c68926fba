// What `halyard devices` says.
#pragma once
#include <string>
#include <vector>

#include "halyard/devices.h"
#include "options.h"
#include "platform/memory.h"

namespace halyard::app {

struct MachineReport {
  std::vector<DeviceReport> devices;
  MemoryFacts memory;
  std::vector<Setting> settings;
};

std::string devices_text(const MachineReport& report);
std::string devices_json(const MachineReport& report);

}  // namespace halyard::app
