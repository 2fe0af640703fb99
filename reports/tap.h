// SPDX-License-Identifier: Apache-2.0
// The TAP 14 report: a test point a case, with its evidence in a YAML block.
#pragma once

#include <string>

#include "reports/record.h"

namespace reports {

std::string render_tap(const Record& record, const ReportOptions& options);

}  // namespace reports
