// SPDX-License-Identifier: Apache-2.0
// The clock that every wait goes by: steady, and never put off. Who wakes late looks once more at
// what has come before it calls that a silence (session/session_waits.cc).
#pragma once

#include <chrono>

namespace harness {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

}  // namespace harness
