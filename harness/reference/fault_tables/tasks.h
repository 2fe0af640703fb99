// SPDX-License-Identifier: Apache-2.0
// Faults of tasks, of 2025-11-25 and of the extension.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kTasksFaults[] = {
    {"task-unknown-other-code", "2025-11-25: an unknown task is refused with -32603"},
    {"task-cancelled-twice", "2025-11-25: a task that is over can be cancelled"},
};

}  // namespace harness::reference
