// SPDX-License-Identifier: Apache-2.0
// The reference server as a Target in this process: its engine behind a scripted transport, one
// message a line as on stdio. Its clock stands still while anything else happens and jumps to its
// next timer when somebody waits, so slow tools and timeouts of the server take no time.
#pragma once

#include <string>
#include <vector>

#include "harness/contact/pool.h"

namespace harness::falsify {

// Makes a factory of sessions with a new server of this profile and with these Faults; unknown
// names are a Bug. Faults of the process around the engine do not act: extra output, reading, and
// exits.
run::MakeTransport memory_sessions(const std::string& profile,
                                   const std::vector<std::string>& faults = {});

}  // namespace harness::falsify
