// SPDX-License-Identifier: Apache-2.0
// The command `triage`, as those of command.h.
#pragma once

#include "harness/cli/options.h"

namespace harness::cli {

struct Invocation;

Command command_triage(const Invocation& invocation);

}  // namespace harness::cli
