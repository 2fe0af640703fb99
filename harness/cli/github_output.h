// SPDX-License-Identifier: Apache-2.0
// GithubOutput: what rpcspec says to GitHub Actions by itself, when GITHUB_ACTIONS is set:
// annotations, and the summary of the step. Elsewhere it does nothing.
#pragma once

#include <cstdio>
#include <string>

#include "reports/options.h"
#include "reports/record.h"

namespace harness::cli {

class GithubOutput {
 public:
  // From now on no line that is printed is a workflow command: a target's text stands in them.
  // `stdout_is_a_report`: stdout holds a document, so stderr is spoken on.
  explicit GithubOutput(bool stdout_is_a_report);
  ~GithubOutput();
  GithubOutput(const GithubOutput&) = delete;
  GithubOutput& operator=(const GithubOutput&) = delete;

  bool active() const { return active_; }
  // The annotations, and a Markdown report at the end of the file GITHUB_STEP_SUMMARY names.
  void tell(const reports::Record& record, const reports::ReportOptions& options);

 private:
  void resume();

  bool active_;
  std::FILE* stream_;
  std::string token_;  // "" while commands are heard
};

}  // namespace harness::cli
