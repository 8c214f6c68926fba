// What the program would run on, and with which options.
#include "commands.h"
#include "devices_report.h"
#include "platform/environment.h"
#include "terminal.h"

namespace halyard::app {

int devices(const DevicesOptions& options, const OutputOptions& output) {
  const MachineReport report{halyard::devices(), memory_facts(), options.settings,
                             unknown_variables(environment_names("HALYARD_"))};
  print(output.json ? devices_json(report) : devices_text(report));
  return kExitOk;
}

}  // namespace halyard::app
