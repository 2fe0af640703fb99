// SPDX-License-Identifier: Apache-2.0
// The same story several times at one time, on the thread of the caller.
#pragma once

#include <functional>

#include "harness/session/session.h"

namespace harness::cli {

// Ends when all of them have ended; then throws the exception of one, if any. `times` is at least
// 1.
session::awaitable<void> side_by_side(int times, std::function<session::awaitable<void>()> story);

}  // namespace harness::cli
