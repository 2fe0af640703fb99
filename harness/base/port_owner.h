// SPDX-License-Identifier: Apache-2.0
// Which processes of this machine a TCP port belongs to.
#pragma once

#include <cstdint>
#include <vector>

namespace harness {

// The processes that listen at the port, at any address; empty where none does, or where the system
// does not tell whose it is (/proc, and of other users' processes nothing).
std::vector<long> processes_at(std::uint16_t port);

}  // namespace harness
