#include "completion.h"

#include <fmt/format.h>
#include <string_view>

namespace halyard::app {
namespace {

using Rows = std::vector<OptionRow>;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> command_names(const ProgramTable& program) {
  std::vector<std::string> names;
  for (const CommandRow& command : program.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_names(const Rows& options) {
  std::vector<std::string> names;
  for (const OptionRow& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// What stands for the argument without a name; null: the sub-command takes none.
const OptionRow* positional(const Rows& options) {
  for (const OptionRow& option : options) {
    if (option.names.empty()) return &option;
  }
  return nullptr;
}

constexpr std::string_view kBashStart = R"(# Completion for bash: source this file, or write it to
# ~/.local/share/bash-completion/completions/halyard
_halyard_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }
_halyard_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$1"); }
_halyard() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
  COMPREPLY=()
)";

// The value behind an option.
std::string bash_values(const CommandRow& command) {
  std::string text;
  for (const OptionRow& option : command.options) {
    if (option.names.empty() || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + "/" + name);
    const std::string action = option.takes_file() ? "_halyard_files \"$word\"; "
                               : option.choices().empty()
                                   ? ""
                                   : fmt::format("_halyard_words '{}' \"$word\"; ", joined(option.choices()));
    text += fmt::format("    {}) {}return ;;\n", joined(patterns, "|"), action);
  }
  return text;
}

std::string bash_words(const CommandRow& command) {
  const OptionRow* argument = positional(command.options);
  std::vector<std::string> words = argument ? argument->choices() : std::vector<std::string>();
  for (const std::string& name : option_names(command.options)) words.push_back(name);
  const std::string files = argument && argument->takes_file()
                                ? "[[ $word == -* ]] || { _halyard_files \"$word\"; return; }; "
                                : "";
  return fmt::format("    {}) {}_halyard_words '{}' \"$word\" ;;\n", command.name, files, joined(words));
}

std::string bash_script(const ProgramTable& program) {
  std::vector<std::string> first = command_names(program);
  for (const std::string& name : option_names(program.options)) first.push_back(name);
  std::string text(kBashStart);
  text += fmt::format("  if ((COMP_CWORD == 1)); then _halyard_words '{}' \"$word\"; return; fi\n",
                      joined(first));
  text += "  case ${COMP_WORDS[1]}/$before in\n";
  for (const CommandRow& command : program.commands) text += bash_values(command);
  text += "  esac\n  case ${COMP_WORDS[1]} in\n";
  for (const CommandRow& command : program.commands) text += bash_words(command);
  return text + "  esac\n}\ncomplete -F _halyard halyard halyard.exe\n";
}

std::string zsh_quoted(std::string text) {
  for (const std::string_view special : {"\\", "[", "]", ":"})
    text = replaced(std::move(text), special, fmt::format("\\{}", special));
  return replaced(std::move(text), "'", "'\\''");
}

std::string zsh_value(const OptionRow& option) {
  const std::string action = option.takes_file()        ? "_files"
                             : option.choices().empty() ? ""
                                                        : fmt::format("({})", joined(option.choices()));
  return fmt::format(":{}:{}", zsh_quoted(option.value), action);
}

// Specifications for _arguments, one a line.
std::string zsh_arguments(const Rows& options) {
  std::string text;
  for (const OptionRow& option : options) {
    if (option.names.empty()) {
      text += fmt::format(" \\\n        '1{}'", zsh_value(option));
      continue;
    }
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      const std::string takes = option.value.empty() ? "" : is_long ? "=" : "+";
      const std::string excludes = option.repeats ? "*" : fmt::format("({})", joined(option.names));
      text += fmt::format(" \\\n        '{}{}{}[{}]{}'", excludes, name, takes, zsh_quoted(option.help),
                          option.value.empty() ? "" : zsh_value(option));
    }
  }
  return text;
}

std::string zsh_script(const ProgramTable& program) {
  std::string text =
      "#compdef halyard\n"
      "# Completion for zsh: write this file to a folder of $fpath as _halyard, or source it after compinit\n"
      "_halyard() {\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(\n";
  for (const CommandRow& command : program.commands)
    text += fmt::format("      '{}:{}'\n", command.name, zsh_quoted(command.summary));
  text += fmt::format("    )\n    _describe sub-command commands\n    _arguments{}\n    return\n  fi\n",
                      zsh_arguments(program.options));
  text += "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandRow& command : program.commands)
    text += fmt::format("    {})\n      _arguments{} ;;\n", command.name, zsh_arguments(command.options));
  return text +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _halyard ]]; then _halyard \"$@\"; else compdef _halyard halyard; fi\n";
}

std::string powershell_quoted(const std::string& text) {
  return fmt::format("'{}'", replaced(text, "'", "''"));
}

std::string powershell_row(const std::string& name, const std::string& help) {
  return fmt::format("            {} = {}\n", powershell_quoted(name), powershell_quoted(help));
}

std::string powershell_options(const std::string& command, const Rows& options) {
  std::string text = fmt::format("        {} = [ordered]@{{\n", powershell_quoted(command));
  for (const OptionRow& option : options) {
    for (const std::string& name : option.names) text += powershell_row(name, option.help);
    if (!option.names.empty()) continue;
    for (const std::string& choice : option.choices()) text += powershell_row(choice, option.help);
  }
  return text + "        }\n";
}

std::string powershell_values(const CommandRow& command) {
  std::string text;
  for (const OptionRow& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> values;
    for (const std::string& choice : option.choices()) values.push_back(powershell_quoted(choice));
    for (const std::string& name : option.names)
      text += fmt::format("        {} = @({})\n", powershell_quoted(command.name + " " + name),
                          joined(values, ", "));
  }
  return text;
}

// When nothing is offered PowerShell completes file names.
constexpr std::string_view kPowershellEnd =
    R"(    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    $command = if ($words.Count -gt 1) { $words[1] } else { '' }
    $key = $command + ' ' + $words[-1]
    if ($values.Contains($key)) {
        $offered = [ordered]@{}
        foreach ($value in $values[$key]) { $offered[$value] = $value }
    } else {
        $offered = $options[$command]
    }
    if ($null -eq $offered) { return }
    $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($wordToComplete) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
    }
}
)";

std::string powershell_script(const ProgramTable& program) {
  std::string text =
      "# Completion for PowerShell: halyard completion powershell | Out-String | Invoke-Expression\n"
      "Register-ArgumentCompleter -Native -CommandName halyard, halyard.exe -ScriptBlock {\n"
      "    param($wordToComplete, $commandAst, $cursorPosition)\n"
      "    $options = @{\n";
  Rows first;
  for (const CommandRow& command : program.commands) first.push_back({{command.name}, "", command.summary});
  first.insert(first.end(), program.options.begin(), program.options.end());
  text += powershell_options("", first);
  for (const CommandRow& command : program.commands)
    text += powershell_options(command.name, command.options);
  text += "    }\n    $values = @{\n";
  for (const CommandRow& command : program.commands) text += powershell_values(command);
  return text + "    }\n" + std::string(kPowershellEnd);
}

}  // namespace

std::string completion_script(Shell shell, const ProgramTable& program) {
  switch (shell) {
    case Shell::kBash:
      return bash_script(program);
    case Shell::kZsh:
      return zsh_script(program);
    case Shell::kPowershell:
      break;
  }
  return powershell_script(program);
}

}  // namespace halyard::app
