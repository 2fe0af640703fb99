// SPDX-License-Identifier: Apache-2.0
#include "reports/record.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

namespace reports {

namespace run = harness::run;
namespace wire = harness::wire;

namespace {

constexpr std::size_t kMuchEvidence = 8 << 20;  // of all frames together
constexpr std::size_t kLongFrame = 32 << 10;    // bytes kept of a frame, more than any report shows
constexpr std::size_t kShortFrame = 512;        // and beyond much evidence

}  // namespace

void add_case(Record& record, const run::CaseResult& result) {
  record.cases.push_back(result);
  auto& transcript = record.cases.back().transcript;
  if (!transcript) return;
  std::set<std::uint64_t> named;
  for (const harness::oracle::Finding& finding : result.findings)
    named.insert(finding.frames.begin(), finding.frames.end());
  if (named.empty()) {
    transcript.reset();
    return;
  }
  auto quoted = std::make_shared<wire::Transcript>();
  for (const wire::Frame& frame : transcript->frames) {
    if (!named.contains(frame.seq)) continue;
    wire::Frame kept = wire::beginning_of(frame);
    const std::size_t most = record.evidence > kMuchEvidence ? kShortFrame : kLongFrame;
    if (kept.bytes.size() > most) kept.bytes.resize(most);
    kept.bytes.shrink_to_fit();
    record.evidence += kept.bytes.size();
    quoted->frames.push_back(std::move(kept));
  }
  transcript = std::move(quoted);
}

void finish(Record& record, const run::RunFinished& finished) {
  record.finished = finished;
  std::stable_sort(record.cases.begin(), record.cases.end(),
                   [](const run::CaseResult& a, const run::CaseResult& b) { return a.id < b.id; });
}

const run::CaseResult* result_of(const Record& record, const run::FindingRef& ref) {
  for (const run::CaseResult& result : record.cases)
    if (result.id == ref.case_id && ref.finding < result.findings.size()) return &result;
  return nullptr;
}

void commit_or_tell(Output& output, const ReportOptions& options) {
  const harness::Status status = output.commit();
  if (status) return;
  if (options.on_error) {
    options.on_error(status.error());
  } else {
    std::cerr << "rpcspec: " << status.error().text() << "\n";
  }
}

WholeDocument::WholeDocument(Render render, std::unique_ptr<Output> output, ReportOptions options)
    : render_(render), output_(std::move(output)), options_(std::move(options)) {}

void WholeDocument::run_started(const run::RunStarted& started) { record_.started = started; }

void WholeDocument::case_finished(const run::CaseResult& result) { add_case(record_, result); }

void WholeDocument::run_finished(const run::RunFinished& finished) {
  finish(record_, finished);
  output_->stream() << render_(record_, options_);
  commit_or_tell(*output_, options_);
}

}  // namespace reports
