// SPDX-License-Identifier: Apache-2.0
// The pages of `--help` and `--help-all`, made of the rows that the command line is read by.
#pragma once

#include <string>

#include "harness/cli/options.h"
#include "harness/cli/parser.h"

namespace harness::cli {

// The page of the whole program: its commands by group.
std::string help_page(const Program& program);

// The page of a command; `called` is "run" or "new case". Leaves out rare options, with a line that
// names --help-all, unless `all`. Only lines of a footer may be longer than 100 columns.
std::string help_page(const Program& program, const Command& command, const std::string& called,
                      bool all);

}  // namespace harness::cli
