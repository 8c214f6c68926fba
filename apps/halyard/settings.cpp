#include "settings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace halyard::app {
namespace {

constexpr auto kSettings = std::to_array<ModelSetting>({
    {"--model", "HALYARD_MODEL", "path of the GGUF file",
     [](const ModelOptions& o) { return o.engine.model_path.empty() ? "built-in" : o.engine.model_path; }},
    {"--backend", "HALYARD_BACKEND", "as --backend", [](const ModelOptions& o) { return o.engine.backend; }},
    {"--threads", "HALYARD_THREADS", "as --threads",
     [](const ModelOptions& o) {
       return o.engine.n_threads == 0 ? "one a core" : std::to_string(o.engine.n_threads);
     }},
    {"--cache-rounding", "HALYARD_CACHE_ROUNDING", "1, on, true or yes; 0, off, false or no",
     [](const ModelOptions& o) { return std::string(o.engine.cache_rounding ? "on" : "off"); }},
    {"--release", "", "",
     [](const ModelOptions& o) {
       return std::string(!o.release                      ? "as the model's name says"
                          : *o.release == Release::kFirst ? "first"
                                                          : "0731");
     }},
    {"--ctx", "", "",
     [](const ModelOptions& o) {
       return o.context_tokens    ? std::to_string(*o.context_tokens)
              : o.largest_context ? "auto: as many as fit"
                                  : "as many as needed";
     }},
    {"--memory", "", "",
     [](const ModelOptions& o) {
       const uint64_t bytes = o.engine.memory_limit_bytes;
       return bytes == 0 ? "what the system has"
                         : fmt::format("{:.2f} GiB", static_cast<double>(bytes) / 0x1p30);
     }},
    {"--load", "", "",
     [](const ModelOptions& o) { return std::string(o.engine.load == LoadMode::kMap ? "map" : "copy"); }},
    {"--verify", "", "",
     [](const ModelOptions& o) {
       std::string sums;
       for (const std::string& sum : o.engine.sha256) sums += (sums.empty() ? "" : ",") + sum;
       return sums.empty() ? "no check" : sums;
     }},
    {"--slice", "", "", [](const ModelOptions& o) { return std::to_string(o.engine.slice_tokens); }},
});

constexpr auto kOtherVariables = std::to_array<OtherVariable>({
    {"HALYARD_HIP_LIBRARY", "full path of AMD's driver library to use instead of the installed one"},
    {"HALYARD_CUDA_LIBRARY", "full path of NVIDIA's driver library to use instead of the installed one"},
});

}  // namespace

std::span<const ModelSetting> model_settings() {
  return kSettings;
}

std::span<const OtherVariable> other_variables() {
  return kOtherVariables;
}

const char* variable_of(std::string_view option) {
  const auto found = std::find_if(kSettings.begin(), kSettings.end(),
                                  [&](const ModelSetting& setting) { return setting.option == option; });
  return found == kSettings.end() ? "" : found->variable;
}

std::vector<Setting> settings_in_force(const ModelOptions& options, const Environment& environment,
                                       const std::function<bool(const char* option)>& is_flag_given) {
  std::vector<Setting> all;
  for (const ModelSetting& setting : kSettings) {
    const std::string variable = setting.variable;
    const bool is_set = !variable.empty() && !environment(variable).value_or("").empty();
    const bool is_flag = is_flag_given(setting.option);
    all.push_back({setting.option, setting.value(options),
                   is_flag  ? "flag"
                   : is_set ? "environment"
                            : "default",
                   variable});
  }
  return all;
}

}  // namespace halyard::app
