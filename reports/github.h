// SPDX-License-Identifier: Apache-2.0
// The report as annotations of GitHub Actions: a workflow command a cause, on standard output.
#pragma once

#include <string>

#include "reports/options.h"
#include "reports/record.h"

namespace reports {

// Ten of errors and ten of warnings, which is what GitHub shows of a step, and a notice of how many
// more there are. Known failures are none. What a target said cannot begin a command of its own.
std::string render_github(const Record& record, const ReportOptions& options);

}  // namespace reports
