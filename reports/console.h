// SPDX-License-Identifier: Apache-2.0
// The report for people at a terminal: a progress line while the run goes on, then what needs
// attention, most important first, and the summary where the eye ends up.
#pragma once

#include <memory>
#include <string>

#include "harness/run/event.h"
#include "reports/record.h"

namespace reports {

// The page printed at the end, without the progress line.
std::string render_console(const Record& record, const ReportOptions& options);

// The progress line, at most `columns` wide: "[ 123/310] 2 failed  jsonrpc/id/string-echo".
std::string progress_line(std::size_t done, std::size_t total, std::size_t failed,
                          const std::string& case_id, std::size_t columns);

std::unique_ptr<harness::run::Reporter> make_console(std::unique_ptr<Output> output,
                                                     const ReportOptions& options);

}  // namespace reports
