// SPDX-License-Identifier: Apache-2.0
// The reference server as a Target in this process: its engine behind a scripted transport, one
// message a line as on stdio. Its clock stands still while anything else happens and jumps to its
// next timer when somebody waits for it, so slow tools and timeouts of the server take no time.
#pragma once

#include <memory>

#include "harness/reference/faults.h"
#include "harness/reference/server_profile.h"
#include "harness/transport/transport.h"

namespace harness::falsify {

// A server as new, with these Faults. Those of the process around the engine do not act: what it
// prints besides, how it reads, how it ends.
std::unique_ptr<transport::Transport> memory_target(const reference::ServerProfile& profile,
                                                    const reference::Faults& faults);

}  // namespace harness::falsify
