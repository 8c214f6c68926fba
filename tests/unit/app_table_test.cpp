// What is made of the program's own tables: shell completion, the manual page, and what `devices` and
// `bench --text` show.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "completion.h"
#include "devices_report.h"
#include "halyard/error.h"
#include "load_speed_report.h"
#include "load_status_text.h"
#include "manual.h"
#include "program_table.h"
#include "settings.h"
#include "text_speed_report.h"

namespace halyard::app {
namespace {

using Json = nlohmann::json;
using Variables = std::map<std::string, std::string>;

DevicesOptions devices_options(std::vector<std::string> arguments, const Variables& variables = {}) {
  arguments.insert(arguments.begin(), {"halyard", "devices"});
  const auto look_up = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  return std::get<DevicesOptions>(parse_command_line(arguments, look_up).command);
}

const Setting& setting_of(const DevicesOptions& options, const std::string& name) {
  for (const Setting& setting : options.settings) {
    if (setting.option == name) return setting;
  }
  throw std::runtime_error("no setting " + name);
}

TEST(ProgramTable, HoldsEverySubCommandWithItsOptions) {
  const ProgramTable table = program_table();
  std::set<std::string> names;
  for (const CommandRow& command : table.commands) {
    names.insert(command.name);
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_EQ(command.usage.find("halyard " + command.name), 0u);
    for (const OptionRow& option : command.options) EXPECT_FALSE(option.help.empty()) << command.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"run", "inspect", "perplexity", "bench", "plan", "devices",
                                          "completion", "man"}));
  const CommandRow& run = table.commands.front();
  const auto backend = std::find_if(run.options.begin(), run.options.end(), [](const OptionRow& option) {
    return option.names == std::vector<std::string>{"--backend"};
  });
  ASSERT_NE(backend, run.options.end());
  EXPECT_EQ(backend->choices(), (std::vector<std::string>{"auto", "hip", "cuda", "cpu", "reference"}));
}

// A choice that is offered is one that the parser takes.
TEST(ProgramTable, EveryChoiceIsAccepted) {
  const ProgramTable table = program_table();
  for (const CommandRow& command : table.commands) {
    if (command.name != "run" && command.name != "plan") continue;
    std::vector<std::string> start = {"halyard", command.name};
    if (command.name == "run") start.insert(start.end(), {"-p", "x"});
    for (const OptionRow& option : command.options) {
      for (const std::string& choice : option.choices()) {
        std::vector<std::string> arguments = start;
        arguments.insert(arguments.end(), {option.names.front(), choice});
        EXPECT_NO_THROW(parse_command_line(arguments, [](const std::string&) { return std::nullopt; }))
            << command.name << " " << option.names.front() << " " << choice;
      }
    }
  }
}

TEST(ProgramTable, WhatStandsForANumberOrAFileIsNoChoice) {
  using Words = std::vector<std::string>;
  EXPECT_EQ((OptionRow{{"--ctx"}, "N|auto", ""}.choices()), Words{"auto"});
  EXPECT_EQ((OptionRow{{"--model"}, "flash-q2|flash-q4|FILE", ""}.choices()),
            (Words{"flash-q2", "flash-q4"}));
  EXPECT_TRUE((OptionRow{{"--file"}, "FILE", ""}.choices()).empty());
}

TEST(Completion, EveryScriptHasEverySubCommandOptionAndChoice) {
  const ProgramTable table = program_table();
  for (const Shell shell : {Shell::kBash, Shell::kZsh, Shell::kPowershell}) {
    const std::string script = completion_script(shell, table);
    const auto expect_word = [&](const std::string& word) {
      EXPECT_NE(script.find(word), std::string::npos) << word << " in script " << static_cast<int>(shell);
    };
    for (const CommandRow& command : table.commands) {
      expect_word(command.name);
      for (const OptionRow& option : command.options) {
        for (const std::string& name : option.names) expect_word(name);
        for (const std::string& choice : option.choices()) expect_word(choice);
      }
    }
    for (const OptionRow& option : table.options)
      for (const std::string& name : option.names) expect_word(name);
  }
}

TEST(Completion, QuotesDoNotEndTheStringsOfTheScripts) {
  ProgramTable table;
  table.commands.push_back({"run", "halyard run", "it's", {{{"--x"}, "N", "the model's [a]: b", false}}});
  EXPECT_NE(completion_script(Shell::kZsh, table).find("the model'\\''s \\[a\\]\\: b"), std::string::npos);
  EXPECT_NE(completion_script(Shell::kPowershell, table).find("'the model''s [a]: b'"), std::string::npos);
}

TEST(Manual, HasEverySubCommandOptionAndVariable) {
  const ProgramTable table = program_table();
  std::string page = manual_page(table);
  for (size_t at; (at = page.find("\\-")) != std::string::npos;) page.erase(at, 1);
  for (const CommandRow& command : table.commands) {
    EXPECT_NE(page.find("\n.SS " + command.name + "\n"), std::string::npos) << command.name;
    for (const OptionRow& option : command.options)
      for (const std::string& name : option.names)
        EXPECT_NE(page.find("\\fB" + name + "\\fR"), std::string::npos) << name;
  }
  for (const ModelSetting& setting : model_settings())
    EXPECT_NE(page.find(setting.variable), std::string::npos) << setting.variable;
  for (const OtherVariable& variable : other_variables())
    EXPECT_NE(page.find(variable.name), std::string::npos) << variable.name;
  EXPECT_NE(page.find("\n.SH EXIT STATUS\n"), std::string::npos);
}

TEST(Settings, EachModelOptionHasARow) {
  std::set<std::string> of_parser, of_settings;
  const ProgramTable table = program_table();
  for (const CommandRow& command : table.commands) {
    if (command.name != "devices") continue;
    for (const OptionRow& option : command.options) of_parser.insert(option.names.back());
  }
  for (const ModelSetting& setting : model_settings()) of_settings.insert(setting.option);
  for (const char* other : {"--help", "--json", "--quiet", "--verbose"}) of_parser.erase(other);
  EXPECT_EQ(of_parser, of_settings);
}

TEST(Settings, SayWhereTheyComeFrom) {
  const Variables variables = {
      {"HALYARD_THREADS", "5"}, {"HALYARD_CACHE_ROUNDING", "0"}, {"HALYARD_BACKEND", ""}};
  const DevicesOptions options = devices_options({"--threads", "2", "--memory", "1.5"}, variables);
  EXPECT_EQ(setting_of(options, "--threads").value, "2");
  EXPECT_EQ(setting_of(options, "--threads").source, "flag");
  EXPECT_EQ(setting_of(options, "--cache-rounding").value, "off");
  EXPECT_EQ(setting_of(options, "--cache-rounding").source, "environment");
  EXPECT_EQ(setting_of(options, "--backend").value, "auto");
  EXPECT_EQ(setting_of(options, "--backend").source, "default");
  EXPECT_EQ(setting_of(options, "--memory").value, "1.50 GiB");
  EXPECT_EQ(setting_of(options, "--model").value, "built-in");
}

MachineReport sample_machine() {
  MachineReport report;
  DeviceReport cpu{"cpu", true, "A Processor", "", 4, {"AVX", "AVX2"}, {}};
  cpu.kernel_sets = {{"baseline", {}, false}, {"avx2", {}, true}, {"avx512", {"AVX512F", "AVX512DQ"}, false}};
  DeviceReport absent;
  absent.backend = "cuda";
  absent.problem = "no CUDA driver is installed";
  absent.cure = "install NVIDIA's driver";
  DeviceReport gpu;
  gpu.backend = "hip";
  gpu.name = "A Radeon";
  gpu.architecture = "gfx1151";
  gpu.pci_id = "0000:c5:00.0";
  gpu.problem = "no kernels";
  gpu.driver = "HIP 6.4.1 (libamdhip64.so.6)";
  gpu.note = "old";
  gpu.memory = {{"dedicated", uint64_t{96} << 30, uint64_t{90} << 30, 0, 0},
                {"shared", 0, 0, uint64_t{16} << 30, uint64_t{1} << 30},
                {"managed", 0, 0, 0, 0},
                {"host-pinned", 0, uint64_t{2} << 30, 0, 0}};
  report.devices = {cpu, gpu, absent};
  report.memory = {uint64_t{8} << 30, uint64_t{4} << 30, 0};
  report.settings = {{"--threads", "2", "environment", "HALYARD_THREADS"}};
  report.unknown_variables = {"HALYARD_THREDS"};
  return report;
}

TEST(Devices, Text) {
  EXPECT_EQ(devices_text(sample_machine()),
            "cpu        A Processor\n"
            "  cores    4 usable\n"
            "  has      AVX AVX2\n"
            "  kernels  baseline  can run, but there is a better one\n"
            "  kernels  avx2      used\n"
            "  kernels  avx512    cannot run: no AVX512F, AVX512DQ\n"
            "hip        A Radeon (gfx1151, 0000:c5:00.0)\n"
            "  used     no: no kernels\n"
            "  driver   HIP 6.4.1 (libamdhip64.so.6)\n"
            "  note     old\n"
            "  memory   dedicated, driver: 96.0 GiB, 90.0 GiB free\n"
            "  memory   shared, system: 16.0 GiB, 1.0 GiB free\n"
            "  memory   managed\n"
            "  memory   host-pinned, driver: 2.0 GiB free\n"
            "cuda       not usable: no CUDA driver is installed\n"
            "  fix      install NVIDIA's driver\n"
            "\n"
            "memory     8.0 GiB, available 4.0 GiB, commit limit none\n"
            "\n"
            "in force\n"
            "  --threads         2                        environment variable HALYARD_THREADS\n"
            "\n"
            "not known\n"
            "  environment variable HALYARD_THREDS\n");
  MachineReport all_known = sample_machine();
  all_known.unknown_variables.clear();
  EXPECT_EQ(devices_text(all_known).find("not known"), std::string::npos);
}

TEST(Devices, UnknownVariables) {
  EXPECT_EQ(unknown_variables({"HALYARD_", "HALYARD_CUDA_LIBRARY", "HALYARD_HIP_LIBRARIES",
                               "HALYARD_HIP_LIBRARY", "HALYARD_MODEL", "HALYARD_MODELS", "HALYARD_THREADS"}),
            (std::vector<std::string>{"HALYARD_", "HALYARD_HIP_LIBRARIES", "HALYARD_MODELS"}));
}

TEST(Devices, JsonHoldsAllThatTheTextShows) {
  const Json json = Json::parse(devices_json(sample_machine()));
  const Json& cpu = json["devices"].at(0);
  EXPECT_EQ(cpu["name"], "A Processor");
  EXPECT_EQ(cpu["cores"], 4);
  EXPECT_EQ(cpu["kernel_sets"].at(1)["used"], true);
  EXPECT_EQ(cpu["kernel_sets"].at(2)["missing"].at(1), "AVX512DQ");
  const Json& gpu = json["devices"].at(1);
  EXPECT_EQ(gpu["usable"], false);
  EXPECT_EQ(gpu["problem"], "no kernels");
  EXPECT_EQ(gpu["name"], "A Radeon");
  EXPECT_EQ(gpu["architecture"], "gfx1151");
  EXPECT_EQ(gpu["pci_id"], "0000:c5:00.0");
  EXPECT_EQ(gpu["driver"], "HIP 6.4.1 (libamdhip64.so.6)");
  EXPECT_EQ(gpu["note"], "old");
  EXPECT_EQ(gpu["memory"].at(0)["driver_free_bytes"], uint64_t{90} << 30);
  EXPECT_EQ(gpu["memory"].at(1)["system_total_bytes"], uint64_t{16} << 30);
  EXPECT_FALSE(gpu.contains("cure"));
  EXPECT_EQ(json["devices"].at(2)["problem"], "no CUDA driver is installed");
  EXPECT_EQ(json["devices"].at(2)["cure"], "install NVIDIA's driver");
  EXPECT_EQ(json["memory"]["available_bytes"], uint64_t{4} << 30);
  EXPECT_EQ(json["settings"].at(0)["variable"], "HALYARD_THREADS");
  EXPECT_EQ(json["unknown_variables"], Json({"HALYARD_THREDS"}));
}

TEST(TextSpeedReport, TableAndJson) {
  const TextSpeed speed{"built-in", {{"spaces", 1000000, 250000, 0.5}}, 6000000, 129280, 127741, 0.25};
  const std::string table = text_speed_table(speed);
  EXPECT_NE(table.find("spaces             1000000    250000    0.500    2.00\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("129280 tokens and 127741 merges, 6.0 MB, opens in 0.250 s"), std::string::npos)
      << table;
  const Json json = Json::parse(text_speed_json(speed));
  EXPECT_EQ(json["texts"].at(0)["mb_per_second"], 2.0);
  EXPECT_EQ(json["directory"]["merges"], 127741);
}

TEST(LoadStatusText, SaysHowMuchHowFastAndHowLong) {
  const auto gib = [](double n) { return static_cast<uint64_t>(n * 0x1p30); };
  EXPECT_EQ(load_status_text({0, gib(80), 0}), "loading: 0.0 of 80.0 GiB");
  EXPECT_EQ(load_status_text({gib(20), gib(80), 10}), "loading: 20.0 of 80.0 GiB, 2.00 GiB/s, 30 s left");
  EXPECT_EQ(load_status_text({gib(1), gib(80), 10}), "loading: 1.0 of 80.0 GiB, 0.10 GiB/s, 14 min left");
  EXPECT_EQ(load_status_text({gib(80), gib(80), 40}), "loading: 80.0 of 80.0 GiB, 2.00 GiB/s");
  EXPECT_EQ(load_status_text({1 << 20, 3 << 20, 0.5}), "loading: 1.0 of 3.0 MiB, 0.00 GiB/s, 1 s left");
}

TEST(LoadSpeedReport, TableAndJson) {
  LoadSpeed speed;
  speed.model = "m.gguf";
  speed.file_bytes = uint64_t{3} << 30;
  speed.n_readers = 4;
  speed.ring_bytes = 32 << 20;
  speed.rates = {{"warm, buffered",
                  {3 * 0x1p30, 1 * 0x1p30, 2 * 0x1p30},
                  {4 * 0x1p30, 2 * 0x1p30, 2 * 0x1p30},
                  0.01,
                  ""},
                 {"cold, unbuffered", {}, {}, 0, "not measured: no reason"}};
  const std::string table = load_speed_table(speed);
  EXPECT_NE(table.find("m.gguf, 3.00 GiB"), std::string::npos) << table;
  // Of the ratios 75%, 50% and 100% of the rounds, not of the rates' own medians.
  EXPECT_NE(table.find("warm, buffered             2.00    1.00          2.00    2.00       75.0%   50.0%    "
                       "       10.0\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("cold, unbuffered  not measured: no reason\n"), std::string::npos) << table;
  const Json json = Json::parse(load_speed_json(speed));
  EXPECT_EQ(json["rates"].at(0)["load_over_plain"]["median"], 0.75);
  EXPECT_EQ(json["ring_bytes"], 32 << 20);
}

}  // namespace
}  // namespace halyard::app
