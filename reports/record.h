// SPDX-License-Identifier: Apache-2.0
// Record: all Events of one run, kept. Formats that are one document are pure functions from a
// Record to text; Documents is the Reporter around such functions.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/event.h"
#include "reports/campaign.h"
#include "reports/latency.h"
#include "reports/options.h"
#include "reports/origin.h"
#include "reports/output.h"

namespace reports {

// One of the runs that a report of several is made of.
struct Part {
  std::string name;  // what its cases begin with; "" for shards of one run
  harness::run::RunStarted started;
  std::int64_t duration_ms = 0;
  std::string gate;
  bool gate_passed = true;
  std::map<std::string, std::size_t> summary;  // a count per verdict name
};

struct Record {
  std::string name;  // what it is called among others; "" for what its run differs in
  harness::run::RunStarted started;
  std::size_t evidence = 0;                     // bytes of the frames that are kept
  std::vector<harness::run::CaseResult> cases;  // by id, whatever order they finished in
  harness::run::RunFinished finished;
  Latencies latencies;
  std::vector<Part> parts;                   // empty for one run
  // Of a requirement: its status in each part of that name to which it applies.
  std::map<std::string, std::map<std::string, std::string>> by_part;
  std::shared_ptr<const Campaign> campaign;  // null where it was none
  Origin origin;  // of a report that was read; that of a run is in ReportOptions
};

// Adds a result. Of its evidence the frames are kept that findings name, as far as a report shows
// them, and those around them in short; little of each when there is very much of it in a run.
void add_case(Record& record, const harness::run::CaseResult& result);
void finish(Record& record, const harness::run::RunFinished& finished);

// The result that a cause refers to, whose findings include that one; null when it was not told.
const harness::run::CaseResult* result_of(const Record& record,
                                          const harness::run::FindingRef& ref);

// The run that the case belongs to in a report of several; null for shards and where there is one.
const Part* part_of(const Record& record, const std::string& case_id);
// The profile that it was judged under.
const std::string& profile_of(const Record& record, const std::string& case_id);
// Whether its runs have names, so that one stands beside another.
bool side_by_side(const Record& record);

// "mcp/tools" of "mcp/tools/list/pages": what a case belongs to. What the cases of a run begin with
// in a report of several stays in front.
std::string area_of(const Record& record, const std::string& case_id);
// The same without what stands in front.
std::string area_within(const Record& record, const std::string& case_id);

using Render = std::string (*)(const Record&, const ReportOptions&);

// Keeps the Record of one run.
class Recorder : public harness::run::Reporter {
 public:
  // `campaign` as in ReportOptions.
  explicit Recorder(std::shared_ptr<const Campaign> campaign = {});
  void run_started(const harness::run::RunStarted& started) override;
  void case_finished(const harness::run::CaseResult& result) override;
  void run_finished(const harness::run::RunFinished& finished) override;

  bool finished() const { return finished_; }  // the run told how it ended
  const Record& record() const { return record_; }
  Record take() { return std::move(record_); }

 private:
  std::shared_ptr<const Campaign> campaign_;
  Record record_;
  bool finished_ = false;
};

// Writes documents of one Record when the run is over.
class Documents final : public Recorder {
 public:
  explicit Documents(ReportOptions options);
  void add(Render render, std::unique_ptr<Output> output);
  void run_finished(const harness::run::RunFinished& finished) override;

 private:
  struct Document {
    Render render;
    std::unique_ptr<Output> output;
  };
  std::vector<Document> documents_;
  ReportOptions options_;
};

// Commits the output and tells the user when that fails.
void commit_or_tell(Output& output, const ReportOptions& options);

}  // namespace reports
