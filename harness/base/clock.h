// SPDX-License-Identifier: Apache-2.0
// The clock of every wait: steady, and never adjusted. A wait that wakes late checks once more what
// has come before it reports silence (session/session_waits.cc).
#pragma once

#include <chrono>

namespace harness {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

}  // namespace harness
