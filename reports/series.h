// SPDX-License-Identifier: Apache-2.0
// The Reporter of several runs, one after the other: each is a Record of its own, and when the last
// is over the reports are written of all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/results/event.h"
#include "reports/options.h"
#include "reports/output.h"
#include "reports/progress.h"
#include "reports/record.h"
#include "reports/registry.h"

namespace reports {

class SeriesReporter final : public harness::run::Reporter {
 public:
  // Like make_all(): reports that the arguments ask for, or the first mistake in the arguments.
  static harness::Result<std::unique_ptr<SeriesReporter>> make(
      const std::vector<std::string>& arguments, const ReportOptions& options);
  ~SeriesReporter() override;

  void run_started(const harness::run::RunStarted& started) override;
  void case_started(const std::string& id) override;
  void case_finished(const harness::run::CaseResult& result) override;
  void waiting(const harness::run::Waiting& waiting) override;
  // Leaves out a run for which no case was selected.
  void run_finished(const harness::run::RunFinished& finished) override;

  // Writes the reports. `stale`: entries of the baseline that no run has used. `failure`: why the
  // whole did not pass although each run did; "" otherwise. Returns what they were written from.
  Record close(std::vector<std::string> stale, const std::string& failure);

 private:
  struct Document {
    const Format* format;
    std::unique_ptr<Output> output;
  };
  SeriesReporter(std::vector<Document> documents, const ReportOptions& options);

  std::vector<Document> documents_;
  ReportOptions options_;
  std::unique_ptr<ProgressShow> progress_;  // null if there is no terminal
  std::vector<Record> records_;
  Record current_;
  SlowStart slow_start_;
  std::size_t evidence_ = 0;  // bytes of the frames of all runs
};

}  // namespace reports
