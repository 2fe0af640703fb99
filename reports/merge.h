// SPDX-License-Identifier: Apache-2.0
// Several runs as one: shards of one run, or a server under several profiles, or several servers.
#pragma once

#include <vector>

#include "reports/record.h"

namespace reports {

// One Record that holds all. Runs of one target under one profile over one transport are shards:
// their cases are merged, and if several have the same case, the worst verdict counts. Otherwise
// each case begins with what its run differs in ("server-b/mcp-2025-11-25/mcp/tools/list"). A
// Record with a name is called by it. The whole passes if all did.
Record merged(std::vector<Record> records);

}  // namespace reports
