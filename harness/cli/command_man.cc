// SPDX-License-Identifier: Apache-2.0
// rpcspec man: the manual page, made of the same options that are parsed.
#include <fmt/format.h>

#include "harness/cli/command.h"
#include "harness/cli/command_line.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_table.h"

namespace harness::cli {
namespace {

// Text for roff: no line is a request, a hyphen is one to copy.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string entry(const OptionRow& option) {
  const std::string value =
      option.takes_value ? fmt::format("\\fI{}\\fR", roff(option.value_name)) : "";
  const std::string head = option.name.empty() ? value
                                               : fmt::format("\\fB{}\\fR{}{}", roff(option.name),
                                                             value.empty() ? "" : " ", value);
  return fmt::format(".TP\n{}\n{}\n", head, roff(option.help));
}

std::string page(const std::vector<Command>& commands) {
  std::string out = fmt::format(
      ".TH RPCSPEC 1 \"\" \"rpcspec {}\"\n"
      ".SH NAME\n"
      "rpcspec \\- tests JSON\\-RPC 2.0 and MCP servers against their specifications\n"
      ".SH SYNOPSIS\n"
      ".B rpcspec\n"
      "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fB\\-\\-\\fR \\fISERVER\\fR [\\fIARG\\fR]...]\n"
      ".SH COMMANDS\n",
      RPCSPEC_VERSION);
  for (const CommandRow& command : option_table(commands)) {
    out += fmt::format(".SS rpcspec {}\n{}.\n", roff(command.name), roff(command.help));
    for (const OptionRow& option : command.options)
      if (!option.name.starts_with("--help")) out += entry(option);
    const std::vector<std::string> examples = examples_of(command.name);
    if (examples.empty()) continue;
    out += ".PP\nFor example\n.PP\n.nf\n.RS 4\n";
    for (const std::string& example : examples) out += roff(example) + "\n";
    out += ".RE\n.fi\n";
  }
  return out + ".SH EXIT STATUS\n.nf\n" + roff(exit_codes()) + "\n.fi\n";
}

}  // namespace

Command command_man(const Invocation& invocation) {
  Command command{"man", "Print the manual page"};
  command.action = [&invocation] {
    const std::string text = page(*invocation.commands);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return static_cast<int>(kOk);
  };
  return command;
}

}  // namespace harness::cli
