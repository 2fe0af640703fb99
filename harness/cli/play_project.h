// SPDX-License-Identifier: Apache-2.0
// A project played: every target of rpcspec.yaml under each of its profiles, then the campaigns,
// and one report of it all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace harness::cli {

struct ProjectOptions {
  std::string reference;             // FILE or FILE#TARGET
  std::vector<std::string> reports;  // FORMAT=FILE, beside those of the file
  std::uint64_t rate = 0;            // of campaigns; 0: as the file says
  bool yes_remote = false;
  bool quiet = false, verbose = false, warnings = false;
  bool quick = false;  // the survey of each target alone, and no campaign
};

// Reads it and all that it names as playing it does, and says what would be played; nothing is
// started but commands that print secrets. Returns the exit code.
int check_project(const std::string& file, const Invocation& invocation);

// Returns the exit code, the gravest of all that was played.
int play_project(const ProjectOptions& options, const Invocation& invocation);

}  // namespace harness::cli
