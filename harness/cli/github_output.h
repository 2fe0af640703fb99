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
  // From now on GitHub executes no printed line as a workflow command, because output may contain a
  // target's text.
  // `stdout_is_a_report`: stdout holds a document, so commands go to stderr.
  explicit GithubOutput(bool stdout_is_a_report);
  ~GithubOutput();
  GithubOutput(const GithubOutput&) = delete;
  GithubOutput& operator=(const GithubOutput&) = delete;

  bool active() const { return active_; }
  // The annotations, and a Markdown report appended to the file that GITHUB_STEP_SUMMARY names.
  void tell(const reports::Record& record, const reports::ReportOptions& options);

 private:
  void resume();

  bool active_;
  std::FILE* stream_;
  std::string token_;  // "" while workflow commands are active
};

}  // namespace harness::cli
