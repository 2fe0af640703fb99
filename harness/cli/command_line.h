// SPDX-License-Identifier: Apache-2.0
// What all commands have in common on the command line: groups and examples in their help, and a
// sentence for each way to get it wrong.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/parser.h"

namespace harness::cli {

// The meaning of the exit codes of rpcspec.
std::string exit_codes();

// The text for a user who gives no arguments.
std::string greeting();

// Turns `help`, `help run`, `help new case` into the words that mean it: `--help`, `run --help`, …
std::vector<std::string> without_help_command(std::vector<std::string> words);

// What is wrong with the word in the place of the command; "" if it names one, or is an option.
std::string unknown_command(const std::vector<Command>& commands,
                            const std::vector<std::string>& words);

// Groups commands and options, adds examples, checks profiles. Call it after all commands are
// added.
void arrange(std::vector<Command>& commands);

// Examples of a command, "" if it has none. Used by help and the manual.
std::vector<std::string> examples_of(const std::string& command);

// One sentence: what is wrong with the words, and what to write.
std::string complaint_about(const Misuse& misuse, const std::vector<std::string>& words,
                            const Invocation& invocation);

}  // namespace harness::cli
