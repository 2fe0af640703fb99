// SPDX-License-Identifier: Apache-2.0
// Reads a command line by the rows of commands. With parser.cc the only place that includes CLI11.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/options.h"

namespace harness::cli {

// What is wrong with a command line.
struct Misuse {
  const Command* command = nullptr;  // the command that was named; null if none was
  std::string called;                // "new case"
  std::string what;                  // in a sentence
  bool of_value = false;             // the sentence is complete: it names the option
  std::vector<std::string> extras;   // words that were not understood
};

struct Reading {
  const Command* command = nullptr;  // the chosen command; null for help or the version
  std::vector<std::string> given;    // the options that were given, by their long names:
                                     // "--profile"
  std::optional<Misuse> misuse;
};

struct Program {
  std::string name, help, footer;
  std::function<std::string()> version;
  std::vector<Command> commands;
};

// Fills the slots of the options that are given. Prints help and version.
Reading read_command_line(const Program& program, std::vector<std::string> words);

// Reads words that are only options, such as those of a target; returns what is wrong with them, or
// "".
std::string read_options(const std::vector<Option>& options, std::vector<std::string> words);

}  // namespace harness::cli
