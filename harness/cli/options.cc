// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/options.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/embed.h"
#include "harness/json/read.h"

RPCSPEC_EMBEDDED(command_help);

namespace harness::cli {

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (std::size_t from = 0; from < flags.size();) {
    const std::size_t comma = std::min(flags.find(',', from), flags.size());
    const std::string name = flags.substr(from, comma - from);
    if (name.starts_with("--")) names.push_back(name);
    from = comma + 1;
  }
  return names;
}

bool Option::takes_value() const { return !std::holds_alternative<bool*>(slot); }

std::string Option::word() const {
  std::string out = value_name;
  if (out.empty())
    for (const char c : flags) out += ascii::upper(c);
  return std::holds_alternative<std::vector<std::string>*>(slot) ? out + "..." : out;
}

const json::Value& help_table(const char* name) {
  static const json::Value kTables = json::parse(command_help());
  return *kTables.find(name);
}

namespace {

// What the row of the command, or the shared one, says of the option.
void describe(const std::string& command, Option& option) {
  const json::Value& rows = help_table("rows");
  const json::Value* own = rows.find(command);
  const json::Value* row = own != nullptr ? own->find(option.flags) : nullptr;
  if (row == nullptr) row = rows.find("shared")->find(option.flags);
  if (row == nullptr) throw Bug("an option without a row: " + option.flags);
  Rule& rule = option.rule;
  const auto texts = [](const json::Value& list, std::vector<std::string>& into) {
    for (const json::Value& one : list.items) into.push_back(one.text);
  };
  for (const auto& [name, value, mark] : row->members) {
    if (name == "value") option.value_name = value.text;
    if (name == "help") option.help = value.text;
    if (name == "usual") rule.usual = value.text;
    if (name == "most") rule.most = static_cast<int>(*json::as_integer(value));
    if (name == "words") texts(value, rule.words);
    if (name == "needs") texts(value, rule.needs);
    if (name == "excludes") texts(value, rule.excludes);
    rule.required |= name == "required";
    rule.repeatable |= name == "repeatable";
    rule.list |= name == "list";
    rule.named |= name == "named";
    rule.shown |= name == "shown";
  }
}

}  // namespace

void Command::add(std::vector<Option> rows) {
  for (Option& row : rows) {
    if (row.help.empty()) describe(name, row);
    options.push_back(std::move(row));
  }
}

const Option* Command::find(const std::string& long_name) const {
  for (const Option& option : options) {
    const std::vector<std::string> names = option.names();
    if (std::find(names.begin(), names.end(), long_name) != names.end()) return &option;
  }
  return nullptr;
}

}  // namespace harness::cli
