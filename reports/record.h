// SPDX-License-Identifier: Apache-2.0
// Record: all Events of one run, kept. Formats that are one document are pure functions from a
// Record to text; Documents is the Reporter around such functions.
#pragma once

#include <chrono>
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
  std::string name;  // the prefix of its cases; "" for shards of one run
  harness::run::RunStarted started;
  std::int64_t duration_ms = 0;
  std::string gate;
  bool gate_passed = true;
  std::map<std::string, std::size_t> summary;  // a count per verdict name
};

struct Record {
  std::string name;  // its name among others; "" if it is named by what it differs in
  harness::run::RunStarted started;
  std::size_t evidence = 0;                     // bytes of the kept frames
  std::vector<harness::run::CaseResult> cases;  // by id, whatever order they finished in
  harness::run::RunFinished finished;
  Latencies latencies;
  std::vector<Part> parts;  // empty for one run
  // For a requirement: its status in each part with that name to which it applies.
  std::map<std::string, std::map<std::string, std::string>> by_part;
  std::shared_ptr<const Campaign> campaign;  // null if it was not a campaign
  Origin origin;  // of a report that was read; for a run it is in ReportOptions
};

// Adds a result. Of its evidence, it keeps the frames that findings name, as far as a report shows
// them, and those around them shortened; less of each if a run has very much of it.
void add_case(Record& record, const harness::run::CaseResult& result);
void finish(Record& record, const harness::run::RunFinished& finished);

// The result that a cause refers to, whose findings include that one; null if it was not reported.
const harness::run::CaseResult* result_of(const Record& record,
                                          const harness::run::FindingRef& ref);

// Whether each of its findings belongs to a cause that fails: a case that fails only behind others,
// as the cause says.
bool is_told_by_failures(const Record& record, const harness::run::CaseResult& result);

// The run of the case in a report of several; null for shards and if there is only one.
const Part* part_of(const Record& record, const std::string& case_id);
// The profile under which it was judged.
const std::string& profile_of(const Record& record, const std::string& case_id);
// Whether its runs have names, so that they are shown side by side.
bool side_by_side(const Record& record);

// "mcp/tools" of "mcp/tools/list/pages": the topic of a case. In a report of several runs, the
// prefix of a run's cases is kept.
std::string area_of(const Record& record, const std::string& case_id);
// The same without the prefix.
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

  bool finished() const { return finished_; }  // the run has reported its end
  const Record& record() const { return record_; }
  Record take() { return std::move(record_); }

 protected:
  // The record as if the run was interrupted now; it goes on.
  Record& unfinished();

 private:
  std::shared_ptr<const Campaign> campaign_;
  Record record_;
  bool finished_ = false;
};

// Writes documents of one Record at the end of the run. Until then files hold what was found up to
// some seconds ago, as an interrupted run: whatever ends rpcspec, no older report takes its place.
class Documents final : public Recorder {
 public:
  explicit Documents(ReportOptions options);
  void add(Render render, std::unique_ptr<Output> output);
  void case_finished(const harness::run::CaseResult& result) override;
  void run_finished(const harness::run::RunFinished& finished) override;

 private:
  void save();

  struct Document {
    Render render;
    std::unique_ptr<Output> output;
  };
  std::vector<Document> documents_;
  ReportOptions options_;
  std::chrono::steady_clock::time_point saved_;
};

// Commits the output and tells the user when that fails.
void commit_or_tell(Output& output, const ReportOptions& options);

}  // namespace reports
