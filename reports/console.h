// SPDX-License-Identifier: Apache-2.0
// The report for people at a terminal: a progress line while the run goes on, then what needs
// attention, most important first, and the summary where the eye ends up.
#pragma once

#include <memory>
#include <string>

#include "harness/results/event.h"
#include "reports/record.h"

namespace reports {

// The page printed at the end, without the progress line.
std::string render_console(const Record& record, const ReportOptions& options);

std::unique_ptr<harness::run::Reporter> make_console(std::unique_ptr<Output> output,
                                                     const ReportOptions& options);

}  // namespace reports
