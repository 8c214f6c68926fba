#include "devices_report.h"

#include <algorithm>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "settings.h"

namespace halyard::app {
namespace {

using Json = nlohmann::ordered_json;

std::string gib(uint64_t bytes) {
  return bytes == 0 ? "unknown" : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / 0x1p30);
}

std::string state_of(const KernelSet& set) {
  if (set.used) return "used";
  if (set.missing.empty()) return "can run, but there is a better one";
  return fmt::format("cannot run: no {}", fmt::join(set.missing, ", "));
}

std::string device_text(const DeviceReport& device) {
  if (!device.usable) return fmt::format("{:<10} not usable: {}\n", device.backend, device.problem);
  std::string text =
      fmt::format("{:<10} {}\n", device.backend, device.name.empty() ? "unknown" : device.name);
  if (device.n_cores != 0) text += fmt::format("  cores    {} usable\n", device.n_cores);
  if (!device.kernel_sets.empty())
    text += fmt::format("  has      {}\n", device.instructions.empty()
                                               ? "no vector extension that kernels are built for"
                                               : fmt::format("{}", fmt::join(device.instructions, " ")));
  for (const KernelSet& set : device.kernel_sets)
    text += fmt::format("  kernels  {:<9} {}\n", set.name, state_of(set));
  return text;
}

std::string source_text(const Setting& setting) {
  if (setting.source != "environment") return setting.source;
  return "environment variable " + setting.variable;
}

Json device_json(const DeviceReport& device) {
  Json json = {{"backend", device.backend}, {"usable", device.usable}};
  if (!device.usable) {
    json["problem"] = device.problem;
    return json;
  }
  json["name"] = device.name;
  json["cores"] = device.n_cores;
  json["instructions"] = device.instructions;
  json["kernel_sets"] = Json::array();
  for (const KernelSet& set : device.kernel_sets)
    json["kernel_sets"].push_back({{"name", set.name}, {"used", set.used}, {"missing", set.missing}});
  return json;
}

}  // namespace

std::vector<std::string> unknown_variables(const std::vector<std::string>& names) {
  std::vector<std::string> unknown;
  for (const std::string& name : names) {
    const auto settings = model_settings();
    const bool is_known = std::any_of(settings.begin(), settings.end(),
                                      [&](const ModelSetting& setting) { return setting.variable == name; });
    if (!is_known) unknown.push_back(name);
  }
  return unknown;
}

std::string devices_text(const MachineReport& report) {
  std::string text;
  for (const DeviceReport& device : report.devices) text += device_text(device);
  const MemoryFacts& memory = report.memory;
  text += fmt::format("\nmemory     {}, available {}, commit limit {}\n", gib(memory.total_bytes),
                      gib(memory.available_bytes),
                      memory.commit_limit_bytes == 0 ? "none" : gib(memory.commit_limit_bytes));
  text += "\nin force\n";
  for (const Setting& setting : report.settings)
    text += fmt::format("  {:<17} {:<24} {}\n", setting.option, setting.value, source_text(setting));
  if (!report.unknown_variables.empty()) text += "\nnot known\n";
  for (const std::string& name : report.unknown_variables)
    text += fmt::format("  environment variable {}\n", name);
  return text;
}

std::string devices_json(const MachineReport& report) {
  Json json = {{"devices", Json::array()},
               {"memory",
                {{"total_bytes", report.memory.total_bytes},
                 {"available_bytes", report.memory.available_bytes},
                 {"commit_limit_bytes", report.memory.commit_limit_bytes}}},
               {"settings", Json::array()}};
  for (const DeviceReport& device : report.devices) json["devices"].push_back(device_json(device));
  for (const Setting& setting : report.settings) {
    Json row = {{"option", setting.option}, {"value", setting.value}, {"source", setting.source}};
    if (!setting.variable.empty()) row["variable"] = setting.variable;
    json["settings"].push_back(row);
  }
  json["unknown_variables"] = report.unknown_variables;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halyard::app
