// The sub-commands and options of the program as data, read from the parser itself: help for shells and the
// manual page are made of it and cannot go stale.
#pragma once
#include <string>
#include <vector>

namespace halyard::app {

struct OptionRow {
  std::vector<std::string> names;  // {"-m", "--model"}; empty: an argument without a name
  std::string value;               // "FILE", "N", "on|off", "N|auto"; empty: a switch
  std::string help;
  bool repeats = false;

  // The words of a value such as "on|off" or "N|auto", without N and FILE; empty for another.
  std::vector<std::string> choices() const;
  bool takes_file() const { return value == "FILE"; }
};

struct CommandRow {
  std::string name, usage, summary;
  std::vector<OptionRow> options;
};

struct ProgramTable {
  std::string summary, exit_codes;
  std::vector<OptionRow> options;  // without a sub-command
  std::vector<CommandRow> commands;
};

ProgramTable program_table();

}  // namespace halyard::app
