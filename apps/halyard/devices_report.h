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
  std::vector<std::string> unknown_variables;
};

// Of the names of environment variables those that set no option.
std::vector<std::string> unknown_variables(const std::vector<std::string>& names);

std::string devices_text(const MachineReport& report);
std::string devices_json(const MachineReport& report);

}  // namespace halyard::app
