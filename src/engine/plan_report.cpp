#include "engine/plan_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace halyard {
namespace {

using Json = nlohmann::ordered_json;

std::string_view system_name(System system) {
  return system == System::kWindows ? "Windows" : "Linux";
}

std::string_view home_name(WeightsHome home) {
  return home == WeightsHome::kMapped ? "mapped from the file" : "on the device";
}

std::string machine_text(const DeviceFacts& device, const std::string& simulated) {
  std::string text = device.name;
  if (!simulated.empty()) text += fmt::format(" (simulated: {})", simulated);
  if (!device.driver.empty()) text += ", " + device.driver;
  return text + fmt::format(", {}, {}", system_name(device.system),
                            device.integrated ? "one memory for all" : "memory of its own");
}

uint64_t arena_bytes(const Plan& plan) {
  uint64_t bytes = 0;
  for (const Arena& arena : plan.arenas) bytes += arena.bytes;
  return bytes;
}

// GiB, or MiB where a table in GiB would show zeros only.
struct Unit {
  const char* name;
  double bytes;
  std::string column(uint64_t n) const { return fmt::format("{:.3f}", static_cast<double>(n) / bytes); }
};

Unit unit_for(const Plan& plan) {
  const bool is_large = plan.total_bytes() + plan.mapped_bytes >= uint64_t{1} << 30;
  return is_large ? Unit{"GiB", 0x1p30} : Unit{"MiB", 0x1p20};
}

std::string pools_text(const Plan& plan, const Unit& unit) {
  const auto row = [](const auto&... columns) {
    return fmt::format("{:<12} {:>11} {:>11} {:>11} {:>13}  {}\n", columns...);
  };
  std::string text =
      row("pool", fmt::format("{} total", unit.name), "usable", "used", "largest block", "size from");
  for (const PoolRoom& pool : plan.pools) {
    text +=
        row(pool_name(pool.pool), unit.column(pool.total_bytes), unit.column(pool.usable_bytes),
            unit.column(plan.bytes(pool.pool)),
            pool.largest_block_bytes == 0 ? "not known" : unit.column(pool.largest_block_bytes), pool.source);
  }
  return text;
}

std::string items_text(const Plan& plan, const Unit& unit) {
  const auto row = [](const auto&... columns) { return fmt::format("{:<17} {:<12} {:>11}\n", columns...); };
  std::string text = row("what", "where", unit.name);
  for (const PlanItem& item : plan.items)
    text += row(purpose_name(item.purpose), pool_name(item.pool), unit.column(item.bytes));
  text += row("total", "", unit.column(plan.total_bytes()));
  if (plan.mapped_bytes != 0) text += row("weights", "mapped file", unit.column(plan.mapped_bytes));
  if (plan.staging_bytes != 0) text += row("while loading", "host-pinned", unit.column(plan.staging_bytes));
  return text;
}

Json known(const std::optional<uint64_t>& bytes) {
  return bytes ? Json(*bytes) : Json(nullptr);
}

Json known(uint64_t bytes) {
  return bytes == 0 ? Json(nullptr) : Json(bytes);
}

Json machine_json(const DeviceFacts& device, const std::string& simulated) {
  Json json;
  json["name"] = device.name;
  json["simulated"] = simulated.empty() ? Json(nullptr) : Json(simulated);
  json["driver"] = device.driver;
  json["system"] = device.system == System::kWindows ? "windows" : "linux";
  json["integrated"] = device.integrated;
  json["host_total_bytes"] = known(device.host_total_bytes);
  json["host_available_bytes"] = known(device.host_available_bytes);
  json["reports"] = Json::array();
  for (const PoolReport& report : device.pools) {
    json["reports"].push_back({{"pool", pool_name(report.pool)},
                               {"driver_total_bytes", known(report.driver_total_bytes)},
                               {"driver_free_bytes", known(report.driver_free_bytes)},
                               {"system_total_bytes", known(report.system_total_bytes)},
                               {"system_free_bytes", known(report.system_free_bytes)}});
  }
  return json;
}

Json arenas_json(const Plan& plan) {
  Json json;
  json["count"] = plan.arenas.size();
  json["bytes"] = arena_bytes(plan);
  json["waste_bytes"] = plan.waste_bytes();
  json["list"] = Json::array();
  for (const Arena& arena : plan.arenas) {
    json["list"].push_back(
        {{"pool", pool_name(arena.pool)}, {"bytes", arena.bytes}, {"used_bytes", arena.used_bytes}});
  }
  return json;
}

}  // namespace

std::string plan_text(const PlanRequest& request, const Plan& plan, const PlanContext& context) {
  const Unit unit = unit_for(plan);
  std::string text = fmt::format("model    {}: {} tensors, {} {}\n", context.model, context.n_tensors,
                                 unit.column(context.weight_bytes), unit.name);
  text += fmt::format("machine  {}\n", machine_text(request.device, context.simulated));
  text += fmt::format("context  {} tokens{}, slices of {}", plan.context_tokens,
                      request.context_tokens ? "" : " (auto)", plan.slice_tokens);
  if (plan.slice_tokens != request.slice_tokens) text += fmt::format(" instead of {}", request.slice_tokens);
  text += fmt::format("\nweights  {}", home_name(request.weights));
  if (!plan.arenas.empty()) {
    const uint64_t bytes = arena_bytes(plan), waste = plan.waste_bytes();
    text += fmt::format(" in {} arenas, {:.1f} KiB of them empty ({:.3f}%)", plan.arenas.size(),
                        static_cast<double>(waste) / 0x1p10,
                        100.0 * static_cast<double>(waste) / static_cast<double>(bytes));
  }
  text += "\n\n" + pools_text(plan, unit) + "\n" + items_text(plan, unit) + "\n";
  for (const std::string& note : plan.notes) text += "note: " + note + "\n";
  text += fmt::format("planned in {:.1f} ms\n", 1e3 * context.seconds);
  if (plan.fits) return text + "fits\n";
  return text + fmt::format("does not fit: {}\nfix: {}\n", plan.problem, plan.fix);
}

std::string plan_json(const PlanRequest& request, const Plan& plan, const PlanContext& context) {
  Json json;
  json["model"] = {
      {"name", context.model}, {"n_tensors", context.n_tensors}, {"weight_bytes", context.weight_bytes}};
  json["machine"] = machine_json(request.device, context.simulated);
  json["fits"] = plan.fits;
  json["context_tokens"] = plan.context_tokens;
  json["slice_tokens"] = plan.slice_tokens;
  json["asked"] = {{"context_tokens", request.context_tokens ? Json(*request.context_tokens) : Json("auto")},
                   {"slice_tokens", request.slice_tokens},
                   {"cache_rounding", request.cache_rounding},
                   {"memory_limit_bytes", known(request.limit_bytes)},
                   {"reserve_bytes", known(request.reserve_bytes)}};
  json["weights"] = request.weights == WeightsHome::kMapped ? "mapped" : "device";
  json["pools"] = Json::array();
  for (const PoolRoom& pool : plan.pools) {
    json["pools"].push_back({{"pool", pool_name(pool.pool)},
                             {"total_bytes", pool.total_bytes},
                             {"usable_bytes", pool.usable_bytes},
                             {"used_bytes", plan.bytes(pool.pool)},
                             {"largest_block_bytes", known(pool.largest_block_bytes)},
                             {"source", pool.source}});
  }
  json["items"] = Json::array();
  for (const PlanItem& item : plan.items) {
    json["items"].push_back(
        {{"purpose", purpose_name(item.purpose)}, {"pool", pool_name(item.pool)}, {"bytes", item.bytes}});
  }
  json["total_bytes"] = plan.total_bytes();
  json["mapped_bytes"] = plan.mapped_bytes;
  json["staging_bytes"] = plan.staging_bytes;
  json["arenas"] = arenas_json(plan);
  json["notes"] = plan.notes;
  json["problem"] = plan.problem;
  json["fix"] = plan.fix;
  json["seconds"] = context.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halyard
