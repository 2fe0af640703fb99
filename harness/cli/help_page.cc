// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/help_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

namespace harness::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kColumn = 28;  // where what an entry is for begins

// The lines of a text whose words fit into so many columns.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines{""};
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find_first_of(" \n", from), text.size());
    const std::string word = text.substr(from, to - from);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    from = to + 1;
  }
  return lines;
}

std::string paragraph(const std::string& text) {
  return fmt::format("{}\n", fmt::join(wrapped(text, kWidth), "\n"));
}

std::string entry(const std::string& name, const std::string& text) {
  std::string out = "  " + name;
  const std::string indent(kColumn, ' ');
  if (out.size() + 2 > kColumn)
    out += "\n" + indent;
  else
    out.resize(kColumn, ' ');
  return out + fmt::format("{}\n", fmt::join(wrapped(text, kWidth - kColumn), "\n" + indent));
}

template <class Slot>
std::string usual_value(const Slot& slot) {
  if constexpr (std::is_same_v<Slot, std::string*>)
    return *slot;
  else if constexpr (std::is_same_v<Slot, int*> || std::is_same_v<Slot, std::size_t*>)
    return std::to_string(*slot);
  else
    return "";
}

std::string purpose(const Option& option) {
  std::string text = option.help;
  const auto add = [&text](const std::string& remark) { text += " (" + remark + ")"; };
  if (option.rule.repeatable) add("repeatable");
  if (option.rule.required && !option.positional()) add("required");
  if (!option.rule.needs.empty()) add(fmt::format("with {}", fmt::join(option.rule.needs, ", ")));
  if (option.rule.most > 0) add(fmt::format("1 to {}", option.rule.most));
  std::string usual = option.rule.usual;
  if (usual.empty() && option.rule.shown)
    usual = std::visit([](const auto& slot) { return usual_value(slot); }, option.slot);
  if (!usual.empty()) add("default: " + usual);
  return text;
}

std::string name_of(const Option& option) {
  if (option.positional()) return option.word();
  std::string name = option.flags;
  if (const auto comma = name.find(','); comma != name.npos) name.replace(comma, 1, ", ");
  if (!option.takes_value()) return name;
  return name + " " + (option.value_name.empty() ? "TEXT" : option.value_name);
}

std::string usage(const Program& program, const Command& command, const std::string& called) {
  std::string out = fmt::format("Usage: {} {} [OPTIONS]", program.name, called);
  if (command.must_name_command()) out += " COMMAND";
  for (const Option& option : command.options)
    if (option.positional())
      out += " " + (option.rule.required ? option.word() : "[" + option.word() + "]");
  if (command.find("--target") != nullptr)
    out += command.find("--project") != nullptr || command.name == "mcp" || command.name == "merge"
               ? " [TARGET]"
               : " TARGET";
  return out + "\n";
}

}  // namespace

std::string help_page(const Program& program) {
  std::string out =
      program.help + "\n\n" + "Usage: " + program.name + " COMMAND [OPTIONS] [-- SERVER ARG...]\n";
  std::string group;
  for (const Command& command : program.commands) {
    if (command.group != group) out += "\n" + (group = command.group) + ":\n";
    out += entry(command.name, command.help);
  }
  out += "\n" + entry("-h, --help", "Print this page, or that of a command");
  out += entry("--version", "Print the version");
  return out + "\n" + program.footer + "\n";
}

std::string help_page(const Program& program, const Command& command, const std::string& called,
                      bool all) {
  std::string out = paragraph(command.help) + "\n" + usage(program, command, called);
  const std::string* group = nullptr;
  bool rare = false;
  for (const Option& option : command.options) {
    rare = rare || option.rare;
    if (option.rare && !all) continue;
    if (group == nullptr || option.group != *group)
      out += fmt::format("\n{}:\n", option.group.empty() ? "Options" : option.group);
    group = &option.group;
    out += entry(name_of(option), purpose(option));
  }
  if (!command.commands.empty()) out += "\nCommands:\n";
  for (const Command& nested : command.commands) out += entry(nested.name, nested.help);
  if (rare && !all)
    out += fmt::format("\nMore options: `{} {} --help-all`\n", program.name, called);
  return out + "\n" + command.footer + "\n";
}

}  // namespace harness::cli
