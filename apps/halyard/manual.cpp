#include "manual.h"

#include <fmt/format.h>
#include <string_view>

#include "build_info.h"
#include "settings.h"

namespace halyard::app {
namespace {

// Text as roff shows it: hyphens that can be copied, and no line that is taken for a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? out.insert(0, "\\&") : out;
}

// A list of choices may be longer than a line: it can be cut behind each bar.
std::string value_text(std::string_view value) {
  std::string out = roff(value);
  for (size_t at = 0; (at = out.find('|', at)) != std::string::npos; at += 3) out.insert(at + 1, "\\:");
  return out;
}

std::string option_entry(const OptionRow& option) {
  std::string head;
  for (const std::string& name : option.names)
    head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty()) head += (head.empty() ? "\\fI" : " \\fI") + value_text(option.value) + "\\fR";
  return ".TP\n" + head + "\n" + roff(option.help) + "\n";
}

std::string option_entries(const std::vector<OptionRow>& options) {
  std::string text;
  for (const OptionRow& option : options) text += option_entry(option);
  return text;
}

std::string environment_entries() {
  std::string text =
      ".SH ENVIRONMENT\n"
      "Options win over these; an empty variable counts as not set.\n";
  for (const ModelSetting& setting : model_settings()) {
    if (*setting.variable)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(setting.variable), roff(setting.meaning));
  }
  for (const OtherVariable& variable : other_variables())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(variable.name), roff(variable.meaning));
  return text;
}

}  // namespace

std::string manual_page(const ProgramTable& program) {
  std::string text =
      fmt::format(".TH HALYARD 1 \"\" \"halyard {}\" \"User Commands\"\n", build_info().version);
  text +=
      ".ad l\n"  // a line that is one long list of choices cannot be stretched
      ".SH NAME\n"
      "halyard \\- run DeepSeek V4 Flash on your own machine\n"
      ".SH SYNOPSIS\n";
  for (const CommandRow& command : program.commands) text += roff(command.usage) + "\n.br\n";
  text += "halyard \\-\\-help | \\-\\-version\n.SH DESCRIPTION\n" + roff(program.summary) + "\n";
  text += ".SH OPTIONS WITHOUT A SUB\\-COMMAND\n" + option_entries(program.options);
  text += ".SH SUB\\-COMMANDS\n";
  for (const CommandRow& command : program.commands) {
    text += fmt::format(".SS {}\n{}\n", roff(command.name), roff(command.summary));
    text += option_entries(command.options);
  }
  return text + environment_entries() + ".SH EXIT STATUS\n" + roff(program.exit_codes) + "\n";
}

}  // namespace halyard::app
