// SPDX-License-Identifier: Apache-2.0
// Project: what rpcspec.yaml says: the targets of a project, how each is played, and what is
// written of it all. Reading it starts only the commands that print secrets.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/cli/run_plan.h"
#include "harness/target/target.h"

namespace harness::cli {

inline constexpr const char* kProjectFile = "rpcspec.yaml";

struct ProjectRun {
  target::Target target;
  RunSettings settings;
};

struct ProjectCampaign {
  target::Target target;
  FuzzSettings settings;
  std::string place;  // of `fuzz` in the file
};

struct Project {
  std::string file;
  std::vector<ProjectRun> runs;            // in the order of the file: one per target and profile
  std::vector<ProjectCampaign> campaigns;  // those come last: one per target and profile
  std::vector<std::string> reports;        // "FORMAT=FILE"
};

// `reference` is FILE or FILE#TARGET, one target alone. Errors are file:line:column, what is wrong
// and what to write instead. Relative paths in it start at its folder.
Result<Project> read_project(const std::string& reference);

}  // namespace harness::cli
