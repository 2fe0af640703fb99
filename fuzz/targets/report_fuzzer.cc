// SPDX-License-Identifier: Apache-2.0
// What a run makes of hostile sessions: oracles, causes, every report. An input is Transcripts
// (story.h) with lines of `---` between them, a case each. Beside what the oracles find, each
// received frame is a finding of its case, about one of the clauses that count: what a case expects
// is up to who writes it.
//
//   1. Each finding that fails or warns belongs to exactly one cause, and is there.
//   2. A cause cites a clause of the catalogue, and its words are fit for a terminal.
//   3. Every report is UTF-8 without control characters, and of bounded length.
//   4. The JSON report reads back as the same causes.
//   5. All of it is the same each time.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "fuzz/targets/catalogue.h"
#include "fuzz/targets/story.h"
#include "harness/base/text.h"
#include "harness/causes/causes.h"
#include "harness/oracle/oracle.h"
#include "reports/formats.h"
#include "reports/read_json.h"
#include "reports/registry.h"

using namespace harness;
using fuzz::hold;

namespace {

constexpr std::size_t kMostReport = 16'000'000;

std::vector<std::string> clauses_of(const spec::Profile& profile, wire::TransportKind transport) {
  std::vector<std::string> out;
  for (const spec::Requirement& one : fuzz::catalogue().all())
    if (spec::applies(one, profile, transport)) out.push_back(one.id);
  return out;
}

oracle::Observation came_in(const wire::Frame& frame) {
  oracle::Observation out;
  if (frame.channel == wire::Channel::kExit || frame.channel == wire::Channel::kClose)
    out.came = oracle::Ended{printable(frame.bytes, 60), frame.channel == wire::Channel::kExit};
  else
    out = oracle::observed(wire::read_message(frame.bytes));
  if (frame.head) out.status = frame.head->status;
  return out;
}

// A finding for each frame of the server, and for our last one: nothing came.
void add_expectations(run::CaseResult& result, const std::vector<std::string>& clauses) {
  std::uint64_t ours = 0;
  const auto add = [&](oracle::Observation came, std::uint64_t seq) {
    oracle::Finding finding;
    finding.requirement = clauses[(seq * 7919 + result.findings.size()) % clauses.size()];
    finding.severity = seq % 3 == 0 ? oracle::Severity::kWarn : oracle::Severity::kFail;
    finding.row = seq % 5 == 0 ? "a row" : "";
    finding.expected = "something else";
    finding.seen = "this";
    finding.wanted.result = seq % 2 == 0;
    finding.wanted.error = seq % 2 == 1;
    finding.wanted.codes = {-32600 - static_cast<std::int64_t>(seq % 4)};
    finding.came = std::move(came);
    if (ours != 0) finding.frames.push_back(ours);
    if (seq != ours) finding.frames.push_back(seq);
    result.findings.push_back(std::move(finding));
  };
  for (const wire::Frame& frame : result.transcript->frames) {
    if (frame.direction == wire::Direction::kSent)
      ours = frame.seq;
    else if (frame.channel != wire::Channel::kStderr)
      add(came_in(frame), frame.seq);
  }
  if (ours != 0 && result.transcript->frames.back().seq == ours) {
    oracle::Observation nothing;
    nothing.came = oracle::Nothing{};
    nothing.canary_answered = ours % 2 == 0;
    add(std::move(nothing), ours);
  }
}

run::Verdict verdict_of(const run::CaseResult& result) {
  run::Verdict out = run::Verdict::kPass;
  for (const oracle::Finding& finding : result.findings) {
    if (finding.severity == oracle::Severity::kFail) return run::Verdict::kFail;
    if (finding.severity == oracle::Severity::kWarn) out = run::Verdict::kWarn;
  }
  return out;
}

run::CaseResult new_result(std::string id, const std::vector<std::string>& clauses) {
  run::CaseResult out;
  out.title = "Title of " + id;
  out.id = std::move(id);
  out.level = "MUST";
  out.requirements = clauses;
  out.replay = "rpcspec run --select " + out.id;
  return out;
}

std::vector<run::CaseResult> results_of(std::string_view text, const spec::Profile& profile,
                                        wire::TransportKind transport) {
  const std::vector<std::string> clauses = clauses_of(profile, transport);
  std::vector<run::CaseResult> out;
  std::map<std::string, run::CaseResult> of_oracles;
  while (!text.empty() && out.size() < 12) {
    const std::size_t end = text.find("\n---\n");
    run::CaseResult result = new_result("a/part-" + std::to_string(out.size()),
                                        {clauses[(out.size() * 131) % clauses.size()]});
    const auto transcript =
        std::make_shared<wire::Transcript>(fuzz::recorded_or_story(text.substr(0, end)));
    text.remove_prefix(end == text.npos ? text.size() : end + 5);
    result.transcript = transcript;
    const oracle::Evidence evidence(*transcript, profile, fuzz::catalogue());
    for (oracle::Finding& finding : oracle::judge(evidence)) {
      auto [entry, fresh] = of_oracles.try_emplace(finding.oracle);
      if (fresh) {
        entry->second = new_result("oracle/" + finding.oracle, {finding.requirement});
        entry->second.transcript = transcript;
      }
      if (entry->second.transcript == transcript && finding.severity != oracle::Severity::kInfo)
        entry->second.findings.push_back(std::move(finding));
    }
    add_expectations(result, clauses);
    out.push_back(std::move(result));
  }
  for (auto& [name, result] : of_oracles) out.push_back(std::move(result));
  for (run::CaseResult& result : out) result.verdict = verdict_of(result);
  return out;
}

void check_words(const std::string& words, const char* what) {
  hold(!words.empty(), what);
  hold(is_utf8(words), "words are UTF-8", words);
  hold(printable(words, words.size()) == words, "words are fit for a terminal", words);
}

void check_causes(const std::vector<run::Cause>& causes,
                  const std::vector<run::CaseResult>& results) {
  std::map<std::pair<std::string, std::size_t>, int> told;
  for (const run::Cause& cause : causes) {
    hold(fuzz::catalogue().find(cause.requirement) != nullptr, "a cause cites a clause",
         cause.requirement);
    hold(!cause.findings.empty(), "a cause has findings", cause.title);
    check_words(cause.title, "a cause has a title");
    check_words(cause.sentence, "a cause has a sentence");
    for (const run::FindingRef& ref : cause.findings) ++told[{ref.case_id, ref.finding}];
  }
  for (const run::CaseResult& result : results) {
    for (std::size_t i = 0; i < result.findings.size(); ++i) {
      const auto found = told.find({result.id, i});
      hold(found != told.end() && found->second == 1, "a finding belongs to one cause",
           result.id + " " + result.findings[i].requirement);
      told.erase(found);
    }
  }
  hold(told.empty(), "a cause has only findings that are there");
}

struct Told {
  std::vector<run::Cause> causes;
  std::vector<std::string> reports;
};

Told told(std::string_view text, const spec::Profile& profile, wire::TransportKind transport) {
  std::vector<run::CaseResult> results = results_of(text, profile, transport);
  Told out;
  out.causes = run::causes_of({fuzz::catalogue(), profile, transport, results});
  check_causes(out.causes, results);
  reports::Record record;
  record.started.target = "a server";
  record.started.profile = profile.name;
  record.started.transport = wire::transport_name(transport);
  run::RunFinished finished;
  for (const run::CaseResult& result : results) {
    ++finished.summary[run::verdict_name(result.verdict)];
    reports::add_case(record, result);
  }
  finished.causes = out.causes;
  finished.gate = "failed";
  finished.gate_passed = false;
  reports::finish(record, finished);
  reports::ReportOptions options;
  options.requirement = [](const std::string& id) { return fuzz::catalogue().find(id); };
  options.verbose = options.warnings = true;
  for (const reports::Format& format : reports::formats()) {
    std::string report = format.render(record, options);
    hold(report.size() < kMostReport, "a report is of bounded length", format.name);
    hold(is_utf8(report), "a report is UTF-8", format.name);
    hold(std::none_of(
             report.begin(), report.end(),
             [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }),
         "a report has no control characters", format.name);
    if (std::string_view(format.name) == "json") {
      const auto again = reports::read_json(report, "again");
      hold(static_cast<bool>(again), "the JSON report can be read");
      hold(again->finished.causes.size() == out.causes.size(), "and has the same causes");
    }
    out.reports.push_back(std::move(report));
  }
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const wire::Transcript first = fuzz::recorded_or_story(text.substr(0, text.find("\n---\n")));
  const spec::Profile* profile = spec::find_profile(first.profile);
  if (profile == nullptr) profile = &spec::profiles()[size % spec::profiles().size()];
  // The catalogue here has not the clauses of language servers and agents.
  if (profile->name == "lsp" || profile->name.starts_with("acp")) return 0;
  if (clauses_of(*profile, first.transport).empty()) return 0;
  const Told once = told(text, *profile, first.transport);
  const Told again = told(text, *profile, first.transport);
  hold(once.reports == again.reports, "a report is the same each time");
  return 0;
}
