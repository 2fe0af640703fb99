// SPDX-License-Identifier: Apache-2.0
// The table of report formats, and how `--report FORMAT=FILE` becomes a Reporter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/results/event.h"
#include "reports/options.h"
#include "reports/output.h"
#include "reports/record.h"

namespace reports {

struct Format {
  const char* name;
  const char* help;  // one line for `rpcspec list reporters`
  Render render;     // the whole report
  // Output during the run; null if everything is written at the end.
  std::unique_ptr<harness::run::Reporter> (*make)(std::unique_ptr<Output>,
                                                  const ReportOptions&) = nullptr;
};

const std::vector<Format>& formats();

// An argument "FORMAT=FILE"; "FORMAT" alone, and "-" as the file, are standard output.
struct Wanted {
  const Format* format = nullptr;
  std::string file;
};
// `option` is named in the Error.
harness::Result<Wanted> read_argument(const std::string& argument,
                                      const std::string& option = "--report");

// Reporters that write what the arguments ask for, or the first mistake in the arguments. Opens
// outputs here, so that a report that cannot be written stops the run before it starts.
harness::Result<std::vector<std::unique_ptr<harness::run::Reporter>>> make_all(
    const std::vector<std::string>& arguments, const ReportOptions& options);

// The same for a complete Record: each output is opened and written at once; the first failure is
// the Error. Colour is used only on standard output.
harness::Status write_all(const std::vector<std::string>& arguments, const Record& record,
                          const ReportOptions& options, const std::string& option = "--report");

}  // namespace reports
