// The program: from the arguments to a sub-command, and from whatever goes wrong to an exit code.
#include <exception>
#include <fmt/format.h>
#include <new>
#include <type_traits>

#include "build_info.h"
#include "commands.h"
#include "completion.h"
#include "core/log.h"
#include "manual.h"
#include "platform/console.h"
#include "platform/environment.h"
#include "program_table.h"
#include "terminal.h"

namespace halyard::app {
namespace {

int dispatch(const CommandLine& line) {
  return std::visit(
      [&](const auto& command) {
        using Chosen = std::decay_t<decltype(command)>;
        if constexpr (std::is_same_v<Chosen, RunOptions>) return run(command, line.output);
        if constexpr (std::is_same_v<Chosen, InspectOptions>) return inspect(command, line.output);
        if constexpr (std::is_same_v<Chosen, PerplexityOptions>) return perplexity(command, line.output);
        if constexpr (std::is_same_v<Chosen, BenchOptions>) return bench(command, line.output);
        if constexpr (std::is_same_v<Chosen, PlanCommand>) return plan(command, line.output);
        if constexpr (std::is_same_v<Chosen, DevicesOptions>) return devices(command, line.output);
        if constexpr (std::is_same_v<Chosen, CompletionCommand>)
          print(completion_script(command.shell, program_table()));
        if constexpr (std::is_same_v<Chosen, ManCommand>) print(manual_page(program_table()));
        if constexpr (std::is_same_v<Chosen, HelpCommand>) print(command.text);
        if constexpr (std::is_same_v<Chosen, VersionCommand>) print(version_text());
        return static_cast<int>(kExitOk);
      },
      line.command);
}

int report(const Error& error, const std::vector<std::string>& arguments) {
  if (error.code() == ErrorCode::kCancelled) return kExitInterrupted;
  note(fmt::format("error: {}\n", error.what()));
  if (error.code() != ErrorCode::kUsage) return kExitFailure;
  note(usage_line(arguments) + "\n");
  return kExitUsage;
}

int run_program(const std::vector<std::string>& arguments) {
  try {
    console::install_interrupt_handler();
    set_log_sink([](std::string_view line) { note(fmt::format("{}\n", line)); });
    const CommandLine line = parse_command_line(arguments, environment);
    set_log_level(line.output.log_level);
    return dispatch(line);
  } catch (const OutputClosed&) {
    return kExitFailure;
  } catch (const Error& error) {
    return report(error, arguments);
  } catch (const std::bad_alloc&) {
    note("error: out of memory; close other programs, or give a smaller --ctx or --slice\n");
  } catch (const std::exception& error) {
    note(fmt::format("error: unexpected: {}; please report this with the command line\n", error.what()));
  }
  return kExitFailure;
}

}  // namespace
}  // namespace halyard::app

int main(int argc, char** argv) {
  return halyard::app::run_program(halyard::console::utf8_arguments(argc, argv));
}
