// SPDX-License-Identifier: Apache-2.0
#include "harness/results/oracle_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/oracle/finding_words.h"

namespace harness::run {
namespace {

// So many cases are judged again for what an oracle saw in them, before it counts as not
// repeatable.
constexpr int kLooks = 3;
constexpr std::size_t kMostOfOne = 3;  // findings of an oracle and a requirement

// Findings of one class have one cause. A server that drops what it cannot use does so whatever is
// wrong with it; where that breaks no MUST, it need not be seen twice of each.
std::string class_of(const oracle::Finding& finding) {
  if (finding.severity == oracle::Severity::kWarn && oracle::came_as<oracle::Nothing>(finding.came))
    return finding.oracle + "|nothing";
  return finding.oracle + "|" + finding.requirement;
}

// What did not come while a case was played for the first time may come yet: only who waits for it
// knows.
bool is_silence(const oracle::Finding& finding) {
  return oracle::symptom_of(finding) == oracle::Symptom::kSilence;
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
    if (is_silence(finding) && finding.severity == oracle::Severity::kFail) continue;
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
  // By case and message, not by arrival: cases end in another order in every run.
  auto& proofs = kept.by_requirement[finding.requirement];
  const auto same = std::find_if(proofs.begin(), proofs.end(), [&](const auto& proof) {
    return oracle::one_line(proof.second.finding) == oracle::one_line(finding);
  });
  const std::pair<std::string, std::string> key(case_id, oracle::one_line(finding));
  if (same != proofs.end() && same->first <= key) return;
  if (same != proofs.end()) proofs.erase(same);
  if (proofs.size() >= kMostOfOne && proofs.rbegin()->first <= key) return;
  Proof& proof = proofs[key];
  proof.finding = finding;
  proof.finding.row = case_id;
  proof.finding.frames.clear();
  for (const std::uint64_t seq : finding.frames) {
    const auto frame = std::find_if(transcript.frames.begin(), transcript.frames.end(),
                                    [&](const wire::Frame& one) { return one.seq == seq; });
    if (frame != transcript.frames.end()) proof.frames.push_back(wire::beginning_of(*frame));
  }
  if (proofs.size() > kMostOfOne) proofs.erase(std::prev(proofs.end()));
}

OracleLedger::Told OracleLedger::tell(const std::string& oracle) const {
  Told told;
  const auto found = kept_.find(oracle);
  if (found == kept_.end()) return told;
  const Kept& kept = found->second;
  told.transcript = std::make_shared<wire::Transcript>();
  Findings unconfirmed;
  for (const auto& [requirement, proofs] : kept.by_requirement) {
    for (const auto& [key, proof] : proofs) {
      oracle::Finding finding = proof.finding;
      if (finding.severity == oracle::Severity::kInfo) {
        told.notes.push_back(finding.requirement + ": " + finding.seen);
        continue;
      }
      // The frames that prove it stand in a transcript of their own, numbered anew, as are their
      // exchanges: another case has its own.
      std::map<int, int> exchanges;
      for (wire::Frame frame : proof.frames) {
        frame.seq = told.transcript->frames.size() + 1;
        if (frame.exchange != 0)
          frame.exchange =
              exchanges.emplace(frame.exchange, static_cast<int>(frame.seq)).first->second;
        finding.frames.push_back(frame.seq);
        told.transcript->frames.push_back(std::move(frame));
      }
      const bool came_late = is_silence(finding) && !confirmed(finding);
      if (!came_late)
        (confirmed(finding) ? told.findings : unconfirmed).push_back(std::move(finding));
    }
  }
  told.verdict = worst_of(told.findings);
  if (told.verdict == Verdict::kPass && worst_of(unconfirmed) == Verdict::kFail) {
    told.verdict = Verdict::kFlaky;
    told.reason = "seen once, but not when the case was played again alone";
    told.findings = std::move(unconfirmed);
  }
  if (!told.findings.empty()) told.case_id = told.findings.front().row;
  if (kept.cases.size() > 1 && told.verdict != Verdict::kPass)
    told.notes.push_back(fmt::format("its findings are from {} cases", kept.cases.size()));
  return told;
}

}  // namespace harness::run
