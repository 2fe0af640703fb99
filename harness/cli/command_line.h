// SPDX-License-Identifier: Apache-2.0
// What all commands have in common on the command line: groups and examples in their help, and a
// sentence for each way to get it wrong.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/parser.h"

namespace harness::cli {

// What the codes mean that rpcspec ends with.
std::string exit_codes();

// What is shown to who types nothing.
std::string greeting();

// `help`, `help run`, `help new case` as the words that mean it: `--help`, `run --help`, …
std::vector<std::string> without_help_command(std::vector<std::string> words);

// What is wrong with the word that should name a command; "" where it does, or is an option.
std::string unknown_command(const std::vector<Command>& commands,
                            const std::vector<std::string>& words);

// Groups commands and options, adds examples, checks profiles. Once all commands are there.
void arrange(std::vector<Command>& commands);

// Examples of a command, "" where it has none. For help and for the manual.
std::vector<std::string> examples_of(const std::string& command);

// One sentence about what is wrong with the words, and what to write.
std::string complaint_about(const Misuse& misuse, const std::vector<std::string>& words,
                            const Invocation& invocation);

}  // namespace harness::cli
