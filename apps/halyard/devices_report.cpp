#include "devices_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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

std::string memory_text(const DeviceMemory& memory) {
  const auto part = [](const char* who, uint64_t total, uint64_t free) {
    std::string text;
    if (total != 0) text += fmt::format(", {} {}", who, gib(total));
    if (free != 0) text += fmt::format("{}{} free", total == 0 ? fmt::format(", {} ", who) : ", ", gib(free));
    return text;
  };
  return fmt::format("  memory   {}{}{}\n", memory.pool,
                     part("driver:", memory.driver_total_bytes, memory.driver_free_bytes),
                     part("system:", memory.system_total_bytes, memory.system_free_bytes));
}

std::string gpu_text(const DeviceReport& gpu) {
  std::string text;
  if (gpu.name.empty()) {
    text = fmt::format("{:<10} not usable: {}\n", gpu.backend, gpu.problem);
  } else {
    text = fmt::format("{:<10} {} ({}, {})\n", gpu.backend, gpu.name, gpu.architecture, gpu.pci_id);
    text += gpu.usable ? "  used     yes\n" : fmt::format("  used     no: {}\n", gpu.problem);
  }
  if (!gpu.cure.empty()) text += fmt::format("  fix      {}\n", gpu.cure);
  if (!gpu.driver.empty()) text += fmt::format("  driver   {}\n", gpu.driver);
  if (!gpu.note.empty()) text += fmt::format("  note     {}\n", gpu.note);
  for (const DeviceMemory& memory : gpu.memory) text += memory_text(memory);
  return text;
}

std::string device_text(const DeviceReport& device) {
  if (device.backend != "cpu") return gpu_text(device);
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

Json gpu_json(const DeviceReport& gpu) {
  Json json = {{"backend", gpu.backend}, {"usable", gpu.usable}};
  const std::pair<const char*, const std::string*> texts[] = {
      {"problem", &gpu.problem}, {"cure", &gpu.cure},
      {"name", &gpu.name},       {"architecture", &gpu.architecture},
      {"pci_id", &gpu.pci_id},   {"driver", &gpu.driver},
      {"note", &gpu.note}};
  for (const auto& [key, text] : texts)
    if (!text->empty()) json[key] = *text;
  for (const DeviceMemory& memory : gpu.memory) {
    json["memory"].push_back({{"pool", memory.pool},
                              {"driver_total_bytes", memory.driver_total_bytes},
                              {"driver_free_bytes", memory.driver_free_bytes},
                              {"system_total_bytes", memory.system_total_bytes},
                              {"system_free_bytes", memory.system_free_bytes}});
  }
  return json;
}

Json device_json(const DeviceReport& device) {
  if (device.backend != "cpu") return gpu_json(device);
  Json json = {{"backend", device.backend}, {"usable", device.usable}};
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
    const auto others = other_variables();
    const bool is_other = std::any_of(others.begin(), others.end(),
                                      [&](const OtherVariable& variable) { return variable.name == name; });
    if (!is_known && !is_other) unknown.push_back(name);
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
