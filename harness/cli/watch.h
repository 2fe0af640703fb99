// SPDX-License-Identifier: Apache-2.0
// run --watch: the cases are played again whenever files of the server change.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/target/target.h"

namespace harness::cli {

// The files that a command is made of: those that it names with all that stand in their folders and
// below, or the working directory where it names none. What is hidden, node_modules and __pycache__
// are left out.
struct WatchedFiles {
  std::vector<std::string> folders;
  std::vector<std::string> ignored;  // files that rpcspec writes itself
};
Result<WatchedFiles> files_of(const target::Target& target,
                              const std::vector<std::string>& written);

// Plays cases, all where `only` is empty, in a process of its own. Returns the exit code, and ids
// of cases that failed and gate.
using PlayCases =
    std::function<int(const std::vector<std::string>& only, std::vector<std::string>& failed)>;

// Plays everything; at each change what failed before, then everything. A change ends what is being
// played. Returns when it is interrupted.
int watch(const WatchedFiles& files, const PlayCases& play);

}  // namespace harness::cli
