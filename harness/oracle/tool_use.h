// SPDX-License-Identifier: Apache-2.0
// The history of tool calls in the messages of sampling/createMessage: uses and results of tools
// belong together (2025-11-25 and later).
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"

namespace harness::oracle {

// The clauses that the messages break, each once. Null, or anything but a list of messages, breaks
// none: the oracle `shapes` reports that.
std::vector<std::string> slips_of_tool_use(const json::Value* messages);

}  // namespace harness::oracle
