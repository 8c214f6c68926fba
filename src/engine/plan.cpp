#include "halyard/plan.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "backend/cpu/scratch.h"
#include "device/simulated_profiles.h"
#include "engine/host_facts.h"
#include "engine/model_file.h"
#include "engine/plan_report.h"
#include "engine/slice_check.h"
#include "halyard/error.h"
#include "model/config.h"
#include "model/flash.h"
#include "model/weights.h"
#include "platform/cpu_features.h"

namespace halyard {
namespace {

constexpr Pool kPools[] = {Pool::kDedicated, Pool::kShared, Pool::kHostPinned, Pool::kManaged};

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

[[noreturn]] void refuse(const std::string& what, const std::string& where, const std::string& fix) {
  throw Error(ErrorCode::kUsage, what, where, fix);
}

void check(const PlanOptions& options) {
  if (!options.model.empty() && !options.model_path.empty())
    refuse("both a file and the name of a published model", "the model", "give one of the two");
  if (!options.model.empty() && !find_flash_mix(options.model))
    refuse(fmt::format("there is no published model \"{}\"", options.model), "the model",
           "give a file, or one of: " + joined(flash_models()));
  const std::vector<std::string> machines = simulated_machines();
  if (!options.simulate.empty() &&
      std::find(machines.begin(), machines.end(), options.simulate) == machines.end())
    refuse(fmt::format("there is no machine \"{}\" to simulate", options.simulate), "--simulate",
           "give one of: " + joined(machines));
  check_slice(options.slice_tokens, "--slice");
  if (options.context_tokens == 0)
    refuse("a context of 0 tokens", "--ctx", "give at least 1, or nothing for the most that fits");
}

std::map<Pool, uint64_t> pool_overrides(const PlanOptions& options) {
  std::map<Pool, uint64_t> overrides;
  for (const auto& [name, bytes] : options.pool_bytes) {
    const auto* pool =
        std::find_if(std::begin(kPools), std::end(kPools), [&](Pool p) { return pool_name(p) == name; });
    if (pool == std::end(kPools))
      refuse(fmt::format("there is no pool \"{}\"", name), "--pool",
             "give one of: " + joined(memory_pools()));
    overrides[*pool] = bytes;
  }
  return overrides;
}

// The model with its tensors bound; `name` becomes what the report calls it.
Model model_of(const PlanOptions& options, std::string& name) {
  if (!options.model.empty()) {
    name = options.model;
    return flash_model(*find_flash_mix(options.model));
  }
  const ModelFile file = open_model_file(options.model_path);
  name = file.source;
  Model model = read_config(file.header);
  bind_weights(file.header, model);
  return model;
}

bool is_processor(const DeviceFacts& device) {
  return std::all_of(device.pools.begin(), device.pools.end(),
                     [](const PoolReport& report) { return report.pool == Pool::kHostPinned; });
}

PlanRequest request_of(const PlanOptions& options, const Model& model) {
  PlanRequest request;
  request.model = &model;
  request.context_tokens = options.context_tokens;
  request.slice_tokens = options.slice_tokens;
  request.cache_rounding = options.cache_rounding;
  request.override_bytes = pool_overrides(options);
  request.limit_bytes = options.memory_limit_bytes;
  request.reserve_bytes = options.reserve_bytes;
  request.device = options.simulate.empty() ? this_host_facts() : simulated_facts(options.simulate);
  if (!is_processor(request.device)) return request;
  request.weights = WeightsHome::kMapped;
  request.scratch_bytes = [&model, n_threads = usable_cores()](uint32_t slice, uint64_t context) {
    return cpu_scratch_bytes(model, slice, context, n_threads);
  };
  return request;
}

}  // namespace

MemoryPlan plan_memory(const PlanOptions& options) {
  check(options);
  PlanContext context;
  Model model = model_of(options, context.model);
  const PlanRequest request = request_of(options, model);
  context.simulated = options.simulate;
  context.n_tensors = tensor_slots(model).size();
  context.weight_bytes = count_bytes(model).total;
  const auto start = std::chrono::steady_clock::now();
  const Plan plan = make_plan(request);
  context.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  MemoryPlan result;
  result.fits = plan.fits;
  result.context_tokens = plan.context_tokens;
  result.slice_tokens = plan.slice_tokens;
  result.problem = plan.problem;
  result.fix = plan.fix;
  result.text = plan_text(request, plan, context);
  result.json = plan_json(request, plan, context);
  result.seconds = context.seconds;
  return result;
}

std::vector<std::string> flash_models() {
  std::vector<std::string> names;
  for (const FlashMix& mix : flash_mixes()) names.emplace_back(mix.name);
  return names;
}

std::vector<std::string> memory_pools() {
  std::vector<std::string> names;
  for (const Pool pool : kPools) names.emplace_back(pool_name(pool));
  return names;
}

}  // namespace halyard
