// SPDX-License-Identifier: Apache-2.0
// The commands and their options as completions and the manual show them.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.h"

namespace harness::cli {

// The possible values of an option.
enum class Values {
  kNone,  // no completion
  kWords,
  kFile,
  kFolder,
  kListed,  // the names that `rpcspec list` shows for the kinds in `words`
};

struct OptionRow {
  std::string name;        // "--profile"; "" for a positional argument
  std::string value_name;  // "NAME"; "" for a flag
  std::string help;        // one line
  bool takes_value = false;
  bool repeatable = false;
  Values values = Values::kNone;
  std::vector<std::string> words;
};

struct CommandRow {
  std::string name;  // "run"
  std::string help;  // one line
  std::vector<OptionRow> options;
};

std::vector<CommandRow> option_table(const std::vector<Command>& commands);

}  // namespace harness::cli
