// Any arguments and environment: options that can be used, or a usage error.
// Input: fields with a byte 0 between them, as the system passes them. HALYARD_X=VALUE in front sets the
// environment; the rest are the arguments behind the name of the program.
#include <map>

#include "fuzz/fuzz.h"
#include "options.h"
#include "text/sampler.h"
#include "text/stop_strings.h"

namespace halyard::app {
namespace {

using fuzz::require;

struct Given {
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments{"halyard"};
};

Given read_fields(std::string_view text) {
  Given given;
  for (const std::string_view field : fuzz::split(text, '\0')) {
    const size_t equals = field.find('=');
    const bool in_front = given.arguments.size() == 1;
    if (in_front && field.starts_with("HALYARD_") && equals != std::string_view::npos)
      given.environment[std::string(field.substr(0, equals))] = field.substr(equals + 1);
    else
      given.arguments.emplace_back(field);
  }
  return given;
}

void check_model(const ModelOptions& model) {
  require(model.engine.n_threads <= 1024, "threads out of range");
  require(model.engine.slice_tokens % 128 == 0, "a slice that is no multiple of 128");
}

struct Check {
  void operator()(const RunOptions& run) const {
    check_model(run.model);
    Sampler{run.sampling};  // throws when it cannot be used, and so does the next
    StopStrings{run.stop.stop_strings};
  }
  void operator()(const InspectOptions& inspect) const { require(!inspect.file.empty(), "no file"); }
  void operator()(const PerplexityOptions& perplexity) const {
    check_model(perplexity.model);
    require(perplexity.text_file.empty() != perplexity.tokens_file.empty(), "none of two files, or both");
    require(perplexity.window_tokens >= 2, "a window that foretells nothing");
  }
  void operator()(const BenchOptions& bench) const {
    check_model(bench.model);
    require(bench.first_context >= 1 && bench.first_context <= bench.last_context, "frontiers out of order");
    require(bench.step_tokens > 0 || bench.step_factor > 1, "frontiers without an end");
  }
  void operator()(const PlanCommand& command) const {
    require(command.plan.slice_tokens % 128 == 0, "a slice that is no multiple of 128");
    require(command.plan.context_tokens != 0, "a context without a token");
    require(command.plan.model.empty() && command.plan.model_path.empty(), "a model that nobody chose");
  }
  void operator()(const HelpCommand& help) const { require(!help.text.empty(), "an empty help text"); }
  template <class Other>
  void operator()(const Other& other) const {
    if constexpr (requires { other.model; }) check_model(other.model);
  }
};

}  // namespace
}  // namespace halyard::app

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  const auto given = app::read_fields(fuzz::Input(data, size).rest());
  const auto environment = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = given.environment.find(name);
    return found == given.environment.end() ? std::nullopt : std::optional(found->second);
  };
  std::optional<app::CommandLine> line;
  try {
    line = app::parse_command_line(given.arguments, environment);
  } catch (const Error& error) {
    fuzz::require(error.code() == ErrorCode::kUsage, "another error than that of usage");
  }
  fuzz::require(app::usage_line(given.arguments).starts_with("usage: "), "no line of usage");
  if (line) std::visit(app::Check{}, line->command);
  return 0;
}
