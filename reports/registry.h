// SPDX-License-Identifier: Apache-2.0
// The table of report formats, and how `--report FORMAT=FILE` becomes a Reporter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/run/event.h"
#include "reports/options.h"
#include "reports/output.h"

namespace reports {

struct Format {
  const char* name;
  const char* help;  // one line for `rpcspec list reporters`
  std::unique_ptr<harness::run::Reporter> (*make)(std::unique_ptr<Output>, const ReportOptions&);
};

const std::vector<Format>& formats();

// The reporter called `format`, writing to `file`; "-" or "" is stdout. The output is opened here,
// so that a report that cannot be written stops the run before it starts.
harness::Result<std::unique_ptr<harness::run::Reporter>> make(const std::string& format,
                                                              const std::string& file,
                                                              const ReportOptions& options);

// The same from one argument "FORMAT=FILE"; "FORMAT" alone is stdout.
harness::Result<std::unique_ptr<harness::run::Reporter>> make_from_argument(
    const std::string& argument, const ReportOptions& options);
// One for each argument, or what is wrong with the first that is.
harness::Result<std::vector<std::unique_ptr<harness::run::Reporter>>> make_all(
    const std::vector<std::string>& arguments, const ReportOptions& options);

}  // namespace reports
