// SPDX-License-Identifier: Apache-2.0
#include "reports/merge.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/base/words.h"

namespace reports {
namespace {

namespace run = harness::run;
namespace wire = harness::wire;
using run::Verdict;

// The higher, the more there is to do.
int weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNotApplicable: return 0;
    case Verdict::kPass: return 1;
    case Verdict::kInconclusive: return 2;
    case Verdict::kWarn: return 3;
    case Verdict::kFlaky: return 4;
    case Verdict::kError: return 5;
    case Verdict::kFail: return 6;
  }
  return 0;
}

int weight(const std::string& status) {
  for (const Verdict verdict : {Verdict::kNotApplicable, Verdict::kPass, Verdict::kInconclusive,
                                Verdict::kWarn, Verdict::kFlaky, Verdict::kError, Verdict::kFail})
    if (status == run::verdict_name(verdict)) return weight(verdict);
  return -1;  // not_covered
}

// "node-server.js" of "node ./server.js": letters, digits, dots and hyphens.
std::string slug(const std::string& text) {
  constexpr std::size_t kMost = 40;
  std::string out;
  for (const char c : harness::printable(text)) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    // A dot only within a word: "./" is none.
    const bool within = c == '.' && !out.empty() && out.back() != '-' && out.back() != '.';
    const bool plain = letter || c == '_' || within;
    if (plain)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
    if (out.size() == kMost) break;
  }
  while (!out.empty() && (out.back() == '-' || out.back() == '.')) out.pop_back();
  return out.empty() ? "run" : out;
}

std::set<std::string> all(const std::vector<Record>& records,
                          std::string run::RunStarted::*member) {
  std::set<std::string> out;
  for (const Record& record : records) out.insert(record.started.*member);
  return out;
}

// What each run differs in from the others. Equal for shards.
std::vector<std::string> names_of(const std::vector<Record>& records) {
  const bool targets = all(records, &run::RunStarted::target).size() > 1;
  const bool profiles = all(records, &run::RunStarted::profile).size() > 1;
  const bool transports = all(records, &run::RunStarted::transport).size() > 1;
  std::vector<std::string> names;
  std::map<std::string, std::string> slugs;  // of targets
  std::set<std::string> taken;
  for (const Record& record : records) {
    if (!record.name.empty()) {
      names.push_back(slug(record.name));
      continue;
    }
    const run::RunStarted& started = record.started;
    std::string name;
    if (targets && !slugs.contains(started.target)) {
      const std::string base = slug(started.target);
      std::string mine = base;
      for (int i = 2; !taken.insert(mine).second; ++i) mine = base + "-" + std::to_string(i);
      slugs[started.target] = mine;
    }
    if (targets) name = slugs[started.target];
    if (profiles) name += (name.empty() ? "" : "/") + slug(started.profile);
    if (transports) name += (name.empty() ? "" : "/") + slug(started.transport);
    names.push_back(name);
  }
  return names;
}

void rename(Record& record, const std::string& prefix) {
  if (prefix.empty()) return;
  const std::string front = prefix + "/";
  for (run::CaseResult& result : record.cases) result.id = front + result.id;
  for (run::Cause& cause : record.finished.causes)
    for (run::FindingRef& ref : cause.findings) ref.case_id = front + ref.case_id;
  for (run::CoverageRow& row : record.finished.coverage)
    for (std::string& name : row.cases) name = front + name;
  for (std::string& entry : record.finished.stale) entry = front + entry;
}

// Adds what another shard says of the same case. Returns how many findings stood before.
std::size_t add_result(run::CaseResult& to, run::CaseResult from) {
  const std::size_t before = to.findings.size();
  std::uint64_t last = 0;
  auto frames = std::make_shared<wire::Transcript>();
  if (to.transcript) *frames = *to.transcript;
  for (const wire::Frame& frame : frames->frames) last = std::max(last, frame.seq);
  if (from.transcript)
    for (wire::Frame frame : from.transcript->frames) {
      frame.seq += last;
      frames->frames.push_back(std::move(frame));
    }
  for (harness::oracle::Finding& finding : from.findings) {
    for (std::uint64_t& seq : finding.frames) seq += last;
    to.findings.push_back(std::move(finding));
  }
  if (!frames->frames.empty()) to.transcript = std::move(frames);
  to.duration_ms += from.duration_ms;
  for (std::string& note : from.notes)
    if (std::find(to.notes.begin(), to.notes.end(), note) == to.notes.end())
      to.notes.push_back(std::move(note));
  const bool failed = to.verdict == Verdict::kFail && from.verdict == Verdict::kFail;
  if (weight(from.verdict) > weight(to.verdict)) {
    to.verdict = from.verdict;
    to.baselined = from.baselined;
    to.reason = from.reason;
    to.remedy = from.remedy;
    to.replay = from.replay;
  } else if (failed) {
    to.baselined &= from.baselined;
  }
  return before;
}

void add_coverage(std::vector<run::CoverageRow>& rows, std::map<std::string, std::size_t>& places,
                  run::CoverageRow row) {
  const auto [place, is_new] = places.emplace(row.requirement, rows.size());
  if (is_new) {
    rows.push_back(std::move(row));
    return;
  }
  run::CoverageRow& known = rows[place->second];
  if (weight(row.status) > weight(known.status)) known.status = row.status;
  for (std::string& name : row.cases)
    if (std::find(known.cases.begin(), known.cases.end(), name) == known.cases.end())
      known.cases.push_back(std::move(name));
}

class Merger {
 public:
  void add(Record record, const std::string& name) {
    rename(record, name);
    add_origin(record.origin);
    if (record.parts.empty()) {
      for (const run::CoverageRow& row : record.finished.coverage)
        add_status(row.requirement, name, row.status);
      out_.parts.push_back({name, record.started, record.finished.duration_ms, record.finished.gate,
                            record.finished.gate_passed, record.finished.summary});
    }
    for (const auto& [requirement, statuses] : record.by_part)
      for (const auto& [part, status] : statuses)
        add_status(requirement, joined_names(name, part), status);
    for (Part& part : record.parts) {
      part.name = joined_names(name, part.name);
      out_.parts.push_back(std::move(part));
    }
    std::map<std::string, std::size_t> shifted;  // case → findings that stood before
    for (run::CaseResult& result : record.cases) {
      const auto [place, is_new] = places_.emplace(result.id, out_.cases.size());
      if (is_new)
        out_.cases.push_back(std::move(result));
      else
        shifted[result.id] = add_result(out_.cases[place->second], result);
    }
    for (run::Cause& cause : record.finished.causes) {
      for (run::FindingRef& ref : cause.findings)
        if (const auto shift = shifted.find(ref.case_id); shift != shifted.end())
          ref.finding += shift->second;
      add_cause(std::move(cause));
    }
    for (run::CoverageRow& row : record.finished.coverage)
      add_coverage(out_.finished.coverage, rows_, std::move(row));
    for (std::string& entry : record.finished.stale)
      if (std::find(out_.finished.stale.begin(), out_.finished.stale.end(), entry) ==
          out_.finished.stale.end())
        out_.finished.stale.push_back(std::move(entry));
    for (run::SurfaceChange& one : record.finished.surface)
      out_.finished.surface.push_back(std::move(one));
    for (run::NotCalled& one : record.finished.not_called)
      if (tools_.insert(one.tool).second) out_.finished.not_called.push_back(std::move(one));
    for (auto& [method, trips] : record.latencies) {
      RoundTrips& all_trips = out_.latencies[method];
      all_trips.count += trips.count;
      all_trips.times_us.insert(all_trips.times_us.end(), trips.times_us.begin(),
                                trips.times_us.end());
    }
    for (std::string& profile : record.finished.unjudged)
      if (std::find(unjudged_.begin(), unjudged_.end(), profile) == unjudged_.end())
        unjudged_.push_back(std::move(profile));
    out_.finished.duration_ms += record.finished.duration_ms;
    if (out_.finished.partial.empty()) out_.finished.partial = record.finished.partial;
    out_.finished.interrupted |= record.finished.interrupted;
    out_.finished.level_should |= record.finished.level_should;
  }

  Record take() {
    std::stable_sort(out_.finished.causes.begin(), out_.finished.causes.end(),
                     [](const run::Cause& a, const run::Cause& b) {
                       return weight(a.verdict) > weight(b.verdict);
                     });
    for (const run::CaseResult& result : out_.cases)
      ++out_.finished.summary[run::verdict_name(result.verdict)];
    std::size_t failed = 0;
    bool written = false;
    std::string gate;
    for (const Part& part : out_.parts) {
      written |= part.gate == run::kPassedAsKnown;
      if (part.gate_passed) continue;
      ++failed;
      gate = (part.name.empty() ? "" : part.name + ": ") + part.gate;
    }
    out_.finished.gate_passed = failed == 0;
    if (failed == 0)
      out_.finished.gate = written                         ? run::kPassedAsKnown
                           : out_.finished.partial.empty() ? "passed"
                                                           : run::kPassedInPart;
    else if (failed > 1)
      gate = "failed: " + std::to_string(failed) + " of " + std::to_string(out_.parts.size()) +
             " runs failed";
    if (failed > 0) out_.finished.gate = gate;
    for (std::string& profile : unjudged_)
      if (std::none_of(out_.parts.begin(), out_.parts.end(),
                       [&](const Part& part) { return part.started.profile == profile; }))
        out_.finished.unjudged.push_back(std::move(profile));
    const run::RunFinished finished = out_.finished;
    finish(out_, finished);
    out_.started.cases = out_.cases.size();
    return std::move(out_);
  }

  run::RunStarted& started() { return out_.started; }

 private:
  static std::string joined_names(const std::string& front, const std::string& name) {
    return front.empty() || name.empty() ? front + name : front + "/" + name;
  }

  // What all have in common; the first of all began.
  void add_origin(const Origin& origin) {
    if (out_.parts.empty()) out_.origin = origin;
    Origin& known = out_.origin;
    if (known.repository != origin.repository) known.repository.clear();
    if (known.commit != origin.commit) known.commit.clear();
    if (known.branch != origin.branch) known.branch.clear();
    if (known.run != origin.run) known.run.clear();
    if (known.file != origin.file) known.file.clear();
    if (known.time.empty() || (!origin.time.empty() && origin.time < known.time))
      known.time = origin.time;
  }

  // Of shards the worst counts.
  void add_status(const std::string& requirement, const std::string& part,
                  const std::string& status) {
    std::string& known = out_.by_part[requirement][part];
    if (known.empty() || weight(status) > weight(known)) known = status;
  }

  // One cause in several runs is one.
  void add_cause(run::Cause cause) {
    for (run::Cause& known : out_.finished.causes) {
      if (known.requirement != cause.requirement || known.title != cause.title ||
          known.verdict != cause.verdict)
        continue;
      for (run::FindingRef& ref : cause.findings) known.findings.push_back(std::move(ref));
      known.baselined &= cause.baselined;
      return;
    }
    out_.finished.causes.push_back(std::move(cause));
  }

  Record out_;
  std::map<std::string, std::size_t> places_;  // of cases
  std::map<std::string, std::size_t> rows_;    // of coverage
  std::set<std::string> tools_;                // that were not called
  std::vector<std::string> unjudged_;          // in some run
};

}  // namespace

Record merged(std::vector<Record> records) {
  if (records.size() == 1) return std::move(records.front());
  const std::vector<std::string> names = names_of(records);
  Merger merger;
  merger.started() = records.empty() ? run::RunStarted{} : records.front().started;
  merger.started().target = harness::joined(all(records, &run::RunStarted::target));
  merger.started().profile = harness::joined(all(records, &run::RunStarted::profile));
  merger.started().transport = harness::joined(all(records, &run::RunStarted::transport));
  for (std::size_t i = 0; i < records.size(); ++i) merger.add(std::move(records[i]), names[i]);
  return merger.take();
}

}  // namespace reports
