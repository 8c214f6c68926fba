#include "options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>

#include "halyard/error.h"
#include "option_values.h"
#include "platform/environment.h"
#include "program_table.h"
#include "settings.h"

namespace halyard::app {
namespace {

constexpr uint64_t kMaxTokens = uint64_t{1} << 32;
constexpr unsigned kMaxThreads = 1024;
constexpr double kMaxMemoryGib = 1 << 20;
constexpr uint32_t kSliceUnit = 128;
constexpr uint32_t kMaxSlice = 16384;
// Offered by help and completion; the library has the last word (a test compares them).
constexpr const char* kFlashModels = "flash-q2|flash-q2q4|flash-q4|flash-mxfp4|FILE";
constexpr const char* kSimulatedMachines =
    "strix-halo-96|strix-halo-96-old|strix-halo-auto|strix-halo-0.5|strix-halo-2|strix-halo-8|strix-halo-16|"
    "strix-halo-32|strix-halo-64|strix-halo-96-linux|h200|rtx-5090|cpu-32|cpu-128";
constexpr const char* kExitCodes = "Exit codes: 0 done, 1 failure, 2 usage, 130 stopped by Ctrl-C.";

struct SubCommand {
  std::string_view name;
  std::string_view usage;
};

constexpr std::array kSubCommands = {
    SubCommand{"run", "halyard run -p TEXT [-m FILE] [options]"},
    SubCommand{"inspect", "halyard inspect FILE [--json]"},
    SubCommand{"perplexity", "halyard perplexity (-f TEXT-FILE | --tokens-json FILE) [-m FILE] [options]"},
    SubCommand{"bench", "halyard bench [-m FILE] [options]"},
    SubCommand{"plan", "halyard plan [-m FILE | --model NAME] [--simulate MACHINE] [options]"},
    SubCommand{"devices", "halyard devices [--json] [options]"},
    SubCommand{"completion", "halyard completion bash|zsh|powershell"},
    SubCommand{"man", "halyard man"},
};

const SubCommand* find_sub_command(std::string_view name) {
  const auto found = std::find_if(kSubCommands.begin(), kSubCommands.end(),
                                  [&](const SubCommand& command) { return command.name == name; });
  return found == kSubCommands.end() ? nullptr : &*found;
}

std::string usage_of(const SubCommand* command) {
  return "usage: " + (command ? std::string(command->usage) : "halyard SUBCOMMAND [options]");
}

std::string sub_command_names() {
  std::string names;
  for (const SubCommand& command : kSubCommands)
    names += (names.empty() ? "" : ", ") + std::string(command.name);
  return names;
}

const SubCommand* named_sub_command(const std::vector<std::string>& arguments) {
  return arguments.size() < 2 ? nullptr : find_sub_command(arguments[1]);
}

// Help with our usage lines, and without the list of what excludes what.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    return usage_of(find_sub_command(app->get_name())) + "\n";
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
};

// Options are taken as text and read by option_values.h: CLI11 would take 010 for 8 and a bracketed text for
// a list.
template <class Read>
CLI::Option* add_value(CLI::App& app, const std::string& name, const char* type, const std::string& help,
                       Read read) {
  return app.add_option_function<std::string>(name, read, help)->type_name(type);
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& target, const char* type,
                      const std::string& help) {
  return add_value(app, name, type, help, [&target](const std::string& text) { target = text; });
}

// The name of a file: an empty one is a shell variable that is not set.
CLI::Option* add_file(CLI::App& app, const std::string& name, std::string& target, const std::string& help) {
  return add_value(app, name, "FILE", help, [&target, name](const std::string& text) {
    if (text.empty())
      throw Error(ErrorCode::kUsage, "the file name is empty", name, "give the path of a file");
    target = text;
  });
}

template <class Target, class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Target& target, Number low, Number high,
                        const std::string& help) {
  return add_value(app, name, std::is_integral_v<Number> ? "N" : "X", help,
                   [=, &target](const std::string& text) { target = parse_number(text, low, high, name); });
}

bool parse_rounding(const std::string& text, const std::string& name) {
  const std::optional<bool> value = text.empty() ? std::nullopt : parse_switch(text);
  return value ? *value : parse_choice<bool>(text, {{"on", true}, {"off", false}}, name);
}

std::string parse_backend(const std::string& text, const std::string& name) {
  return parse_choice<std::string>(
      text, {{"auto", "auto"}, {"hip", "hip"}, {"cuda", "cuda"}, {"cpu", "cpu"}, {"reference", "reference"}},
      name);
}

uint32_t parse_slice(const std::string& text, const std::string& name) {
  const uint32_t slice = parse_number(text, kSliceUnit, kMaxSlice, name);
  if (slice % kSliceUnit != 0)
    throw Error(ErrorCode::kUsage, fmt::format("{} is not a multiple of {}", slice, kSliceUnit), name,
                fmt::format("give {}, {}, {} ...", kSliceUnit, 2 * kSliceUnit, 3 * kSliceUnit));
  return slice;
}

uint64_t parse_gib(const std::string& text, const std::string& name) {
  return static_cast<uint64_t>(std::llround(parse_number(text, 0.0, kMaxMemoryGib, name) * 0x1p30));
}

uint64_t parse_memory(const std::string& text, const std::string& name) {
  // 0 would mean "what the system has"; who asks for none gets next to none
  return std::max<uint64_t>(1, parse_gib(text, name));
}

LoadMode parse_load(const std::string& text, const std::string& name) {
  return parse_choice<LoadMode>(text, {{"map", LoadMode::kMap}, {"copy", LoadMode::kCopy}}, name);
}

// What is a sum, the library says.
std::vector<std::string> parse_sums(const std::string& text, const std::string& name) {
  std::vector<std::string> sums(1);
  for (const char c : text) {
    if (c == ',') {
      sums.emplace_back();
    } else {
      sums.back() += c;
    }
  }
  if (text.empty())
    throw Error(ErrorCode::kUsage, "the sum is empty", name,
                "give 64 hexadecimal digits, as sha256sum prints them");
  return sums;
}

// Nothing: as many tokens as fit.
std::optional<uint64_t> parse_context(const std::string& text, const std::string& name) {
  if (text == "auto") return std::nullopt;
  try {
    return parse_number(text, uint64_t{1}, kMaxTokens, name);
  } catch (const Error& error) {
    throw Error(error.code(), error.problem(), name, error.fix() + ", or auto");
  }
}

EngineOptions engine_defaults(const Environment& environment) {
  EngineOptions engine;
  const auto apply = [&environment](const char* option, const auto& use) {
    const std::string variable = variable_of(option);
    const std::optional<std::string> text = environment(variable);
    if (text && !text->empty()) use(*text, "environment variable " + variable);
  };
  apply("--model", [&](const std::string& text, const std::string&) { engine.model_path = text; });
  apply("--backend", [&](const std::string& text, const std::string& name) {
    engine.backend = parse_backend(text, name);
  });
  apply("--threads", [&](const std::string& text, const std::string& name) {
    engine.n_threads = parse_number(text, 1u, kMaxThreads, name);
  });
  apply("--cache-rounding", [&](const std::string& text, const std::string& name) {
    engine.cache_rounding = parse_rounding(text, name);
  });
  return engine;
}

CLI::Option* add_output_options(CLI::App& app, OutputOptions& output) {
  CLI::Option* json = app.add_flag("--json", output.json, "one JSON object on standard output");
  CLI::Option* quiet = app.add_flag_callback(
      "-q,--quiet", [&output] { output.log_level = LogLevel::kQuiet; }, "results and errors only");
  app.add_flag_callback(
         "-v,--verbose", [&output] { output.log_level = LogLevel::kVerbose; }, "say more on standard error")
      ->excludes(quiet);
  return json;
}

void add_model_options(CLI::App& app, ModelOptions& model) {
  EngineOptions& engine = model.engine;
  add_file(app, "-m,--model", engine.model_path,
           "GGUF file (default: $HALYARD_MODEL, or a tiny built-in model)");
  add_value(app, "--backend", "auto|hip|cuda|cpu|reference", "what to compute on (default: auto)",
            [&engine](const std::string& text) { engine.backend = parse_backend(text, "--backend"); });
  add_number(app, "--threads", engine.n_threads, 1u, kMaxThreads, "host threads (default: one a core)");
  add_value(app, "--cache-rounding", "on|off", "round the KV cache as the official model does (default: on)",
            [&engine](const std::string& text) {
              engine.cache_rounding = parse_rounding(text, "--cache-rounding");
            });
  add_value(
      app, "--release", "first|0731", "wording of the chat protocol (default: as the model's name says)",
      [&model](const std::string& text) {
        model.release =
            parse_choice<Release>(text, {{"first", Release::kFirst}, {"0731", Release::k0731}}, "--release");
      });
  add_value(app, "--ctx", "N|auto",
            "room for that many tokens in the session; auto: as many as fit (default: as many as needed)",
            [&model](const std::string& text) {
              model.context_tokens = parse_context(text, "--ctx");
              model.largest_context = !model.context_tokens;
            });
  add_value(
      app, "--memory", "GIB", "plan for that much memory (default: what the system has)",
      [&engine](const std::string& text) { engine.memory_limit_bytes = parse_memory(text, "--memory"); });
  add_value(app, "--slice", "N", "most tokens evaluated at once, a multiple of 128 (default: 512)",
            [&engine](const std::string& text) { engine.slice_tokens = parse_slice(text, "--slice"); });
  add_value(app, "--load", "map|copy",
            "map: use the file where it lies; copy: read it into memory first (default: map)",
            [&engine](const std::string& text) { engine.load = parse_load(text, "--load"); });
  add_value(
      app, "--verify", "SHA256",
      "check that the file has this SHA-256; of a split model one for each file, with commas between them",
      [&engine](const std::string& text) { engine.sha256 = parse_sums(text, "--verify"); });
}

void add_sampling_options(CLI::App& app, RunOptions& run) {
  SamplingOptions& sampling = run.sampling;
  sampling.min_p = 0.05f;  // as advised for the model
  add_number(app, "--temp", sampling.temperature, 0.0f, 100.0f,
             "temperature; 0: always the likeliest token (default: 1)");
  add_number(app, "--top-k", sampling.top_k, 0u, std::numeric_limits<uint32_t>::max(),
             "only the N likeliest tokens; 0: all (default: 0)");
  add_number(app, "--top-p", sampling.top_p, 0.0f, 1.0f,
             "only the likeliest tokens up to this probability together (default: 1)");
  add_number(app, "--min-p", sampling.min_p, 0.0f, 1.0f,
             "only tokens with this fraction of the likeliest one's probability (default: 0.05)");
  add_number(app, "--seed", run.seed, uint64_t{0}, std::numeric_limits<uint64_t>::max(),
             "the same seed gives the same text (default: a fresh one; -v shows it)");
  // each() sees every value as it was given; a vector would read "[a,b]" as two.
  add_value(app, "--stop", "TEXT", "stop before this text; may be given several times",
            [](const std::string&) {})
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->each([&run](const std::string& text) {
        if (text.empty())
          throw Error(ErrorCode::kUsage, "a stop text is empty", "--stop", "give at least one character");
        run.stop.stop_strings.push_back(text);
      });
  run.stop.max_tokens = 2048;
  add_number(app, "--max-tokens", run.stop.max_tokens, uint64_t{1}, kMaxTokens,
             "stop after that many tokens (default: 2048)");
}

void add_run_options(CLI::App& app, RunOptions& run) {
  add_text(app, "-p,--prompt", run.prompt, "TEXT", "what to answer; - reads it from standard input")
      ->required();
  CLI::Option* raw =
      app.add_flag("--raw", run.raw, "continue the text as it stands, without the chat protocol");
  add_text(app, "--system", run.system, "TEXT", "system text")->excludes(raw);
  add_value(app, "--think", "off|on|high|max", "reason before the answer (default: off)",
            [&run](const std::string& text) {
              run.thinking = parse_choice<Thinking>(text,
                                                    {{"off", Thinking::kOff},
                                                     {"on", Thinking::kOn},
                                                     {"high", Thinking::kHigh},
                                                     {"max", Thinking::kMax}},
                                                    "--think");
            })
      ->excludes(raw);
  add_file(app, "--tools", run.tools_file, "JSON list of functions that the model may call")->excludes(raw);
  add_sampling_options(app, run);
}

void add_perplexity_options(CLI::App& app, PerplexityOptions& perplexity) {
  CLI::Option* text = add_file(app, "-f,--file", perplexity.text_file, "text to read");
  CLI::Option* tokens = add_file(app, "--tokens-json", perplexity.tokens_file,
                                 "windows of tokens: {\"perplexity\": [{\"tokens\": [0, 1, ...]}, ...]}");
  tokens->excludes(text);
  add_number(app, "--window", perplexity.window_tokens, uint64_t{2}, uint64_t{1} << 20,
             "tokens in a window of the text; each starts afresh (default: 1024)")
      ->excludes(tokens);
}

void check_perplexity(const PerplexityOptions& perplexity) {
  if (perplexity.text_file.empty() && perplexity.tokens_file.empty())
    throw Error(ErrorCode::kUsage, "there is nothing to read", "the command line",
                "give -f TEXT-FILE or --tokens-json FILE");
}

void add_bench_options(CLI::App& app, BenchOptions& bench) {
  add_number(app, "--ctx-start", bench.first_context, uint64_t{1}, kMaxTokens,
             "first frontier, in tokens (default: 512)");
  add_number(app, "--ctx-max", bench.last_context, uint64_t{1}, kMaxTokens, "last frontier (default: 2048)");
  CLI::Option* step = add_number(app, "--step-incr", bench.step_tokens, uint64_t{1}, kMaxTokens,
                                 "add that many tokens from frontier to frontier");
  add_number(app, "--step-mul", bench.step_factor, 1.001, 1000.0,
             "multiply by this from frontier to frontier (default: 2)")
      ->excludes(step);
  add_number(app, "--gen-tokens", bench.gen_tokens, uint64_t{1}, uint64_t{1} << 20,
             "tokens decoded at each frontier (default: 32)");
  add_number(app, "--repeat", bench.n_repeats, uint64_t{1}, uint64_t{1000},
             "go through all frontiers that often; medians are shown (default: 1)");
  add_file(app, "--prompt-file", bench.prompt_file,
           "text to prefill with (default: a built-in one, repeated)");
  app.add_flag("--text", bench.text, "measure how fast text becomes tokens instead; reads no weights");
}

// `--load copy` is the option of every command that opens a model; alone, --load measures loading.
void add_load_measurement(CLI::App& app, BenchOptions& bench) {
  app.remove_option(app.get_option("--load"));
  app.add_option_function<std::vector<std::string>>(
         "--load",
         [&bench](const std::vector<std::string>& given) {
           bench.load = given.empty() || given[0].empty();
           if (!bench.load) bench.model.engine.load = parse_load(given[0], "--load");
         },
         "alone: measure instead how fast the file loads, beside a plain read of it; with map or copy: how "
         "the "
         "weights come into memory (default: map)")
      ->type_name("map|copy")
      ->expected(0, 1)
      ->excludes(app.get_option("--text"));
}

void check_bench(const BenchOptions& bench) {
  if (bench.first_context > bench.last_context)
    throw Error(ErrorCode::kUsage,
                fmt::format("the first frontier, {}, is beyond the last one, {}", bench.first_context,
                            bench.last_context),
                "--ctx-start and --ctx-max", "give a --ctx-max of at least --ctx-start");
}

// Which names there are, the library says.
std::string not_empty(const std::string& text, const std::string& name, const std::string& choices) {
  if (text.empty()) throw Error(ErrorCode::kUsage, "the name is empty", name, "give one of: " + choices);
  return text;
}

// "dedicated=96", in GiB.
void parse_pool(const std::string& text, PlanOptions& plan) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw Error(ErrorCode::kUsage, fmt::format("\"{}\" gives a pool no size", text), "--pool",
                "give POOL=GIB, such as dedicated=96");
  const auto pool = parse_choice<const char*>(text.substr(0, equals),
                                              {{"dedicated", "dedicated"},
                                               {"shared", "shared"},
                                               {"host-pinned", "host-pinned"},
                                               {"managed", "managed"}},
                                              "--pool");
  plan.pool_bytes[pool] = parse_gib(text.substr(equals + 1), "--pool");
}

void add_plan_options(CLI::App& app, PlanCommand& command) {
  PlanOptions& plan = command.plan;
  CLI::Option* file = add_file(app, "-m", command.file,
                               "GGUF file; only its directory is read (default: $HALYARD_MODEL, or a tiny "
                               "built-in model)");
  add_value(app, "--model", kFlashModels, "a published model by name, without its file; or a file",
            [&command](const std::string& text) { command.model = not_empty(text, "--model", kFlashModels); })
      ->excludes(file);
  add_value(app, "--simulate", kSimulatedMachines,
            "plan for that machine (default: this one and its processor)", [&plan](const std::string& text) {
              plan.simulate = not_empty(text, "--simulate", kSimulatedMachines);
            });
  add_value(app, "--ctx", "N|auto", "room for that many tokens; auto: as many as fit (default: auto)",
            [&plan](const std::string& text) { plan.context_tokens = parse_context(text, "--ctx"); });
  add_value(app, "--slice", "N", "most tokens evaluated at once, a multiple of 128 (default: 512)",
            [&plan](const std::string& text) { plan.slice_tokens = parse_slice(text, "--slice"); });
  add_value(
      app, "--cache-rounding", "on|off", "round the KV cache as the official model does (default: on)",
      [&plan](const std::string& text) { plan.cache_rounding = parse_rounding(text, "--cache-rounding"); });
  add_value(app, "--memory", "GIB", "plan for that much memory in all (default: what is there)",
            [&plan](const std::string& text) { plan.memory_limit_bytes = parse_memory(text, "--memory"); });
  add_value(app, "--reserve", "GIB", "leave that much free (default: as the kind of machine needs)",
            [&plan](const std::string& text) { plan.reserve_bytes = parse_gib(text, "--reserve"); });
  add_value(
      app, "--pool", "POOL=GIB",
      "size of a pool (dedicated, shared, host-pinned or managed) instead of what is reported; may be given "
      "several times",
      [](const std::string&) {})
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->each([&plan](const std::string& text) { parse_pool(text, plan); });
}

void add_shell_argument(CLI::App& app, CompletionCommand& completion) {
  add_value(app, "SHELL", "bash|zsh|powershell", "the shell that will read the script",
            [&completion](const std::string& text) {
              completion.shell = parse_choice<Shell>(
                  text, {{"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"powershell", Shell::kPowershell}},
                  "SHELL");
            })
      ->required();
}

// One parser and the options that it fills.
struct Parser {
  CLI::App root{"Halyard runs DeepSeek V4 Flash on your own machine.", "halyard"};
  OutputOptions output;
  RunOptions run;
  InspectOptions inspect;
  PerplexityOptions perplexity;
  BenchOptions bench;
  PlanCommand plan;
  DevicesOptions devices;
  CompletionCommand completion;

  explicit Parser(const EngineOptions& engine) {
    root.formatter(std::make_shared<HelpFormatter>());
    root.allow_windows_style_options(false);  // "/models/x.gguf" is a path
    root.set_help_flag("-h,--help", "this text");
    root.set_version_flag("--version", std::string(), "version, commit, compiler, system and backends");
    root.require_subcommand(1);
    root.footer(std::string("halyard SUBCOMMAND --help tells more.\n") + kExitCodes);
    run.model.engine = perplexity.model.engine = bench.model.engine = devices.model.engine = engine;

    CLI::App& run_app = add("run", "One answer, as it comes.");
    add_run_options(run_app, run);
    add_model_options(run_app, run.model);
    add_output_options(run_app, output);
    CLI::App& inspect_app = add("inspect", "Metadata and tensors of a GGUF file, and what is wrong with it.");
    add_file(inspect_app, "FILE", inspect.file, "GGUF file")->type_name("")->required();
    add_output_options(inspect_app, output);
    CLI::App& perplexity_app = add("perplexity", "How well the model foretells a text: lower is better.");
    add_perplexity_options(perplexity_app, perplexity);
    add_model_options(perplexity_app, perplexity.model);
    add_output_options(perplexity_app, output);
    CLI::App& bench_app = add("bench", "Prefill and decode speed at growing context lengths.");
    add_bench_options(bench_app, bench);
    add_model_options(bench_app, bench.model);
    add_load_measurement(bench_app, bench);
    CLI::Option* json = add_output_options(bench_app, output);
    bench_app.add_flag("--csv", bench.csv, "comma-separated values with the columns of ds4-bench")
        ->excludes(json)
        ->excludes(bench_app.get_option("--text"))
        ->excludes(bench_app.get_option("--load"));
    plan.file = engine.model_path;
    plan.plan.cache_rounding = engine.cache_rounding;
    CLI::App& plan_app =
        add("plan", "What of a model would live where, and whether it fits, on this machine or another.");
    add_plan_options(plan_app, plan);
    add_output_options(plan_app, output);
    CLI::App& devices_app = add("devices", "Processor, memory, backends, and the options in force.");
    add_model_options(devices_app, devices.model);
    add_output_options(devices_app, output);
    add_shell_argument(add("completion", "A script that completes commands in your shell."), completion);
    add("man", "The manual page, in roff.");
  }

  Command selected(const Environment& environment) const {
    const CLI::App& chosen = *root.get_subcommands().front();
    const std::string& name = chosen.get_name();
    if (name == "run") return run;
    if (name == "inspect") return inspect;
    if (name == "plan") return plan;
    if (name == "bench") {
      check_bench(bench);
      return bench;
    }
    if (name == "devices") {
      const auto is_given = [&](const char* option) { return chosen.get_option(option)->count() > 0; };
      return DevicesOptions{devices.model, settings_in_force(devices.model, environment, is_given)};
    }
    if (name == "completion") return completion;
    if (name == "man") return ManCommand{};
    check_perplexity(perplexity);
    return perplexity;
  }

 private:
  CLI::App& add(const char* name, const char* description) {
    CLI::App* app = root.add_subcommand(name, description);
    app->footer(kExitCodes);
    return *app;
  }
};

std::vector<OptionRow> option_rows(const CLI::App& app) {
  std::vector<OptionRow> rows;
  for (const CLI::Option* option : app.get_options()) {
    OptionRow row;
    for (const std::string& name : option->get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) row.names.push_back("--" + name);
    row.value =
        row.names.empty() && option->get_type_name().empty() ? option->get_name() : option->get_type_name();
    row.help = option->get_description();
    row.repeats = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeLast;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

ProgramTable program_table() {
  const Parser parser{EngineOptions{}};
  ProgramTable table{parser.root.get_description(), kExitCodes, option_rows(parser.root), {}};
  for (const SubCommand& command : kSubCommands) {
    const CLI::App& app = *parser.root.get_subcommand(std::string(command.name));
    table.commands.push_back(
        {std::string(command.name), std::string(command.usage), app.get_description(), option_rows(app)});
  }
  return table;
}

std::vector<std::string> OptionRow::choices() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    const std::string word = value.substr(begin, end - begin);
    const bool is_placeholder = word == "N" || word == "FILE";
    if (!is_placeholder) words.push_back(word);
    begin = end + 1;
  }
  return words;
}

std::string usage_line(const std::vector<std::string>& arguments) {
  return usage_of(named_sub_command(arguments));
}

CommandLine parse_command_line(const std::vector<std::string>& arguments, const Environment& environment) {
  const SubCommand* named = named_sub_command(arguments);
  if (arguments.size() < 2)
    throw Error(ErrorCode::kUsage, "a sub-command is missing", "the command line",
                "give one of: " + sub_command_names());
  if (!named && !arguments[1].starts_with('-'))
    throw Error(ErrorCode::kUsage, fmt::format("there is no sub-command \"{}\"", arguments[1]),
                "the command line", "give one of: " + sub_command_names());
  const bool asks_only = !named;  // --help and --version work whatever the environment holds
  Parser parser(asks_only ? EngineOptions{} : engine_defaults(environment));
  try {
    parser.root.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - 1));
  } catch (const CLI::CallForHelp&) {
    return {parser.output, HelpCommand{parser.root.help()}};
  } catch (const CLI::CallForVersion&) {
    return {parser.output, VersionCommand{}};
  } catch (const CLI::ParseError& e) {
    throw Error(ErrorCode::kUsage, e.what(), "the command line",
                named ? fmt::format("see halyard {} --help", named->name) : "see halyard --help");
  }
  return {parser.output, parser.selected(environment)};
}

}  // namespace halyard::app
