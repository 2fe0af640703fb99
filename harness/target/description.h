// SPDX-License-Identifier: Apache-2.0
// A target from a file, and from what was said beside it on a command line.
#pragma once

#include <string>
#include <vector>

#include "harness/target/target.h"

namespace harness::target {

struct Beside {
  std::vector<std::string> command;  // of a file that names none; empty: it names one
  std::string url;                   // in place of the file's address; "": its own
};

// As load_target(), which has no address beside the file.
Result<Target> read_target(const std::string& reference, Beside beside);

}  // namespace harness::target
