// SPDX-License-Identifier: Apache-2.0
// The `mcpServers` JSON in which MCP clients list the servers they start or connect to.
#pragma once

#include <optional>
#include <string>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/target/fields.h"

namespace harness::target {

// Reads the entry `name` of the list `servers` into `out`; a list of one needs no name (""). The
// Error names a line and a column of `source`.
std::optional<Error> read_client_list(const Source& source, const json::Value& servers,
                                      const std::string& name, Target& out);

}  // namespace harness::target
