// SPDX-License-Identifier: Apache-2.0
// A target from a file and from the command line.
#pragma once

#include <string>
#include <vector>

#include "harness/target/target.h"

namespace harness::target {

struct Beside {
  std::vector<std::string> command;  // for a file that names none; empty: the file names one
  std::string url;                   // overrides the address in the file; "" keeps it
};

// Like load_target(), without an address on the command line.
Result<Target> read_target(const std::string& reference, Beside beside);

}  // namespace harness::target
