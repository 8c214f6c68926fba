// The command line: what it gives, and that every mistake is a usage error that names its place.
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "halyard/error.h"
#include "options.h"

namespace halyard::app {
namespace {

using Arguments = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

CommandLine parse(Arguments arguments, const Variables& variables = {}) {
  arguments.insert(arguments.begin(), "halyard");
  return parse_command_line(arguments, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

template <class Options>
Options options_of(const Arguments& arguments, const Variables& variables = {}) {
  return std::get<Options>(parse(arguments, variables).command);
}

// The usage error that the arguments give; the test fails when they give another one or none.
Error usage_error(const Arguments& arguments, const Variables& variables = {}) {
  try {
    parse(arguments, variables);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
    return error;
  }
  return Error(ErrorCode::kCancelled, "", "", "");
}

TEST(Options, DefaultsOfRun) {
  const CommandLine line = parse({"run", "-p", "Hello!"});
  const auto& run = std::get<RunOptions>(line.command);
  EXPECT_EQ(run.prompt, "Hello!");
  EXPECT_EQ(run.model.engine.model_path, "");
  EXPECT_EQ(run.model.engine.backend, "auto");
  EXPECT_TRUE(run.model.engine.cache_rounding);
  EXPECT_FALSE(run.model.release.has_value());
  EXPECT_FALSE(run.model.context_tokens.has_value());
  EXPECT_EQ(run.sampling.temperature, 1.0f);
  EXPECT_EQ(run.sampling.min_p, 0.05f);
  EXPECT_FALSE(run.seed.has_value());
  EXPECT_EQ(run.thinking, Thinking::kOff);
  EXPECT_FALSE(line.output.json);
  EXPECT_EQ(line.output.log_level, LogLevel::kNormal);
}

TEST(Options, EveryOptionOfRunArrives) {
  const CommandLine line = parse({"run",
                                  "--prompt",
                                  "x",
                                  "--system",
                                  "be brief",
                                  "--think",
                                  "max",
                                  "--tools",
                                  "t.json",
                                  "--temp",
                                  "0.5",
                                  "--top-k",
                                  "40",
                                  "--top-p",
                                  "0.9",
                                  "--min-p",
                                  "0",
                                  "--seed",
                                  "18446744073709551615",
                                  "--stop",
                                  "one",
                                  "--max-tokens",
                                  "7",
                                  "-m",
                                  "модель.gguf",
                                  "--backend",
                                  "reference",
                                  "--threads",
                                  "3",
                                  "--cache-rounding",
                                  "off",
                                  "--release",
                                  "0731",
                                  "--ctx",
                                  "4096",
                                  "--memory",
                                  "1.5",
                                  "--slice",
                                  "256",
                                  "--json",
                                  "-v"});
  const auto& run = std::get<RunOptions>(line.command);
  EXPECT_EQ(run.system, "be brief");
  EXPECT_EQ(run.thinking, Thinking::kMax);
  EXPECT_EQ(run.tools_file, "t.json");
  EXPECT_EQ(run.sampling.temperature, 0.5f);
  EXPECT_EQ(run.sampling.top_k, 40u);
  EXPECT_EQ(run.sampling.top_p, 0.9f);
  EXPECT_EQ(run.sampling.min_p, 0.0f);
  EXPECT_EQ(run.seed, UINT64_MAX);
  EXPECT_EQ(run.stop.stop_strings, Arguments{"one"});
  EXPECT_EQ(run.stop.max_tokens, 7u);
  const EngineOptions& engine = run.model.engine;
  EXPECT_EQ(engine.model_path, "модель.gguf");
  EXPECT_EQ(engine.backend, "reference");
  EXPECT_EQ(engine.n_threads, 3u);
  EXPECT_FALSE(engine.cache_rounding);
  EXPECT_EQ(engine.memory_limit_bytes, uint64_t{3} << 29);
  EXPECT_EQ(engine.slice_tokens, 256u);
  EXPECT_EQ(run.model.release, Release::k0731);
  EXPECT_EQ(run.model.context_tokens, 4096u);
  EXPECT_TRUE(line.output.json);
  EXPECT_EQ(line.output.log_level, LogLevel::kVerbose);
}

TEST(Options, TextsAreTakenAsTheyAre) {
  for (const char* prompt :
       {"", "-", "-5", "--json", "[a,b]", "{}", "%%", "run", "/c", "a=b", "Привет 世界 🦜", "\xff"})
    EXPECT_EQ(options_of<RunOptions>({"run", "-p", prompt}).prompt, prompt);
  const Arguments stops = {"a", "{}", "[x,y]", "--stop", "b"};
  Arguments arguments = {"run", "-p", "x"};
  for (const std::string& stop : stops) arguments.insert(arguments.end(), {"--stop", stop});
  EXPECT_EQ(options_of<RunOptions>(arguments).stop.stop_strings, stops);
  EXPECT_EQ(options_of<InspectOptions>({"inspect", "/models/x.gguf"}).file, "/models/x.gguf");
  EXPECT_EQ(options_of<InspectOptions>({"inspect", "run"}).file, "run");
  EXPECT_EQ(options_of<RunOptions>({"run", "-p", "x", "--threads=010"}).model.engine.n_threads, 10u);
}

TEST(Options, PerplexityAndBench) {
  EXPECT_EQ(options_of<PerplexityOptions>({"perplexity", "-f", "a.txt", "--window", "64"}).window_tokens,
            64u);
  EXPECT_EQ(options_of<PerplexityOptions>({"perplexity", "--tokens-json", "r.json"}).tokens_file, "r.json");
  const auto bench =
      options_of<BenchOptions>({"bench", "--ctx-start", "100", "--ctx-max", "400", "--step-incr", "150",
                                "--gen-tokens", "8", "--repeat", "3", "--prompt-file", "p.txt", "--csv"});
  EXPECT_EQ(bench.first_context, 100u);
  EXPECT_EQ(bench.last_context, 400u);
  EXPECT_EQ(bench.step_tokens, 150u);
  EXPECT_EQ(bench.gen_tokens, 8u);
  EXPECT_EQ(bench.n_repeats, 3u);
  EXPECT_EQ(bench.prompt_file, "p.txt");
  EXPECT_TRUE(bench.csv);
}

TEST(Options, LoadIsAModeAndInBenchAMeasurementToo) {
  EXPECT_EQ(options_of<RunOptions>({"run", "-p", "x"}).model.engine.load, LoadMode::kMap);
  EXPECT_EQ(options_of<RunOptions>({"run", "-p", "x", "--load", "copy"}).model.engine.load, LoadMode::kCopy);
  EXPECT_FALSE(options_of<BenchOptions>({"bench"}).load);
  const auto measured = options_of<BenchOptions>({"bench", "--load", "-m", "x"});
  EXPECT_TRUE(measured.load);
  EXPECT_EQ(measured.model.engine.load, LoadMode::kMap);
  EXPECT_TRUE(options_of<BenchOptions>({"bench", "-m", "x", "--load"}).load);
  const auto copied = options_of<BenchOptions>({"bench", "--load", "copy"});
  EXPECT_FALSE(copied.load);
  EXPECT_EQ(copied.model.engine.load, LoadMode::kCopy);
}

TEST(Options, VerifyIsOneSumForEachFile) {
  const auto sums = [](const char* text) {
    return options_of<RunOptions>({"run", "-p", "x", "--verify", text}).model.engine.sha256;
  };
  EXPECT_EQ(sums("ab"), Arguments{"ab"});
  EXPECT_EQ(sums("ab,CD"), (Arguments{"ab", "CD"}));
  EXPECT_EQ(sums("ab,"), (Arguments{"ab", ""})) << "the library refuses what is no sum";
}

TEST(Options, ContextIsANumberOrAsManyAsFit) {
  const auto context = [](const Arguments& arguments) {
    const ModelOptions model = options_of<RunOptions>(arguments).model;
    return std::pair(model.context_tokens, model.largest_context);
  };
  using Context = std::pair<std::optional<uint64_t>, bool>;
  EXPECT_EQ(context({"run", "-p", "x"}), Context(std::nullopt, false));
  EXPECT_EQ(context({"run", "-p", "x", "--ctx", "4096"}), Context(4096, false));
  EXPECT_EQ(context({"run", "-p", "x", "--ctx", "auto"}), Context(std::nullopt, true));
  EXPECT_TRUE(options_of<BenchOptions>({"bench", "--ctx", "auto"}).model.largest_context);
  EXPECT_TRUE(options_of<PerplexityOptions>({"perplexity", "-f", "a", "--ctx=auto"}).model.largest_context);
  const Error error = usage_error({"run", "-p", "x", "--ctx", "Auto"});
  EXPECT_NE(error.fix().find("or auto"), std::string::npos) << error.what();
}

TEST(Options, DefaultsOfPlan) {
  const auto command = options_of<PlanCommand>({"plan"});
  EXPECT_EQ(command.file, "");
  EXPECT_EQ(command.model, "");
  EXPECT_EQ(command.plan.simulate, "");
  EXPECT_FALSE(command.plan.context_tokens.has_value());
  EXPECT_EQ(command.plan.slice_tokens, 512u);
  EXPECT_TRUE(command.plan.cache_rounding);
  EXPECT_EQ(command.plan.memory_limit_bytes, 0u);
  EXPECT_FALSE(command.plan.reserve_bytes.has_value());
  EXPECT_TRUE(command.plan.pool_bytes.empty());
}

TEST(Options, EveryOptionOfPlanArrives) {
  const CommandLine line =
      parse({"plan",    "--model", "flash-q2",         "--simulate", "strix-halo-96", "--ctx",  "16417",
             "--slice", "8192",    "--cache-rounding", "off",        "--memory",      "0",      "--reserve",
             "0",       "--pool",  "dedicated=96",     "--pool",     "shared=15.5",   "--pool", "shared=1.5",
             "--json"});
  const auto& command = std::get<PlanCommand>(line.command);
  EXPECT_EQ(command.model, "flash-q2");
  EXPECT_EQ(command.plan.simulate, "strix-halo-96");
  EXPECT_EQ(command.plan.context_tokens, 16417u);
  EXPECT_EQ(command.plan.slice_tokens, 8192u);
  EXPECT_FALSE(command.plan.cache_rounding);
  EXPECT_EQ(command.plan.memory_limit_bytes, 1u);  // 0 stands for no limit
  EXPECT_EQ(command.plan.reserve_bytes, 0u);
  EXPECT_EQ(command.plan.pool_bytes, (std::map<std::string, uint64_t>{{"dedicated", uint64_t{96} << 30},
                                                                      {"shared", uint64_t{3} << 29}}));
  EXPECT_TRUE(line.output.json);
  EXPECT_FALSE(
      options_of<PlanCommand>({"plan", "-m", "x.gguf", "--ctx", "auto"}).plan.context_tokens.has_value());
}

TEST(Options, PlanTakesItsModelFromTheEnvironmentToo) {
  const Variables variables = {{"HALYARD_MODEL", "m.gguf"}, {"HALYARD_CACHE_ROUNDING", "0"}};
  const auto command = options_of<PlanCommand>({"plan"}, variables);
  EXPECT_EQ(command.file, "m.gguf");
  EXPECT_FALSE(command.plan.cache_rounding);
  EXPECT_EQ(options_of<PlanCommand>({"plan", "-m", "f.gguf"}, variables).file, "f.gguf");
  EXPECT_EQ(options_of<PlanCommand>({"plan", "--model", "flash-q4"}, variables).model, "flash-q4");
}

TEST(Options, ABadValueOfPlanNamesItsOption) {
  const std::vector<std::pair<std::string, Arguments>> cases = {
      {"-m", {""}},
      {"--model", {""}},
      {"--simulate", {""}},
      {"--ctx", {"0", "-1", "", "AUTO", "4294967297"}},
      {"--slice", {"100", "16512"}},
      {"--cache-rounding", {"maybe"}},
      {"--memory", {"-1", "nan", "4G"}},
      {"--reserve", {"-1", "", "inf"}},
      {"--pool", {"", "96", "dedicated", "dedicated=", "dedicated=x", "=96", "gtt=96", "shared=-1"}},
  };
  for (const auto& [option, values] : cases) {
    for (const std::string& value : values) {
      SCOPED_TRACE(option + " \"" + value + "\"");
      const Error error = usage_error({"plan", option, value});
      EXPECT_NE(error.where().find(option), std::string::npos) << error.what();
      EXPECT_FALSE(error.fix().empty());
    }
  }
}

TEST(Options, EveryMistakeIsAUsageError) {
  const std::vector<Arguments> mistakes = {
      {},
      {"walk"},
      {"--json"},
      {"run"},
      {"run", "-p"},
      {"run", "x"},
      {"run", "-p", "x", "y"},
      {"run", "-p", "x", "-p", "y"},
      {"run", "-p", "x", "--no-such-flag"},
      {"run", "-p", "x", "-z"},
      {"run", "-p", "x", "-q", "-v"},
      {"run", "-p", "x", "--raw", "--system", "s"},
      {"run", "-p", "x", "--raw", "--think", "on"},
      {"run", "-p", "x", "--raw", "--tools", "t.json"},
      {"run", "-p", "x", "--csv"},
      {"inspect"},
      {"inspect", "a", "b"},
      {"inspect", ""},
      {"inspect", "a", "--threads", "2"},
      {"perplexity"},
      {"perplexity", "-f", "a", "--tokens-json", "b"},
      {"perplexity", "--tokens-json", "b", "--window", "64"},
      {"perplexity", "-f", ""},
      {"perplexity", "-f", "a", "--window", "1"},
      {"bench", "--csv", "--json"},
      {"bench", "--step-incr", "5", "--step-mul", "2"},
      {"bench", "--ctx-start", "100", "--ctx-max", "50"},
      {"bench", "--ctx-max", "4294967297"},
      {"bench", "--step-mul", "1"},
      {"bench", "--gen-tokens", "0"},
      {"bench", "--repeat", "0"},
      {"bench", "-p", "x"},
      {"plan", "x.gguf"},
      {"plan", "-m", "x.gguf", "--model", "flash-q2"},
      {"plan", "--ctx", "1", "--ctx", "2"},
      {"plan", "--threads", "2"},
  };
  for (const Arguments& mistake : mistakes) {
    SCOPED_TRACE(::testing::PrintToString(mistake));
    usage_error(mistake);
  }
}

TEST(Options, ABadValueNamesItsOption) {
  const std::vector<std::pair<std::string, Arguments>> cases = {
      {"--threads", {"0", "1025", "-1", "2.5", "two", "", "99999999999999999999", "0x4", " 4", "4 "}},
      {"--temp", {"-0.1", "101", "nan", "inf", "warm", "1,0"}},
      {"--top-k", {"-1", "4294967296"}},
      {"--top-p", {"-0.1", "1.1"}},
      {"--min-p", {"-0.1", "1.1", "nan"}},
      {"--seed", {"-1", "18446744073709551616"}},
      {"--max-tokens", {"0", "4294967297"}},
      {"--ctx", {"0", "-5", "4294967297"}},
      {"--memory", {"-1", "nan", "1e30", "4G"}},
      {"--slice", {"0", "100", "200", "16512", "-128"}},
      {"--think", {"maybe", "", "ON"}},
      {"--release", {"second", "731"}},
      {"--backend", {"gpu", "", "CPU"}},
      {"--cache-rounding", {"maybe", ""}},
      {"--model", {""}},
      {"--tools", {""}},
      {"--stop", {""}},
  };
  for (const auto& [option, values] : cases) {
    for (const std::string& value : values) {
      SCOPED_TRACE(option + " \"" + value + "\"");
      const Error error = usage_error({"run", "-p", "x", option, value});
      EXPECT_NE(error.where().find(option), std::string::npos) << error.what();
      EXPECT_FALSE(error.fix().empty());
    }
  }
}

TEST(Options, FlagsWinOverTheEnvironment) {
  const Variables variables = {{"HALYARD_MODEL", "m.gguf"},
                               {"HALYARD_BACKEND", "reference"},
                               {"HALYARD_THREADS", "5"},
                               {"HALYARD_CACHE_ROUNDING", "0"}};
  const EngineOptions from_variables = options_of<RunOptions>({"run", "-p", "x"}, variables).model.engine;
  EXPECT_EQ(from_variables.model_path, "m.gguf");
  EXPECT_EQ(from_variables.backend, "reference");
  EXPECT_EQ(from_variables.n_threads, 5u);
  EXPECT_FALSE(from_variables.cache_rounding);
  const EngineOptions from_flags = options_of<BenchOptions>({"bench", "-m", "f.gguf", "--backend", "cpu",
                                                             "--threads", "2", "--cache-rounding", "on"},
                                                            variables)
                                       .model.engine;
  EXPECT_EQ(from_flags.model_path, "f.gguf");
  EXPECT_EQ(from_flags.backend, "cpu");
  EXPECT_EQ(from_flags.n_threads, 2u);
  EXPECT_TRUE(from_flags.cache_rounding);
}

TEST(Options, BadVariablesAreUsageErrorsAndEmptyOnesAreNotSet) {
  for (const char* name : {"HALYARD_BACKEND", "HALYARD_THREADS", "HALYARD_CACHE_ROUNDING"}) {
    EXPECT_EQ(usage_error({"run", "-p", "x"}, {{name, "maybe"}}).where(),
              std::string("environment variable ") + name);
    EXPECT_NO_THROW(parse({"run", "-p", "x"}, {{name, ""}}));
    EXPECT_NO_THROW(parse({"--version"}, {{name, "maybe"}}));
  }
}

TEST(Options, HelpAndVersion) {
  EXPECT_TRUE(std::holds_alternative<VersionCommand>(parse({"--version"}).command));
  EXPECT_NE(options_of<HelpCommand>({"--help"}).text.find("perplexity"), std::string::npos);
  for (const char* name : {"run", "inspect", "perplexity", "bench", "plan"}) {
    const std::string help = options_of<HelpCommand>({name, "--help"}).text;
    EXPECT_NE(help.find(usage_line({"halyard", name})), std::string::npos) << help;
    EXPECT_NE(help.find("--json"), std::string::npos) << help;
  }
}

TEST(Options, UsageLineIsThatOfTheSubCommand) {
  EXPECT_EQ(usage_line({"halyard"}), "usage: halyard SUBCOMMAND [options]");
  EXPECT_EQ(usage_line({"halyard", "--foo"}), "usage: halyard SUBCOMMAND [options]");
  EXPECT_EQ(usage_line({"halyard", "inspect", "a", "b"}), "usage: halyard inspect FILE [--json]");
}

}  // namespace
}  // namespace halyard::app
