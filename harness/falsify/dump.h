// SPDX-License-Identifier: Apache-2.0
// Dump: everything that a run tells of the reference server in memory, as one line of JSON for each
// Fault and setting: verdicts, findings, causes. Two dumps are compared to see what a change of the
// engine has changed; dump.py writes them, dump_diff.py compares them.
#pragma once

#include <string>

#include "harness/falsify/matrix.h"
#include "harness/json/value.h"

namespace harness::falsify {

// What the runner tells of the cases of the play, in the words of dump.py; never its times.
json::Value told(const suite::Suite& suite, const spec::Registry& registry, const Play& play);

// Writes a line for each play, in their order, each played in a process of its own. A play in which
// the process of the server and ours ended, or that took too long, says so.
Status dump(const suite::Suite& suite, const spec::Registry& registry,
            const std::vector<Play>& plays, int jobs, const std::string& path);

}  // namespace harness::falsify
