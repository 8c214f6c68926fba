// What the user asked for: arguments and environment in, one command out. No file is opened here.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/log.h"
#include "halyard/engine.h"
#include "halyard/plan.h"
#include "halyard/sampling.h"

namespace halyard::app {

// Of every sub-command.
struct OutputOptions {
  bool json = false;
  LogLevel log_level = LogLevel::kNormal;
};

// Of every sub-command that opens a model.
struct ModelOptions {
  EngineOptions engine;
  std::optional<Release> release;          // nothing: as the model's name says
  std::optional<uint64_t> context_tokens;  // room in the session; nothing: what the command needs
  bool largest_context = false;            // --ctx auto: room for as many tokens as fit, instead
};

struct RunOptions {
  ModelOptions model;
  std::string prompt;  // "-": standard input
  bool raw = false;
  std::string system;
  Thinking thinking = Thinking::kOff;
  std::string tools_file;        // empty: none
  SamplingOptions sampling;      // the seed is below
  std::optional<uint64_t> seed;  // nothing: a fresh one
  StopOptions stop;
};

struct InspectOptions {
  std::string file;
};

struct PerplexityOptions {
  ModelOptions model;
  std::string text_file;    // one of the two is set
  std::string tokens_file;  // JSON
  uint64_t window_tokens = 1024;
};

struct BenchOptions {
  ModelOptions model;
  uint64_t first_context = 512;
  uint64_t last_context = 2048;
  uint64_t step_tokens = 0;  // added from frontier to frontier; 0: multiply
  double step_factor = 2;
  uint64_t gen_tokens = 32;
  uint64_t n_repeats = 1;
  std::string prompt_file;  // empty: a text of our own
  bool csv = false;
  bool text = false;  // measure the tokenizer instead
  bool load = false;  // measure loading instead
};

struct PlanCommand {
  PlanOptions plan;   // but for the model
  std::string file;   // -m or $HALYARD_MODEL; empty: not given
  std::string model;  // --model, wins over $HALYARD_MODEL: a published model or a file; empty: not given
};

// An option in force.
struct Setting {
  std::string option;    // "--threads"
  std::string value;     // "2"
  std::string source;    // "flag", "environment" or "default"
  std::string variable;  // the environment variable that sets it too, or ""
};

struct DevicesOptions {
  ModelOptions model;
  std::vector<Setting> settings;
};

enum class Shell { kBash, kZsh, kPowershell };
struct CompletionCommand {
  Shell shell = Shell::kBash;
};
struct ManCommand {};

struct VersionCommand {};
struct HelpCommand {
  std::string text;
};

using Command = std::variant<RunOptions, InspectOptions, PerplexityOptions, BenchOptions, PlanCommand,
                             DevicesOptions, CompletionCommand, ManCommand, VersionCommand, HelpCommand>;

struct CommandLine {
  OutputOptions output;
  Command command;
};

// The value of an environment variable, nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// `arguments` in UTF-8, the program's name first. Flags win over HALYARD_MODEL, HALYARD_BACKEND,
// HALYARD_THREADS and HALYARD_CACHE_ROUNDING; those count as not set when they are empty. Throws kUsage.
CommandLine parse_command_line(const std::vector<std::string>& arguments, const Environment& environment);

// "usage: halyard run -p TEXT [options]", for the sub-command that `arguments` name.
std::string usage_line(const std::vector<std::string>& arguments);

}  // namespace halyard::app
