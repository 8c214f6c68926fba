// What the program would run on, and with which options.
#include "commands.h"
#include "devices_report.h"
#include "terminal.h"

namespace halyard::app {

int devices(const DevicesOptions& options, const OutputOptions& output) {
  const MachineReport report{halyard::devices(), memory_facts(), options.settings};
  print(output.json ? devices_json(report) : devices_text(report));
  return kExitOk;
}

}  // namespace halyard::app
