// SPDX-License-Identifier: Apache-2.0
// A JSON report read back, for reports of runs that are over.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "reports/record.h"

namespace reports {

// What `render_json` wrote. What it cut stays cut; what it does not contain is empty. The Error
// says what is wrong with the file called `name`.
harness::Result<Record> read_json(std::string_view text, const std::string& name);

}  // namespace reports
