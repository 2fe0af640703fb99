// SPDX-License-Identifier: Apache-2.0
// Dump: everything that a run tells of the reference server in memory, as one line of JSON for each
// Fault and setting: verdicts, findings, causes. Two dumps are compared to see the effect of a
// change of the engine; dump.py writes them, dump_diff.py compares them.
#pragma once

#include <string>

#include "harness/falsify/matrix.h"
#include "harness/json/value.h"

namespace harness::falsify {

// What the runner reports about the cases of the play, in the terms of dump.py; never its times.
json::Value told(const suite::Suite& suite, const spec::Registry& registry, const Play& play);

// Writes one line for each play, in their order; each play has its own process. If the processes of
// the server and of rpcspec ended, or the play took too long, the line says so.
Status dump(const suite::Suite& suite, const spec::Registry& registry,
            const std::vector<Play>& plays, int jobs, const std::string& path);

}  // namespace harness::falsify
