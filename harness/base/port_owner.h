// SPDX-License-Identifier: Apache-2.0
// Finds the processes of this machine that own a TCP port.
#pragma once

#include <cstdint>
#include <vector>

namespace harness {

// The processes that listen on the port, on any address; empty if there is none, or if /proc does
// not show it (it hides processes of other users).
std::vector<long> processes_at(std::uint16_t port);

}  // namespace harness
