// SPDX-License-Identifier: Apache-2.0
// JUnit XML as CI servers read it; junit.xsd beside this file is the dialect we promise.
#pragma once

#include <string>

#include "reports/record.h"

namespace reports {

std::string render_junit(const Record& record, const ReportOptions& options);

}  // namespace reports
