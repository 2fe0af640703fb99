// SPDX-License-Identifier: Apache-2.0
#include "harness/run/case_findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace harness::run {
namespace {

constexpr std::size_t kMostFindings = 200;
constexpr std::size_t kMostNotes = 50;

std::string label(const suite::Step* step) {
  return step && !step->label.empty() ? step->label + ": " : "";
}

}  // namespace

const spec::Requirement* cited(const std::vector<std::string>& covers,
                               const spec::Registry& registry, const spec::Profile& profile,
                               wire::TransportKind transport) {
  const auto rank = [](spec::Level level) {
    return spec::is_must(level) ? 2 : spec::is_may(level) ? 0 : 1;
  };
  const spec::Requirement* best = nullptr;
  for (const std::string& id : covers) {
    const spec::Requirement* requirement = registry.find(id);
    if (!requirement || !spec::applies(*requirement, profile, transport)) continue;
    if (!best || rank(spec::level_in(*requirement, profile)) > rank(spec::level_in(*best, profile)))
      best = requirement;
  }
  return best;
}

const spec::Requirement& CaseFindings::requirement_of(const suite::Step* step,
                                                      const std::string& breaks) const {
  if (!breaks.empty())
    if (const spec::Requirement* named = registry_.find(breaks)) return *named;
  if (step && !step->covers.empty())
    if (const spec::Requirement* found = cited({step->covers}, registry_, profile_, transport_))
      return *found;
  const spec::Requirement* found = cited(case_.covers, registry_, profile_, transport_);
  check(found != nullptr, "a case was played none of whose requirements applies");
  return *found;
}

// That the target is there and serves is demanded whatever the case is about.
std::string CaseFindings::broken_by(const suite::Step* step, const Graded& graded) const {
  const bool of_canary = !step || suite::action_of<suite::Canary>(*step);
  if (!graded.breaks.empty() || !of_canary) return graded.breaks;
  const spec::Level level = spec::level_in(requirement_of(step, ""), profile_);
  return spec::is_may(level) ? spec::canary_requirement(profile_) : "";
}

// The level under the profile decides, so that word and verdict agree: a broken MUST fails unless
// the case tolerates it, a broken SHOULD warns, and nobody breaks a MAY. What follows only from a
// layer below the one the profile names is no MUST there.
void CaseFindings::conclude(const Graded& graded, std::string seen, const suite::Step* step,
                            std::vector<std::uint64_t> frames) {
  if (graded.grade == Grade::kPass) return;
  seen += graded.headers;
  const spec::Requirement& requirement = requirement_of(step, broken_by(step, graded));
  const spec::Level level = spec::level_in(requirement, profile_);
  if (graded.grade == Grade::kNote || spec::is_may(level)) {
    std::string note = (row_.empty() ? "" : row_ + ": ") + seen;
    if (!graded.because.empty()) note += " (" + graded.because + ")";
    if (played_.notes.size() < kMostNotes) played_.notes.push_back(std::move(note));
    return;
  }
  const bool must = spec::is_must(level);
  const bool tolerated = graded.grade == Grade::kWarn && must;
  const oracle::Severity severity =
      must && !tolerated ? oracle::Severity::kFail : oracle::Severity::kWarn;
  std::string why = graded.because;
  if (tolerated) why += (why.empty() ? "" : "; ") + std::string("tolerated");
  if (!why.empty()) seen += " (" + why + ")";
  add({requirement.id, severity, label(step) + graded.expected, std::move(seen), std::move(frames),
       "", row_, graded.symptom});
}

void CaseFindings::note_missed(const Graded& graded, const Reply& reply) {
  played_.missed += reply.messages.empty() && reply.canary_answered &&
                    (graded.grade == Grade::kFail || graded.grade == Grade::kBreach);
}

void CaseFindings::died(const suite::Step* step, const std::string& how, std::uint64_t seq) {
  add({spec::canary_requirement(profile_),
       oracle::Severity::kFail,
       label(step) + "the target lives on and answers the next request",
       "the end of the connection (" + how + ")",
       {seq},
       "",
       row_,
       oracle::Symptom::kEnd,
       true,
       step ? step->covers : ""});
}

void CaseFindings::hung_up(const suite::Step* step, const std::string& how, std::uint64_t seq) {
  add({"jsonrpc.robust.survives-parse-error",
       oracle::Severity::kWarn,
       label(step) + "the connection goes on after text that is no JSON",
       "the end of the connection (" + how + "); a new one is served",
       {seq},
       "",
       row_,
       oracle::Symptom::kEnd});
}

void CaseFindings::wedged(const suite::Step* step, const std::string& canary,
                          std::string seen, std::vector<std::uint64_t> frames) {
  // What was asked last may have been a canary itself.
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  add({spec::canary_requirement(profile_), oracle::Severity::kFail,
       label(step) + "the target still answers the canary (" + canary + ")",
       std::move(seen), std::move(frames), "", row_,
       oracle::Symptom::kHang});
}

void CaseFindings::add(oracle::Finding finding) {
  if (played_.findings.size() < kMostFindings) played_.findings.push_back(std::move(finding));
}

}  // namespace harness::run
