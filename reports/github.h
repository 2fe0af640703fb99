// SPDX-License-Identifier: Apache-2.0
// The report as annotations of GitHub Actions: a workflow command a cause, on standard output.
#pragma once

#include <string>

#include "reports/options.h"
#include "reports/record.h"

namespace reports {

// Ten errors and ten warnings, which is what GitHub shows for a step, and a notice of how many more
// there are. Known failures are none. Text from a target cannot begin a command.
std::string render_github(const Record& record, const ReportOptions& options);

}  // namespace reports
