#include "halyard/inspect.h"

#include "commands.h"
#include "terminal.h"

namespace halyard::app {

int inspect(const InspectOptions& options, const OutputOptions& output) {
  const Inspection inspection = inspect_file(options.file);
  const std::string& report = output.json ? inspection.json : inspection.text;
  print(report);
  if (!report.ends_with('\n')) print("\n");
  return inspection.sound ? kExitOk : kExitFailure;
}

}  // namespace halyard::app
