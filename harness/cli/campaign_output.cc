// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/campaign_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "fuzz/minimizer/finding_folder.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/causes/causes.h"
#include "reports/layout.h"

namespace harness::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostReason = 400;  // bytes, as those of what was expected and seen
constexpr std::size_t kMostSaid = 160;

std::string duration_text(milliseconds time) {
  const auto seconds = time.count() / 1000;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{}:{:02} min", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02} h", seconds / 3600, seconds / 60 % 60);
}

std::uint64_t rate(std::uint64_t count, milliseconds time) {
  return time.count() <= 0 ? 0 : count * 1000 / static_cast<std::uint64_t>(time.count());
}

// What a campaign that plays few scripts waits for.
std::string waiting_for(const fuzz::Standing& now, const fuzz::Standing& before) {
  if (now.confirming > 0)
    return ", examining a suspect" +
           (now.suspect.empty() ? "" : " of " + printable(now.suspect, 60));
  if (now.ending || now.running == 0) return "";
  if ((now.starting - before.starting) * 2 > now.elapsed - before.elapsed)
    return ", waiting for the server to start";
  return now.execs == before.execs ? ", waiting for replies" : "";
}

// How things stand, in one line. Rates are those since `before`.
std::string standing_line(const fuzz::Standing& now, const fuzz::Standing& before) {
  const milliseconds since = now.elapsed - before.elapsed;
  std::string out = fmt::format("{}: {} scripts/s, {} frames/s, {} finding{}, {} behaviours",
                                duration_text(now.elapsed), rate(now.execs - before.execs, since),
                                rate(now.frames - before.frames, since), now.findings,
                                now.findings == 1 ? "" : "s", now.behaviours);
  if (now.places > 0) out += fmt::format(", {} edges", now.places);
  out += fmt::format(", corpus {}, {}, last new {} ago", now.corpus,
                     reports::counted(now.sessions, "session", "sessions"),
                     duration_text(now.elapsed - std::min(now.elapsed, now.last_new)));
  const auto part = [&](milliseconds time) {
    return now.elapsed.count() <= 0 ? 0 : time.count() * 100 / now.elapsed.count();
  };
  out += fmt::format(", starts {} %", part(now.starting));
  if (now.examining.count() > 0) out += fmt::format(", suspects {} %", part(now.examining));
  if (now.waiting > 0)
    out += ", " + reports::counted(now.waiting, "suspect waits", "suspects wait");
  return out + waiting_for(now, before);
}

reports::CampaignPoint point_of(const fuzz::Standing& now) {
  return {now.elapsed.count(), now.execs,  now.frames,  now.behaviours,
          now.places,          now.corpus, now.findings};
}

const char* plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

}  // namespace

FindingsTold::FindingsTold(std::string folder) : folder_(std::move(folder)) {
  for (const fuzz::Found& found : fuzz::findings_in(folder_)) told_.insert(found.name);
  known_ = told_.size();
}

std::vector<std::string> FindingsTold::news() const {
  std::vector<std::string> out;
  for (const fuzz::Found& found : fuzz::findings_in(folder_))
    if (ours_.contains(found.name)) out.push_back(found.name);
  return out;
}

std::string FindingsTold::of_cases() const {
  const auto found = fuzz::findings_in(folder_);
  const auto count = std::count_if(found.begin(), found.end(), [&](const fuzz::Found& one) {
    return one.has_case && ours_.contains(one.name);
  });
  const auto ours = std::count_if(found.begin(), found.end(),
                                  [&](const fuzz::Found& one) { return ours_.contains(one.name); });
  if (count == ours) return ", and a case";
  if (count == 0) return ", no case";
  return fmt::format("; {} of them {} a case", count, count == 1 ? "has" : "have");
}

void FindingsTold::tell() {
  for (const fuzz::Found& found : fuzz::findings_in(folder_)) {
    if (!told_.insert(found.name).second) continue;
    ours_.insert(found.name);
    fmt::print("found {}: expected {}; seen {}\n", printable(found.name),
               printable(found.expected, kMostSaid), printable(found.seen, kMostSaid));
  }
  std::fflush(stdout);
}

CampaignOutput::CampaignOutput(CampaignView view) : view_(std::move(view)), told_(view_.findings) {
  fmt::print("fuzzing {}, seed {}, {} worker{}; findings go to {}\n", view_.target, view_.seed,
             view_.jobs, plural(static_cast<std::uint64_t>(view_.jobs)), view_.findings);
  std::fflush(stdout);
}

void CampaignOutput::clear_line() const {
  if (view_.terminal) std::fprintf(stderr, "\r\x1b[K");
}

void CampaignOutput::tell(const fuzz::Standing& now) {
  if (now.execs > 0) curve_.add(point_of(now));
  if (printed_.profile.empty() && !now.profile.empty()) {
    fmt::print("{} over {}\n", now.profile, view_.transport);
    std::fflush(stdout);
    printed_.profile = now.profile;
  }
  if (now.findings != printed_.findings) {
    clear_line();
    told_.tell();
  }
  printed_.findings = now.findings;
  if (now.ending && now.confirming > 0 && !view_.stops_at_first &&
      !std::exchange(told_of_the_end_, true)) {
    clear_line();
    std::fprintf(stderr,
                 "stopping after one suspect is examined, for %d s at most (Ctrl-C stops at "
                 "once)\n",
                 static_cast<int>(fuzz::kLastLook.count()));
  }
  const milliseconds pause(view_.terminal ? 1000 : 10000);
  if (now.elapsed - before_.elapsed < pause || now.running == 0) return;
  clear_line();
  std::fprintf(stderr, "%s%s", standing_line(now, before_).c_str(), view_.terminal ? "" : "\n");
  before_ = now;
}

void CampaignOutput::conclude(const fuzz::CampaignEnd& ended) {
  const fuzz::Standing& last = ended.standing;
  told_.tell();
  fmt::print("{}\n", standing_line(last, {}));
  if (last.withheld > 0)
    fmt::print(
        "{} frames were left out: they would call a tool that is not allowed; to allow it, use "
        "--allow-tools NAME,… or any\n",
        last.withheld);
  if (last.flaky > 0)
    fmt::print(
        "{} more {} seen once but not again on a fresh session: not-reproducible-*.script in {}, "
        "for `rpcspec replay`\n",
        last.flaky, last.flaky == 1 ? "was" : "were", view_.findings);
  if (last.execs > 0)
    fmt::print("to repeat{}: --seed {} --execs {}{} (scripts {:016x}){}\n",
               last.by_clock ? " approximately" : "", view_.seed, last.execs,
               view_.jobs == 1 ? "" : fmt::format(" --jobs {}", view_.jobs), ended.digest,
               view_.has_corpus ? ", with the corpus as it was before" : "");
  if (last.findings > 0)
    fmt::print("{} finding{} in {}; each has a README.md and a script to replay{}\n", last.findings,
               plural(last.findings), view_.findings, told_.of_cases());
  if (const std::vector<std::string> news = told_.news(); news.size() > 1) {
    fmt::print("the worst first:\n");
    for (const std::string& name : news) fmt::print("  {}\n", printable(name));
  }
  if (last.findings == 0 && told_.known() > 0)
    fmt::print("no new findings; {} known, in {}\n", told_.known(), view_.findings);
  else if (last.findings == 0)
    fmt::print("no findings\n");
  if (last.unconfirmed > 0)
    fmt::print("{} suspect{} not confirmed: not-confirmed-*.script in {}, for `rpcspec replay`\n",
               last.unconfirmed, plural(last.unconfirmed), view_.findings);
  std::fflush(stdout);
}

reports::Campaign campaign_of(const reports::CampaignCurve& curve, const fuzz::Standing& last,
                              const FindingsTold& told) {
  constexpr std::size_t kLongScript = 64 << 10;
  reports::Campaign out;
  out.curve = curve.ended_with(point_of(last));
  for (const std::string& name : told.news()) {
    const Result<std::string> script = read_file(told.folder() + "/" + name + "/script");
    if (script && script->size() <= kLongScript) out.scripts[name] = *script;
  }
  return out;
}

reports::Campaign CampaignOutput::campaign(const fuzz::Standing& last) const {
  return campaign_of(curve_, last, told_);
}

namespace {

// What is not a finding, as a case of its own.
run::CaseResult campaign_result(const fuzz::CampaignEnd& ended, const std::string& folder) {
  const fuzz::Standing& last = ended.standing;
  run::CaseResult whole;
  whole.id = "campaign";
  whole.title = fmt::format("{} scripts, {} frames", last.execs, last.frames);
  whole.duration_ms = last.elapsed.count();
  if (ended.code != 0) {
    whole.verdict = run::Verdict::kError;
    whole.reason = printable(ended.message, kMostReason);
  } else if (last.unconfirmed > 0) {
    whole.verdict = run::Verdict::kInconclusive;
    whole.reason =
        reports::counted(last.unconfirmed, "suspect was", "suspects were") + " not confirmed";
    whole.remedy = "`rpcspec replay` of not-confirmed-*.script in " + folder;
  } else {
    whole.title += ", nothing found";
  }
  return whole;
}

}  // namespace

void report_campaign(const std::vector<run::Reporter*>& reporters, run::RunStarted begun,
                     const fuzz::CampaignEnd& ended, const std::string& folder,
                     const std::vector<std::string>& news, const spec::Registry& registry) {
  const run::CaseResult whole = campaign_result(ended, folder);
  std::vector<run::CaseResult> results;
  for (const std::string& name : news) results.push_back(fuzz::result_in(folder, name));
  const bool sound = whole.verdict == run::Verdict::kPass;
  if (news.empty() || !sound) results.push_back(whole);
  begun.profile = ended.standing.profile;
  begun.cases = results.size();
  run::RunFinished finished;
  finished.duration_ms = ended.standing.elapsed.count();
  finished.interrupted = ended.interrupted;
  finished.gate_passed = news.empty() && sound;
  if (!news.empty())
    finished.gate = "failed: " + reports::counted(news.size(), "finding", "findings");
  else
    finished.gate = sound ? "passed" : "failed: " + whole.reason;
  for (const run::CaseResult& result : results)
    ++finished.summary[run::verdict_name(result.verdict)];
  if (const spec::Profile* profile = spec::find_profile(begun.profile))
    finished.causes =
        run::causes_by_result({registry, *profile, wire::TransportKind::kUnknown, results});
  for (run::Reporter* reporter : reporters) {
    reporter->run_started(begun);
    for (const run::CaseResult& result : results) reporter->case_finished(result);
    reporter->run_finished(finished);
  }
}

}  // namespace harness::cli
