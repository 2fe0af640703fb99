// SPDX-License-Identifier: Apache-2.0
// Record: all Events of one run, kept. Formats that are one document are pure functions from a
// Record to text; WholeDocument is the Reporter around such a function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/run/event.h"
#include "reports/options.h"
#include "reports/output.h"

namespace reports {

struct Record {
  harness::run::RunStarted started;
  std::size_t evidence = 0;  // bytes of the frames that are kept
  std::vector<harness::run::CaseResult> cases;  // by id, whatever order they finished in
  harness::run::RunFinished finished;
};

// Adds a result. Of its evidence the frames are kept that findings name, as far as a report shows
// them, and little of each when there is very much of it in a run.
void add_case(Record& record, const harness::run::CaseResult& result);
void finish(Record& record, const harness::run::RunFinished& finished);

// The result that a cause refers to, whose findings include that one; null when it was not told.
const harness::run::CaseResult* result_of(const Record& record,
                                          const harness::run::FindingRef& ref);

using Render = std::string (*)(const Record&, const ReportOptions&);

class WholeDocument final : public harness::run::Reporter {
 public:
  WholeDocument(Render render, std::unique_ptr<Output> output, ReportOptions options);
  void run_started(const harness::run::RunStarted& started) override;
  void case_finished(const harness::run::CaseResult& result) override;
  void run_finished(const harness::run::RunFinished& finished) override;

 private:
  Render render_;
  std::unique_ptr<Output> output_;
  ReportOptions options_;
  Record record_;
};

// Commits the output and tells the user when that fails.
void commit_or_tell(Output& output, const ReportOptions& options);

}  // namespace reports
