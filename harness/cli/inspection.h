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
  int code = 0;  // an ExitCode if nothing was seen; the reason is on stderr
};

// `profile` "auto": the one in the target description, otherwise the negotiated one. Starts the
// command of a target that also has a URL, and replaces {port} in `target`.
Look look_at(target::Target& target, const Library& library, std::string profile,
             std::chrono::milliseconds timeout);

// "{name: …, arguments: …}": the missing members of an affordance.
std::string sketch(const run::Missing& missing);

}  // namespace harness::cli
