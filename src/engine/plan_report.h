// A plan as text and as JSON.
#pragma once
#include <string>

#include "planner/plan.h"

namespace halyard {

// What stands beside the plan in its report.
struct PlanContext {
  std::string model;      // "flash-q2", a path, or "built-in"
  std::string simulated;  // name of the machine, empty for this one
  uint64_t n_tensors = 0, weight_bytes = 0;
  double seconds = 0;
};

std::string plan_text(const PlanRequest& request, const Plan& plan, const PlanContext& context);
std::string plan_json(const PlanRequest& request, const Plan& plan, const PlanContext& context);

}  // namespace halyard
