// SPDX-License-Identifier: Apache-2.0
#include "harness/run/second_look.h"

#include <algorithm>
#include <set>
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

// kHang: nothing is wrong but that nothing more was answered for as long as it was waited.
bool fails_only_by(oracle::Symptom symptom, const Judgement& judgement) {
  return std::all_of(judgement.played.findings.begin(), judgement.played.findings.end(),
                     [symptom](const oracle::Finding& finding) {
                       return finding.severity != oracle::Severity::kFail ||
                              oracle::symptom_of(finding) == symptom;
                     });
}

// A warning rests on a response that was not waited for as long as a slow server needs.
bool warns_of_silence(const Judgement& judgement) {
  if (judgement.verdict != Verdict::kWarn || !judgement.played.believed) return false;
  return std::any_of(judgement.played.findings.begin(), judgement.played.findings.end(),
                     [](const oracle::Finding& finding) {
                       return oracle::symptom_of(finding) == oracle::Symptom::kSilence &&
                              !finding.wanted.error && !finding.wanted.silence;
                     });
}

// Some failure of the second is one of the first: the verdict alone may come of something else,
// such as a process that another case had ended.
bool show_the_same(const Judgement& first, const Judgement& second) {
  std::set<std::string> before;
  for (const oracle::Finding& finding : first.played.findings)
    if (finding.severity == oracle::Severity::kFail) before.insert(oracle::identity_of(finding));
  return std::any_of(second.played.findings.begin(), second.played.findings.end(),
                     [&](const oracle::Finding& finding) {
                       return finding.severity == oracle::Severity::kFail &&
                              before.count(oracle::identity_of(finding)) != 0;
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
  return judgement.verdict == Verdict::kFail || judgement.played.doubtful ||
         warns_of_silence(judgement);
}

bool ended_oddly(const suite::Case& scenario, const Judgement& judgement) {
  return judgement.verdict == Verdict::kWarn && judgement.shared && disconnects(scenario) &&
         bearable(scenario) == SessionHistory::kAny;
}

bool is_foreseen(const Judgement& judgement) {
  return judgement.played.foreseen > 0 &&
         judgement.played.foreseen == judgement.played.findings.size();
}

void settle_unconfirmed(Entry& entry, const std::string& why) {
  Judgement& first = entry.judgement;
  if (!unsure(first)) return;  // it was an oracle that wanted to look again
  if (first.verdict != Verdict::kFail || doubtful(first)) {
    first = not_played("its output was not read to the end: " + why);
    return;
  }
  // The first look does not wait long.
  if (first.played.believed && fails_only_by(oracle::Symptom::kSilence, first)) {
    first = not_played("a response was missing, and there was no time to wait longer: " + why);
    return;
  }
  for (oracle::Finding& finding : first.played.findings)
    if (finding.severity == oracle::Severity::kFail) {
      finding.seen += " (not confirmed: it was not played again, because " + why + ")";
      finding.sure = false;
    }
}

Look second_look_at(const Entry& entry) {
  return entry.judgement.played.doubtful && !entry.among_others ? Look::kPatient : Look::kAlone;
}

bool plain(const Judgement& judgement) {
  const PlayedCase& played = judgement.played;
  const bool settled = !played.doubtful && !played.believed && !played.contradicted &&
                       played.missed == 0 && !judgement.reused;
  return settled &&
         std::all_of(
             played.findings.begin(), played.findings.end(), [](const oracle::Finding& finding) {
               return finding.severity != oracle::Severity::kFail ||
                      (oracle::symptom_of(finding) == oracle::Symptom::kAnswer && finding.sure);
             });
}

bool may_share_second_look(const Entry& entry) {
  const suite::Case& scenario = *entry.scenario;
  const bool content = scenario.need == suite::Need::kReady ||
                       (scenario.need == suite::Need::kDisposable && !suite::disconnects(scenario));
  return content && scenario.client_capabilities.is_null() && !scenario.answers &&
         !suite::may_reconnect(scenario) && plain(entry.judgement);
}

Confirmation confirmation(const Judgement& first, const Judgement& second, bool served_on) {
  if (first.verdict != Verdict::kFail) return Confirmation::kSecond;
  if (second.verdict == Verdict::kInconclusive) return Confirmation::kFirst;
  // What was worth a warning again is no less so because worse was seen once.
  const bool passes_now =
      second.verdict == Verdict::kPass || second.verdict == Verdict::kNotApplicable;
  const bool was_late = served_on && fails_only_by(oracle::Symptom::kHang, first);
  if (second.verdict == Verdict::kFail && !show_the_same(first, second))
    return Confirmation::kAnother;
  return passes_now && !doubtful(first) && !was_late ? Confirmation::kFlaky : Confirmation::kSecond;
}

bool take_second(Entry& entry, Judgement second, bool served_on) {
  switch (confirmation(entry.judgement, second, served_on)) {
    case Confirmation::kFirst:
      settle_unconfirmed(entry, second.played.inconclusive);
      return true;
    case Confirmation::kAnother:
      entry.judgement = std::move(second);
      if (!std::exchange(entry.differed, true)) return false;
      entry.result.reason = "it failed each time it was played, but each time differently";
      entry.judgement.verdict = Verdict::kFlaky;
      return true;
    case Confirmation::kFlaky:
      // It may have been what another case had changed and not put back.
      if (entry.shared && entry.scenario->need == suite::Need::kOwn) {
        entry.judgement = std::move(second);
        return true;
      }
      entry.result.reason = entry.shared
                                ? "it failed on a shared session, but not alone on a fresh one"
                                : "it failed once, but not when it was played again";
      entry.judgement.verdict = Verdict::kFlaky;
      return true;
    case Confirmation::kSecond:
      entry.judgement = std::move(second);
      return true;
  }
  return true;
}

}  // namespace harness::run
