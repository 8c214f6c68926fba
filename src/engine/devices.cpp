#include "halyard/devices.h"

#include <utility>

#include "backend/cpu/instruction_set.h"
#include "engine/gpu_devices.h"
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

}  // namespace

std::vector<DeviceReport> devices() {
  std::vector<DeviceReport> all = {cpu_report()};
  for (const GpuVendor vendor : {GpuVendor::kAmd, GpuVendor::kNvidia}) {
    for (DeviceReport& report : gpu_reports(vendor)) all.push_back(std::move(report));
  }
  return all;
}

}  // namespace halyard
