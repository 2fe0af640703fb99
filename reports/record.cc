// SPDX-License-Identifier: Apache-2.0
#include "reports/record.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "reports/curl.h"

namespace reports {

namespace run = harness::run;
namespace wire = harness::wire;

namespace {

constexpr std::size_t kMuchEvidence = 8 << 20;  // of all frames together
constexpr std::size_t kLongFrame = 32 << 10;    // bytes kept of a frame, more than any report shows
constexpr std::size_t kShortFrame = 512;        // and of one that no finding names, or beyond much
constexpr std::size_t kMostAround = 16;         // frames that no finding names, of one case

// Of the frames that no finding names, those before the first and after the last that one does: how
// the conversation came there and went on.
std::set<std::size_t> frames_around(const std::vector<wire::Frame>& frames,
                                    const std::set<std::uint64_t>& named) {
  std::set<std::size_t> around;
  for (std::size_t i = 0; i < frames.size() && around.size() < kMostAround; ++i) {
    constexpr std::size_t kNear = 3;
    bool near = false;
    for (std::size_t j = i < kNear ? 0 : i - kNear; j <= i + kNear && j < frames.size(); ++j)
      near |= named.contains(frames[j].seq);
    if (near && !named.contains(frames[i].seq)) around.insert(i);
  }
  return around;
}

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
  const std::set<std::size_t> around = frames_around(transcript->frames, named);
  auto quoted = std::make_shared<wire::Transcript>();
  for (std::size_t i = 0; i < transcript->frames.size(); ++i) {
    const bool beside = around.contains(i);
    if (!beside && !named.contains(transcript->frames[i].seq)) continue;
    wire::Frame kept = wire::beginning_of(transcript->frames[i]);
    const bool much = record.evidence > kMuchEvidence;
    if (beside && (much || result.id.starts_with("oracle/"))) continue;
    const std::size_t most = much || beside ? kShortFrame : kLongFrame;
    if (kept.bytes.size() > most) kept.bytes.resize(most);
    kept.bytes.shrink_to_fit();
    record.evidence += kept.bytes.size();
    quoted->frames.push_back(std::move(kept));
  }
  transcript = std::move(quoted);
}

void finish(Record& record, const run::RunFinished& finished) {
  record.finished = finished;
  for (run::Cause& cause : record.finished.causes) {
    if (!cause.curl.empty() || cause.findings.empty()) continue;
    const run::FindingRef& shows = cause.findings.front();
    if (const run::CaseResult* result = result_of(record, shows))
      cause.curl = curl_of(*result, result->findings[shows.finding]);
  }
  if (record.campaign) return;  // its findings come the worst first
  std::stable_sort(record.cases.begin(), record.cases.end(),
                   [](const run::CaseResult& a, const run::CaseResult& b) { return a.id < b.id; });
}

const run::CaseResult* result_of(const Record& record, const run::FindingRef& ref) {
  for (const run::CaseResult& result : record.cases)
    if (result.id == ref.case_id && ref.finding < result.findings.size()) return &result;
  return nullptr;
}

bool is_told_by_failures(const Record& record, const run::CaseResult& result) {
  std::set<std::size_t> told;
  for (const run::Cause& cause : record.finished.causes)
    for (const run::FindingRef& ref : cause.findings)
      if (cause.verdict == run::Verdict::kFail && ref.case_id == result.id)
        told.insert(ref.finding);
  return !told.empty() && told.size() == result.findings.size();
}

const Part* part_of(const Record& record, const std::string& case_id) {
  const Part* found = nullptr;
  for (const Part& part : record.parts)
    if (!part.name.empty() && case_id.starts_with(part.name + "/") &&
        (found == nullptr || part.name.size() > found->name.size()))
      found = &part;
  return found;
}

const std::string& profile_of(const Record& record, const std::string& case_id) {
  const Part* part = part_of(record, case_id);
  return part != nullptr ? part->started.profile : record.started.profile;
}

bool side_by_side(const Record& record) {
  return record.parts.size() > 1 && !record.parts.front().name.empty();
}

std::string area_of(const Record& record, const std::string& case_id) {
  const Part* part = part_of(record, case_id);
  const std::size_t begin = part != nullptr ? part->name.size() + 1 : 0;
  const std::size_t first = case_id.find('/', begin);
  const std::size_t second = first == std::string::npos ? first : case_id.find('/', first + 1);
  return case_id.substr(0, second == std::string::npos ? first : second);
}

std::string area_within(const Record& record, const std::string& case_id) {
  const Part* part = part_of(record, case_id);
  return area_of(record, case_id).substr(part != nullptr ? part->name.size() + 1 : 0);
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

Recorder::Recorder(std::shared_ptr<const Campaign> campaign) : campaign_(std::move(campaign)) {}

void Recorder::run_started(const run::RunStarted& started) { record_.started = started; }

void Recorder::case_finished(const run::CaseResult& result) {
  // What proves the findings of oracles was seen, and measured, in the cases; that of campaigns is
  // what kills or stalls.
  if (result.transcript && !campaign_ && !result.id.starts_with("oracle/"))
    add_round_trips(record_.latencies, *result.transcript);
  add_case(record_, result);
}

void Recorder::run_finished(const run::RunFinished& finished) {
  record_.campaign = campaign_;
  finish(record_, finished);
  finished_ = true;
}

Record& Recorder::unfinished() {
  run::RunFinished so_far;
  so_far.interrupted = true;
  so_far.gate = "failed: the run did not come to its end";
  so_far.gate_passed = false;
  for (const run::CaseResult& result : record_.cases)
    ++so_far.summary[run::verdict_name(result.verdict)];
  record_.campaign = campaign_;
  finish(record_, so_far);
  return record_;
}

Documents::Documents(ReportOptions options)
    : Recorder(options.campaign), options_(std::move(options)) {}

void Documents::add(Render render, std::unique_ptr<Output> output) {
  documents_.push_back({render, std::move(output)});
}

void Documents::case_finished(const run::CaseResult& result) {
  Recorder::case_finished(result);
  save();
}

void Documents::save() {
  constexpr std::chrono::seconds kEvery{5};
  const auto now = std::chrono::steady_clock::now();
  if (options_.campaign || now - saved_ < kEvery) return;  // a campaign has files of its own
  const Record& so_far = unfinished();
  for (const Document& document : documents_)
    document.output->save(document.render(so_far, options_));
  saved_ = std::chrono::steady_clock::now();
}

void Documents::run_finished(const run::RunFinished& finished) {
  Recorder::run_finished(finished);
  for (const Document& document : documents_) {
    document.output->stream() << document.render(record(), options_);
    commit_or_tell(*document.output, options_);
  }
}

}  // namespace reports
