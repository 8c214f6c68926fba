#include "halyard/plan.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "commands.h"
#include "platform/paths.h"
#include "terminal.h"

namespace halyard::app {
namespace {

// --model names a file where there is one of that name, else a published model.
void choose_model(PlanOptions& plan, const PlanCommand& command) {
  if (command.model.empty()) {
    plan.model_path = command.file;
    return;
  }
  std::error_code ignored;
  if (std::filesystem::exists(path_from_utf8(command.model), ignored)) {
    plan.model_path = command.model;
    return;
  }
  const std::vector<std::string> known = flash_models();
  if (std::find(known.begin(), known.end(), command.model) == known.end())
    throw Error(ErrorCode::kUsage,
                fmt::format("there is neither a file nor a published model \"{}\"", command.model), "--model",
                fmt::format("give a file, or one of: {}", fmt::join(known, ", ")));
  plan.model = command.model;
}

}  // namespace

int plan(const PlanCommand& command, const OutputOptions& output) {
  PlanOptions options = command.plan;
  choose_model(options, command);
  const MemoryPlan plan = plan_memory(options);
  print(output.json ? plan.json : plan.text);
  if (plan.fits) return kExitOk;
  const std::string machine = options.simulate.empty() ? "this machine" : options.simulate;
  throw Error(ErrorCode::kOutOfMemory, plan.problem,
              fmt::format("{} on {}", options.model.empty() ? options.model_path : options.model, machine),
              plan.fix);
}

}  // namespace halyard::app
