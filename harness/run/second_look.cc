// SPDX-License-Identifier: Apache-2.0
#include "harness/run/second_look.h"

#include <algorithm>
#include <utility>

#include "harness/suite/case_traits.h"

namespace harness::run {

using suite::SessionHistory;

namespace {

// A silence that was only believed, or that a latecomer put in doubt, is no judgement yet.
bool doubtful(const Judgement& judgement) {
  const auto failures = static_cast<std::size_t>(std::count_if(
      judgement.played.findings.begin(), judgement.played.findings.end(),
      [](const oracle::Finding& finding) { return finding.severity == oracle::Severity::kFail; }));
  return judgement.played.doubtful || (failures > 0 && judgement.played.missed >= failures);
}

// Nothing is wrong but that nothing more was answered for as long as it was waited.
bool only_hung(const Judgement& judgement) {
  return std::all_of(judgement.played.findings.begin(), judgement.played.findings.end(),
                     [](const oracle::Finding& finding) {
                       return finding.severity != oracle::Severity::kFail ||
                              finding.symptom == oracle::Symptom::kHang;
                     });
}

}  // namespace

void doubt(Entry& entry) {
  entry.judgement.played.doubtful = true;
  entry.again = true;
}

void doubt_among_others(Entry& entry) {
  entry.among_others = !entry.judgement.played.doubtful;
  doubt(entry);
}

bool unsure(const Judgement& judgement) {
  return judgement.verdict == Verdict::kFail || judgement.played.doubtful;
}

bool ended_oddly(const suite::Case& scenario, const Judgement& judgement) {
  return judgement.verdict == Verdict::kWarn && judgement.shared && disconnects(scenario) &&
         bearable(scenario) == SessionHistory::kAny;
}

Look second_look_at(const Entry& entry) {
  return entry.judgement.played.doubtful && !entry.among_others ? Look::kPatient : Look::kAlone;
}

bool plain(const Judgement& judgement) {
  const PlayedCase& played = judgement.played;
  const bool settled = !played.doubtful && !played.believed && !played.contradicted &&
                       !played.in_vain && played.missed == 0 && !judgement.reused;
  return settled && std::all_of(played.findings.begin(), played.findings.end(),
                                [](const oracle::Finding& finding) {
                                  return finding.severity != oracle::Severity::kFail ||
                                         (finding.symptom == oracle::Symptom::kAnswer &&
                                          finding.sure);
                                });
}

bool may_share_second_look(const Entry& entry) {
  const suite::Case& scenario = *entry.scenario;
  const bool content = scenario.need == suite::Need::kReady ||
                       (scenario.need == suite::Need::kDisposable && !suite::disconnects(scenario));
  return content && scenario.client_capabilities.is_null() && scenario.answers.is_null() &&
         !suite::may_reconnect(scenario) && plain(entry.judgement);
}

Confirmation confirmation(const Judgement& first, const Judgement& second, bool served_on) {
  if (first.verdict != Verdict::kFail) return Confirmation::kSecond;
  if (second.verdict == Verdict::kInconclusive) return Confirmation::kFirst;
  // What was worth a warning again is no less so because worse was seen once.
  const bool passes_now =
      second.verdict == Verdict::kPass || second.verdict == Verdict::kNotApplicable;
  const bool was_late = served_on && only_hung(first);
  return passes_now && !doubtful(first) && !was_late ? Confirmation::kFlaky : Confirmation::kSecond;
}

void take_second(Entry& entry, Judgement second, bool served_on) {
  switch (confirmation(entry.judgement, second, served_on)) {
    case Confirmation::kFirst:
      return;
    case Confirmation::kFlaky:
      entry.result.reason = entry.shared
                                ? "it failed on a session it shared, and not alone on a fresh one"
                                : "it failed once, and not when it was played again";
      entry.judgement.verdict = Verdict::kFlaky;
      return;
    case Confirmation::kSecond:
      entry.judgement = std::move(second);
      return;
  }
}

}  // namespace harness::run
