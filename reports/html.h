// SPDX-License-Identifier: Apache-2.0
// The HTML report: one file that needs nothing beside it and asks nothing of any network.
#pragma once

#include <cstddef>
#include <string>

#include "reports/record.h"

namespace reports {

// About as many bytes of data are kept at most: of each run, and of all together. The page says
// what is left out.
inline constexpr std::size_t kMostHtmlData = 800'000, kMostHtmlOfSeveral = 9'000'000;

std::string render_html(const Record& record, const ReportOptions& options);

// The same page with only the matrix: causes in rows, runs in columns. A failed cell opens the
// frames that show it.
std::string render_matrix(const Record& record, const ReportOptions& options);

}  // namespace reports
