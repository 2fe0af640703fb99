// SPDX-License-Identifier: Apache-2.0
// The commands and their options as rows, taken from what is parsed: what completions and the
// manual are made of.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace harness::cli {

// What may stand as the value of an option.
enum class Values {
  kNone,  // nothing that could be completed
  kWords,
  kFile,
  kFolder,
  kListed,  // the names that `rpcspec list` has of the kinds in `words`
};

struct OptionRow {
  std::string name;        // "--profile"; "" of a word that stands by itself
  std::string value_name;  // "NAME"; "" of a flag
  std::string help;        // one line
  std::string group;
  bool takes_value = false;
  bool repeatable = false;
  Values values = Values::kNone;
  std::vector<std::string> words;
};

struct CommandRow {
  std::string name;  // "run"
  std::string help;  // one line
  std::string group;
  std::string footer;
  std::vector<OptionRow> options;
};

std::vector<CommandRow> option_table(const CLI::App& app);

}  // namespace harness::cli
