// SPDX-License-Identifier: Apache-2.0
// `run --targets`: many servers, each judged by a run of its own, and one report of all. What was
// judged stays in a folder, so who is stopped goes on there, and several machines can share it.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/command.h"
#include "harness/cli/run_plan.h"

namespace harness::cli {

struct FleetOptions {
  std::string targets;   // a file or a folder
  std::string into;      // of reports
  TargetOptions target;  // what holds for each
  RunSettings settings;  // likewise; `shard` is one of targets
  std::vector<std::string> reports;
  std::string format = "console";
  bool quiet = false, verbose = false, warnings = false;
};

// One of them: its name, which no other has, and what --target calls it.
struct FleetTarget {
  std::string name, reference;
};

// Those in an mcpServers file, in a project file or in a description, or in all such files in a
// folder; of a folder in it the file target.yaml. By name. An Error is a file that is none of
// these, or a folder without any.
Result<std::vector<FleetTarget>> read_fleet(const std::string& path);

// Returns the gravest exit code of those in the shard.
int play_fleet(const FleetOptions& options, const Invocation& invocation);

}  // namespace harness::cli
