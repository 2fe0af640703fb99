// SPDX-License-Identifier: Apache-2.0
// JSON text of a user's file, read into a Value with line and column, so that every complaint about
// the file can point at the place. Messages from a target are read by read.h, without places.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/read.h"

namespace harness::json {

// `name` is the file name used in errors: "name:line:column: what; remedy".
Result<Value> read_marked(std::string_view text, const std::string& name,
                          const ReadLimits& limits = {});

}  // namespace harness::json
