#include "engine/gpu_devices.h"

#include <fmt/format.h>
#include <memory>

#include "backend/gpu/device_code.h"
#include "backend/gpu/driver.h"
#include "backend/gpu/gpu_device.h"
#include "device/self_test.h"
#include "halyard/error.h"

namespace halyard {
namespace {

DeviceReport report_of(GpuVendor vendor, const Error& error) {
  DeviceReport report;
  report.backend = gpu_backend_name(vendor);
  report.problem = error.problem();
  report.cure = error.fix();
  return report;
}

DeviceMemory memory_of(const PoolReport& pool) {
  return {std::string(pool_name(pool.pool)), pool.driver_total_bytes.value_or(0),
          pool.driver_free_bytes.value_or(0), pool.system_total_bytes.value_or(0),
          pool.system_free_bytes.value_or(0)};
}

// Throws what is wrong with the device; otherwise leaves in the report why it is not used all the same.
void try_device(const std::shared_ptr<const GpuDriver>& driver, int ordinal, DeviceReport& report) {
  const GpuInfo info = driver->device_info(ordinal);
  report.name = info.name;
  report.architecture = info.architecture;
  report.pci_id = info.pci_id;
  const auto refuse = [&](std::string why) {
    throw Error(ErrorCode::kUnsupported, std::move(why), info.name, "run with --backend cpu");
  };
  if (std::string why = gpu_problem(info); !why.empty()) refuse(std::move(why));
  if (!find_device_code(info.architecture)) refuse("this build has no code for " + info.architecture);
  GpuDevice device(driver, ordinal);
  for (const PoolReport& pool : device.facts().pools) {
    if (pool.pool != Pool::kManaged) check_copies(device, pool.pool);  // managed memory was tried before
    report.memory.push_back(memory_of(pool));
  }
  report.problem =
      "found, and its driver works; but this build computes on the CPU: it has no GPU kernels for the model "
      "yet";
}

}  // namespace

std::vector<DeviceReport> gpu_reports(GpuVendor vendor) {
  std::shared_ptr<const GpuDriver> driver;
  int count = 0;
  try {
    driver = GpuDriver::open(vendor);
    count = driver->device_count();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUsage) throw;
    return {report_of(vendor, error)};
  }
  const std::string driver_text = fmt::format("{} ({})", driver->version(), driver->library());
  std::vector<DeviceReport> reports;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    DeviceReport report;
    try {
      try_device(driver, ordinal, report);
    } catch (const Error& error) {
      report.problem = error.problem();
      report.cure = error.fix();
    }
    report.backend = gpu_backend_name(vendor);
    reports.push_back(std::move(report));
  }
  if (reports.empty()) {
    reports.push_back(report_of(vendor, driver->error(kGpuNoDevice, "find a GPU")));
    reports.back().problem = driver->version() + " finds no GPU";
  }
  for (DeviceReport& report : reports) {
    report.driver = driver_text;
    report.note = driver->note();
  }
  return reports;
}

}  // namespace halyard
