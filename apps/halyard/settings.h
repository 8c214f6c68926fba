// What is in force: each model option's value, and where it comes from.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "options.h"

namespace halyard::app {

struct ModelSetting {
  const char* option;    // "--threads"
  const char* variable;  // the environment variable that sets it too, or ""
  const char* meaning;   // of the variable
  std::string (*value)(const ModelOptions& options);
};

std::span<const ModelSetting> model_settings();  // one for each model option

// A variable that stands for no option.
struct OtherVariable {
  const char* name;
  const char* meaning;
};
std::span<const OtherVariable> other_variables();

const char* variable_of(std::string_view option);

// `is_flag_given` says whether an option stands on the command line.
std::vector<Setting> settings_in_force(const ModelOptions& options, const Environment& environment,
                                       const std::function<bool(const char* option)>& is_flag_given);

}  // namespace halyard::app
