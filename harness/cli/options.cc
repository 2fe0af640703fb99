// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/options.h"

#include <algorithm>
#include <iterator>

#include "harness/base/ascii.h"

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

void Command::add(std::vector<Option> rows) {
  options.insert(options.end(), std::make_move_iterator(rows.begin()),
                 std::make_move_iterator(rows.end()));
}

const Option* Command::find(const std::string& long_name) const {
  for (const Option& option : options) {
    const std::vector<std::string> names = option.names();
    if (std::find(names.begin(), names.end(), long_name) != names.end()) return &option;
  }
  return nullptr;
}

Option cases_option(std::vector<std::string>& folders) {
  return {"--cases", &folders, "DIR", "Add your own cases", {.repeatable = true}};
}

Option suite_option(std::string& folder) {
  return {"--suite", &folder, "DIR", "Use this cases/ tree instead of the built-in suite"};
}

Option level_option(std::string& level) {
  return {"--level",
          &level,
          "must|should",
          "Exit with 1 on a broken MUST, or SHOULD as well",
          {.shown = true}};
}

Option report_option(std::vector<std::string>& reports) {
  return {"--report",
          &reports,
          "FORMAT=FILE",
          "Write a report; `rpcspec list reporters` lists the formats",
          {.repeatable = true}};
}

Option warnings_option(bool& warnings) {
  return {"--warnings", &warnings, "",
          "List warnings that pass the gate: console, SARIF, Markdown"};
}

Option verbose_option(bool& verbose) {
  return {"--verbose", &verbose, "", "Also list passing cases and notes"};
}

}  // namespace harness::cli
