// SPDX-License-Identifier: Apache-2.0
// The report for people at a terminal: a progress line while the run goes on, then what needs
// attention, most important first, and the summary where the eye ends up.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "harness/run/event.h"
#include "reports/record.h"

namespace reports {

// The page printed at the end, without the progress line.
std::string render_console(const Record& record, const ReportOptions& options);

struct Progress {
  std::size_t done = 0, total = 0, failed = 0;
  std::chrono::milliseconds since_start{0};
  std::string case_id;  // of those in progress the one that began first; or the last that ended
  std::chrono::milliseconds in_case{0};  // for how long it has been in progress
};
// The progress line, at most `columns` wide:
// "[ 123/310] 2 failed, about 4 s left  mcp/tools/call 1.2 s".
std::string progress_line(const Progress& progress, std::size_t columns);

std::unique_ptr<harness::run::Reporter> make_console(std::unique_ptr<Output> output,
                                                     const ReportOptions& options);

}  // namespace reports
