// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_table.h"

#include <algorithm>

#include "harness/spec/profile.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
  });
}

// "a|b|c" of "a, b or c".
std::string alternatives(std::string text) {
  for (const std::string_view between : {", ", " or "})
    for (auto at = text.find(between); at != text.npos; at = text.find(between, at))
      text.replace(at, between.size(), "|");
  return text;
}

// Those of its rule, or of "must|should" as its value, or of "bash, zsh or fish" as its help.
std::vector<std::string> words_of(const Option& option) {
  if (!option.rule.words.empty()) return option.rule.words;
  for (const std::string& text : {option.value_name, alternatives(option.help)}) {
    const std::vector<std::string> parts = split(text, '|');
    if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), is_word)) return parts;
  }
  return {};
}

void set_values(OptionRow& row, const std::string& command, const Option& option) {
  const std::string& type = option.value_name;
  row.words = words_of(option);
  if (!row.words.empty()) {
    row.values = Values::kWords;
  } else if (row.name == "--profile") {
    row.values = Values::kWords;
    row.words = {"auto"};
    for (const spec::Profile& profile : spec::profiles()) row.words.push_back(profile.name);
  } else if (row.name == "--select" || row.name == "--exclude" || row.name == "--covers") {
    row.values = Values::kListed;
    if (row.name != "--covers") row.words.emplace_back("cases");
    row.words.emplace_back("requirements");
  } else if (row.name.empty() && command == "explain") {
    row.values = Values::kListed;
    row.words = {"cases", "requirements", "oracles", "methods"};
  } else if (type.starts_with("DIR") || row.name == "--in") {
    row.values = Values::kFolder;
  } else if (type == "FORMAT=FILE") {
    row.values = Values::kWords;
    for (const reports::Format& format : reports::formats()) row.words.emplace_back(format.name);
  } else if (type.starts_with("FILE") || row.name.empty()) {
    row.values = Values::kFile;
  }
}

OptionRow row_of(const Option& option, const std::string& command) {
  OptionRow row;
  if (!option.positional()) row.name = option.names().front();
  row.help = one_line(option.help);
  row.takes_value = option.takes_value();
  row.repeatable = option.rule.repeatable || option.rule.list;
  if (row.takes_value)
    row.value_name = row.name.empty()            ? option.flags
                     : option.value_name.empty() ? "TEXT"
                                                 : option.value_name;
  set_values(row, command, option);
  return row;
}

}  // namespace

std::vector<CommandRow> option_table(const std::vector<Command>& commands) {
  std::vector<CommandRow> rows;
  for (const Command& command : commands) {
    CommandRow row{command.name, one_line(command.help), {}};
    row.options.push_back({"--help", "", "Print the usual options"});
    row.options.push_back({"--help-all", "", "Print all options"});
    for (const Option& option : command.options) row.options.push_back(row_of(option, row.name));
    for (const Command& nested : command.commands) {
      row.options.push_back(
          {"", nested.name, one_line(nested.help), true, false, Values::kWords, {nested.name}});
      for (const Option& option : nested.options) row.options.push_back(row_of(option, row.name));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace harness::cli
