// SPDX-License-Identifier: Apache-2.0
#include "harness/run/wait_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/run/second_look.h"

namespace harness::run {
namespace {

// HTTP: the end of an answer that never ends was waited for in vain.
bool waited_out(const wire::Transcript& transcript) {
  return std::any_of(transcript.frames.begin(), transcript.frames.end(), [](const auto& frame) {
    return frame.channel == wire::Channel::kClose && frame.bytes == "timeout";
  });
}

// What came could not be read as the reply, or was not the message of the server that was wanted:
// that was waited for until its time was over.
bool waited_in_vain(const oracle::Finding& finding) {
  return oracle::came_as<oracle::NotAMessage>(finding.came) ||
         oracle::came_as<oracle::MissingMessage>(finding.came);
}

bool loses_time(const Judgement& judgement) {
  const auto& findings = judgement.played.findings;
  return judgement.played.in_vain || !judgement.transcript || waited_out(*judgement.transcript) ||
         std::any_of(findings.begin(), findings.end(), [&](const oracle::Finding& finding) {
           return takes_time(finding, judgement.played.believed) || waited_in_vain(finding);
         });
}

}  // namespace

bool takes_time(const oracle::Finding& finding, bool believed) {
  const oracle::Symptom symptom = oracle::symptom_of(finding);
  if (symptom == oracle::Symptom::kSilence) return !believed;
  return symptom != oracle::Symptom::kAnswer;
}

void WaitBudget::played(const Judgement& judgement, Span span) {
  if (loses_time(judgement)) lost(span);
}

void WaitBudget::lost(Span span) {
  session::Clock::duration added{0};
  auto at = spans_.upper_bound(span.from);
  if (at != spans_.begin() && std::prev(at)->second >= span.from) --at;
  // Those it touches become one with it.
  while (at != spans_.end() && at->first <= span.to) {
    span.from = std::min(span.from, at->first);
    span.to = std::max(span.to, at->second);
    added -= at->second - at->first;
    at = spans_.erase(at);
  }
  added += span.to - span.from;
  const double slowdown = std::clamp(span.slowdown, 1.0, kMostSlowdown);
  lost_ += std::chrono::duration_cast<session::Clock::duration>(added / slowdown);
  spans_.emplace(span.from, span.to);
}

bool WaitBudget::spent_with(Span span) const {
  WaitBudget with = *this;
  with.lost(span);
  return with.spent();
}

std::string WaitBudget::reason() const {
  return fmt::format(
      "{} s were lost to answers that did not come and to starting the target again "
      "(--max-time)",
      most_.count() / 1000);
}

void WaitBudget::confirmed(const Judgement& judgement) {
  for (const oracle::Finding& finding : judgement.played.findings)
    if (finding.severity == oracle::Severity::kFail)
      confirmed_.emplace(finding.requirement, oracle::symptom_of(finding));
}

bool WaitBudget::came_again(const Judgement& judgement) const {
  const auto& findings = judgement.played.findings;
  return std::any_of(findings.begin(), findings.end(), [this](const oracle::Finding& finding) {
    return finding.severity == oracle::Severity::kFail &&
           confirmed_.count({finding.requirement, oracle::symptom_of(finding)}) != 0;
  });
}

void WaitBudget::settle_unconfirmed(Entry& entry) const {
  Judgement& first = entry.judgement;
  if (!unsure(first)) return;  // it was an oracle that wanted to look again
  if (first.verdict == Verdict::kFail && came_again(first)) return;
  const char* what = first.verdict == Verdict::kFail ? "it failed once, and was not played again: "
                                                     : "it was not heard out: ";
  first = not_played(what + reason());
}

}  // namespace harness::run
