// SPDX-License-Identifier: Apache-2.0
// The SARIF 2.1.0 report, for code scanning: a rule a clause, a result a breach.
#pragma once

#include <string>

#include "reports/record.h"

namespace reports {

std::string render_sarif(const Record& record, const ReportOptions& options);

}  // namespace reports
