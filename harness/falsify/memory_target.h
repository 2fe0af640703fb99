// SPDX-License-Identifier: Apache-2.0
// The reference server as a Target in this process: its engine behind a scripted transport, one
// message a line as on stdio. Its clock stands still while anything else happens and jumps to its
// next timer when somebody waits for it, so slow tools and timeouts of the server take no time.
#pragma once

#include <string>
#include <vector>

#include "harness/contact/pool.h"

namespace harness::falsify {

// What makes sessions with a server of this profile, as new each time, with these Faults; unknown
// names are a Bug. Faults of the process around the engine do not act: what it prints besides, how
// it reads, how it ends.
run::MakeTransport memory_sessions(const std::string& profile,
                                   const std::vector<std::string>& faults = {});

}  // namespace harness::falsify
