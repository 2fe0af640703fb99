// SPDX-License-Identifier: Apache-2.0
// Several runs as one: shards of one run, or a server under several profiles, or several servers.
#pragma once

#include <vector>

#include "reports/record.h"

namespace reports {

// One Record that holds all. Runs of one target under one profile over one transport are shards:
// their cases stand side by side, and of a case that is in several the worst verdict counts. Else
// each case begins with what its run differs in ("server-b/mcp-2025-11-25/mcp/tools/list").
// A Record that has a name is called by it. It passes when all did.
Record merged(std::vector<Record> records);

}  // namespace reports
