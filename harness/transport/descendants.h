// SPDX-License-Identifier: Apache-2.0
// Descendants of a target that left its process group, with setsid or as daemons: they are known by
// a variable of the environment that a target is started with and all it starts inherits.
//
// We are the reaper of orphans (PR_SET_CHILD_SUBREAPER), so whoever is to be looked at is below the
// target or below us; other processes of the machine are not touched.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace harness::transport {

inline constexpr const char* kTargetVariable = "RPCSPEC_TARGET";

// A value that no other target on this machine has. Makes us the reaper of orphans.
std::string new_target_mark();

// All below this process.
std::vector<pid_t> descendants_of(pid_t process);

// Kills those of `among` and of our orphans that have the mark, and what they start meanwhile, and
// reaps them, now or at the next call. A few milliseconds at most.
void end_marked(const std::string& mark, std::vector<pid_t> among);

// This one is a child that its owner reaps.
void is_owned(pid_t process);

}  // namespace harness::transport
