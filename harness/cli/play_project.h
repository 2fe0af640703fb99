// SPDX-License-Identifier: Apache-2.0
// A project played: every target of rpcspec.yaml under each of its profiles, then the campaigns,
// and one report of it all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/target/target.h"
#include "reports/record.h"

namespace harness::cli {

struct ProjectOptions {
  std::string reference;             // FILE or FILE#TARGET
  std::vector<std::string> reports;  // FORMAT=FILE, in addition to those of the file
  std::string format = "console";    // on stdout, if no report goes there
  std::uint64_t rate = 0;            // of campaigns; 0: the value of the file
  bool yes_remote = false;
  bool quiet = false, verbose = false, warnings = false;
  bool quick = false;  // only the survey of each target, and no campaign
};

// Reads the file and everything it names as play does, and prints what would be played; starts only
// commands that print secrets. Returns the exit code.
int check_project(const std::string& file, const Invocation& invocation);

// The higher, the more severe.
int gravity(int exit_code);
// What a report says of a run that ended with `code`: also of one that never began, which must not
// look as if nothing had been wrong. `why` may be "".
reports::Record record_of(reports::Recorder& recorder, int code, const target::Target& target,
                          const std::string& profile, const std::string& why);

// Returns the most severe exit code of all that was played.
int play_project(const ProjectOptions& options, const Invocation& invocation);

}  // namespace harness::cli
