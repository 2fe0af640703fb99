// SPDX-License-Identifier: Apache-2.0
// A target looked at, for the commands that tell of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/cli/builtin.h"
#include "harness/contact/inspect.h"
#include "harness/target/target.h"

namespace harness::cli {

struct Look {
  std::optional<run::Inspection> seen;
  int code = 0;  // an ExitCode where nothing was seen; why is told on stderr
};

// `profile` "auto": what the target says of itself, else what is agreed. Starts the command of a
// target that has a url too, and replaces {port} in `target`.
Look look_at(target::Target& target, const Library& library, std::string profile,
             std::chrono::milliseconds timeout);

// "{name: …, arguments: …}": what of an affordance is missing.
std::string sketch(const run::Missing& missing);

}  // namespace harness::cli
