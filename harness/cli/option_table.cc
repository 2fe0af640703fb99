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

// The words of "must|should", of {text,json} in a check, or of "text or json" in the help.
std::vector<std::string> words_of(const std::string& type, const std::string& help) {
  if (const auto open = type.find('{'); open != std::string::npos) {
    const auto end = type.find('}', open);
    return split(type.substr(open + 1, end - open - 1), ',');
  }
  for (const std::string& text : {type.substr(0, type.find(':')), help.substr(0, help.find(' '))}) {
    const std::vector<std::string> parts = split(text, '|');
    if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), is_word)) return parts;
  }
  if (help == "text or json") return {"text", "json"};
  return {};
}

void set_values(OptionRow& row, const std::string& command, const std::string& type) {
  row.words = words_of(type, row.help);
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

OptionRow row_of(const CLI::Option& option, const std::string& command) {
  OptionRow row;
  if (!option.get_lnames().empty()) row.name = "--" + option.get_lnames().front();
  row.help = one_line(option.get_description());
  row.group = option.get_group();
  row.takes_value = option.get_items_expected_max() > 0;
  row.repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  const std::string type = option.get_type_name();
  row.value_name = !row.takes_value ? ""
                   : row.name.empty()
                       ? option.get_name(true)
                       : type.substr(0, std::min(type.find(":INT"), type.find(":{")));
  set_values(row, command, type);
  return row;
}

}  // namespace

std::vector<CommandRow> option_table(const CLI::App& app) {
  std::vector<CommandRow> rows;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandRow row{command->get_name(),
                   one_line(command->get_description()),
                   command->get_group(),
                   command->get_footer(),
                   {}};
    for (const CLI::Option* option : command->get_options())
      row.options.push_back(row_of(*option, row.name));
    for (const CLI::App* nested : command->get_subcommands([](const CLI::App*) { return true; })) {
      row.options.push_back({"",
                             nested->get_name(),
                             one_line(nested->get_description()),
                             "",
                             true,
                             false,
                             Values::kWords,
                             {nested->get_name()}});
      for (const CLI::Option* option : nested->get_options())
        if (option->get_lnames() != std::vector<std::string>{"help"})
          row.options.push_back(row_of(*option, row.name));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace harness::cli
