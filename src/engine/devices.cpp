#include "halyard/devices.h"

#include "backend/cpu/instruction_set.h"
#include "platform/cpu_features.h"

namespace halyard {
namespace {

DeviceReport cpu_report() {
  DeviceReport report;
  report.backend = "cpu";
  report.usable = true;
  report.name = cpu_features().brand;
  report.n_cores = usable_cores();
  report.instructions = cpu_features().names();
  const InstructionSet best = usable_instruction_sets().back();
  for (const InstructionSet set : all_instruction_sets())
    report.kernel_sets.push_back(
        {std::string(instruction_set_name(set)), missing_instructions(set), set == best});
  return report;
}

DeviceReport gpu_report(const char* backend) {
  DeviceReport report;
  report.backend = backend;
  report.problem = "this build has no GPU backend";
  return report;
}

}  // namespace

std::vector<DeviceReport> devices() {
  return {cpu_report(), gpu_report("hip"), gpu_report("cuda")};
}

}  // namespace halyard
