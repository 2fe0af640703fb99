// SPDX-License-Identifier: Apache-2.0
// Faults of prompts and of completion.
#pragma once

#include "harness/reference/faults.h"

namespace harness::reference {

inline constexpr FaultRow kPromptsFaults[] = {
    {"declared-feature-missing",
     "Tutorial: prompts are declared and prompts/list is answered with -32601"},
    {"arguments-type-unchecked",
     "Arguments of a tool or prompt that are no object are taken as none"},
};

}  // namespace harness::reference
