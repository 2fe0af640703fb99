// SPDX-License-Identifier: Apache-2.0
#include "harness/run/oracle_ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace harness::run {
namespace {

// So many cases are judged again for what an oracle saw in them, before it counts as not
// repeatable.
constexpr int kLooks = 3;
constexpr std::size_t kMostFindings = 40;  // of an oracle
constexpr int kMostOfOne = 3;              // of an oracle and a requirement

// Findings of one class have one cause.
std::string class_of(const oracle::Finding& finding) {
  return finding.oracle + "|" + finding.requirement;
}

}  // namespace

Verdict worst_of(const std::vector<oracle::Finding>& findings) {
  Verdict verdict = Verdict::kPass;
  for (const oracle::Finding& finding : findings) {
    if (finding.severity == oracle::Severity::kFail) return Verdict::kFail;
    if (finding.severity == oracle::Severity::kWarn) verdict = Verdict::kWarn;
  }
  return verdict;
}

void OracleLedger::saw(const Findings& findings, std::uint64_t session) {
  for (const oracle::Finding& finding : findings) {
    const auto [first, fresh] = seen_on_.emplace(class_of(finding), session);
    if (!fresh && first->second != session) confirmed_.insert(class_of(finding));
  }
}

void OracleLedger::saw_again(const Findings& first, const Findings& second) {
  std::set<std::string> before;
  for (const oracle::Finding& finding : first) before.insert(class_of(finding));
  for (const oracle::Finding& finding : second)
    if (before.contains(class_of(finding))) confirmed_.insert(class_of(finding));
}

bool OracleLedger::confirmed(const oracle::Finding& finding) const {
  return confirmed_.contains(class_of(finding));
}

bool OracleLedger::is_unconfirmed(const oracle::Finding& finding) const {
  return finding.severity != oracle::Severity::kInfo && !confirmed(finding);
}

bool OracleLedger::unconfirmed(const Findings& findings) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const oracle::Finding& finding) { return is_unconfirmed(finding); });
}

bool OracleLedger::look_again(const Findings& findings) {
  std::set<std::string> classes;
  for (const oracle::Finding& finding : findings)
    if (is_unconfirmed(finding)) classes.insert(class_of(finding));
  bool again = false;
  for (const std::string& one : classes) again |= ++looks_[one] <= kLooks;
  return again;
}

void OracleLedger::keep(const oracle::Finding& finding, const wire::Transcript& transcript,
                        const std::string& case_id) {
  Kept& kept = kept_[finding.oracle];
  kept.cases.insert(case_id);
  if (!kept.seen.insert(finding.requirement + finding.message()).second ||
      kept.findings.size() >= kMostFindings)
    return;
  const auto of_same = std::count_if(
      kept.findings.begin(), kept.findings.end(),
      [&](const oracle::Finding& other) { return other.requirement == finding.requirement; });
  if (of_same >= kMostOfOne) return;
  // The frames move into a transcript of their own, numbered anew.
  oracle::Finding copy = finding;
  copy.row = case_id;
  copy.frames.clear();
  for (const std::uint64_t seq : finding.frames) {
    const auto frame = std::find_if(transcript.frames.begin(), transcript.frames.end(),
                                    [&](const wire::Frame& one) { return one.seq == seq; });
    if (frame == transcript.frames.end()) continue;
    kept.transcript->frames.push_back(*frame);
    kept.transcript->frames.back().seq = kept.transcript->frames.size();
    copy.frames.push_back(kept.transcript->frames.size());
  }
  kept.findings.push_back(std::move(copy));
}

OracleLedger::Told OracleLedger::tell(const std::string& oracle) const {
  Told told;
  const auto found = kept_.find(oracle);
  if (found == kept_.end()) return told;
  const Kept& kept = found->second;
  told.transcript = kept.transcript;
  told.case_id = *kept.cases.begin();
  bool failed_once = false;
  for (const oracle::Finding& finding : kept.findings) {
    if (finding.severity == oracle::Severity::kInfo)
      told.notes.push_back(finding.requirement + ": " + finding.seen);
    else if (confirmed(finding))
      told.findings.push_back(finding);
    else
      failed_once |= finding.severity == oracle::Severity::kFail;
  }
  told.verdict = worst_of(told.findings);
  if (told.verdict == Verdict::kPass && failed_once) {
    told.verdict = Verdict::kFlaky;
    told.reason = "seen once, and not when the case was played again alone";
    told.findings = kept.findings;
  }
  if (kept.cases.size() > 1 && told.verdict != Verdict::kPass)
    told.notes.push_back(fmt::format("seen while {} cases were played", kept.cases.size()));
  return told;
}

}  // namespace harness::run
