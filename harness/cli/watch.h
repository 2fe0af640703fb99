// SPDX-License-Identifier: Apache-2.0
// run --watch: the cases are played again whenever files of the server change.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/target/target.h"

namespace harness::cli {

// The files that a command depends on: those it names, with everything in and below their folders;
// the working directory if it names none. Leaves out hidden files, node_modules and __pycache__.
struct WatchedFiles {
  std::vector<std::string> folders;
  std::vector<std::string> ignored;  // files that rpcspec itself writes
};
Result<WatchedFiles> files_of(const target::Target& target,
                              const std::vector<std::string>& written);

// Plays cases (all if `only` is empty) in a separate process. Returns the exit code, and the ids of
// failed cases that count for the gate.
using PlayCases =
    std::function<int(const std::vector<std::string>& only, std::vector<std::string>& failed)>;

// Plays everything; after each change first the cases that failed, then everything. A change ends
// the current play. Returns after an interrupt.
int watch(const WatchedFiles& files, const PlayCases& play);

}  // namespace harness::cli
