// SPDX-License-Identifier: Apache-2.0
// The Markdown report, for a comment or the summary of a CI step: causes first, in the dialect of
// GitHub and GitLab.
#pragma once

#include <string>

#include "reports/record.h"

namespace reports {

std::string render_markdown(const Record& record, const ReportOptions& options);

}  // namespace reports
