// SPDX-License-Identifier: Apache-2.0
// The JSON report: one stable, versioned document. Fields are only ever added; see README.md.
#pragma once

#include <string>

#include "harness/json/value.h"
#include "reports/record.h"

namespace reports {

// How many bytes of one frame the report carries; a longer frame is cut and says so. The whole
// frame is in the transcript.
inline constexpr std::size_t kMaxFrameBytes = 16 * 1024;

harness::json::Value json_value(const Record& record, const ReportOptions& options);
// As in the report, under `methods`.
harness::json::Value methods_value(const std::vector<harness::run::DescribedMethod>& methods);
std::string render_json(const Record& record, const ReportOptions& options);

}  // namespace reports
