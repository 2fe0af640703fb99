// SPDX-License-Identifier: Apache-2.0
// Reads a command line by the rows of commands. With parser.cc the only place that knows CLI11.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/options.h"

namespace harness::cli {

// What is wrong with a command line.
struct Misuse {
  const Command* command = nullptr;  // the one that was named; null when none was
  std::string called;                // "new case"
  std::string what;                  // in a sentence
  bool of_value = false;             // the sentence names the option, and nothing is to be added
  std::vector<std::string> extras;   // words that nothing was made of
};

struct Reading {
  const Command* command = nullptr;  // what was chosen; null when help or the version was asked for
  std::vector<std::string> given;    // the options that were, by their long names: "--profile"
  std::optional<Misuse> misuse;
};

struct Program {
  std::string name, help, footer;
  std::function<std::string()> version;
  std::vector<Command> commands;
};

// Fills the slots of the options that are given. Help and version are printed.
Reading read_command_line(const Program& program, std::vector<std::string> words);

// Words that are nothing but options, such as those of a target; what is wrong with them, or "".
std::string read_options(const std::vector<Option>& options, std::vector<std::string> words);

}  // namespace harness::cli
