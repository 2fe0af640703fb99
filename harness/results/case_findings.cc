// SPDX-License-Identifier: Apache-2.0
#include "harness/results/case_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/oracle/finding_words.h"

namespace harness::run {
namespace {

constexpr std::size_t kMostFindings = 200;
constexpr std::size_t kMostNotes = 50;

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
  check(found != nullptr, "a case was played although none of its requirements applies");
  return *found;
}

// That the target is there and serves is demanded whatever the case is about, and so is that it
// takes no message for a failure of its own: a permission to refuse means a 4xx.
std::string CaseFindings::broken_by(const suite::Step* step, const Graded& graded,
                                    int status) const {
  const bool of_canary = !step || suite::action_of<suite::Canary>(*step);
  const bool server_error = graded.grade == Grade::kBreach && status >= 500;
  if (!graded.breaks.empty() || (!of_canary && !server_error)) return graded.breaks;
  const spec::Level level = spec::level_in(requirement_of(step, ""), profile_);
  if (!spec::is_may(level)) return "";
  return of_canary ? canary_clause_ : "jsonrpc.request.reply-exactly-one";
}

// The level under the profile decides, so that word and verdict agree: a broken MUST fails unless
// the case tolerates it, a broken SHOULD warns, and nobody breaks a MAY. What follows only from a
// layer below the one the profile names is no MUST there.
void CaseFindings::conclude(const Graded& graded, oracle::Observation came, const suite::Step* step,
                            std::vector<std::uint64_t> frames) {
  if (graded.grade == Grade::kPass) return;
  std::string seen = oracle::words(came) + graded.headers;
  const spec::Requirement& requirement = requirement_of(step, broken_by(step, graded, came.status));
  const spec::Level level = spec::level_in(requirement, profile_);
  if (graded.grade == Grade::kNote || spec::is_may(level)) {
    std::string note = (row_.empty() ? "" : row_ + ": ") + seen;
    if (!graded.because.empty()) note += " (" + graded.because + ")";
    if (played_.notes.size() < kMostNotes) played_.notes.push_back(std::move(note));
    return;
  }
  const bool must = spec::is_must(level);
  const bool tolerated = graded.grade == Grade::kWarn && must;
  std::string why = graded.because;
  if (tolerated) why += (why.empty() ? "" : "; ") + std::string("tolerated");
  if (!why.empty()) seen += " (" + why + ")";
  oracle::Finding finding;
  finding.requirement = requirement.id;
  finding.severity = must && !tolerated ? oracle::Severity::kFail : oracle::Severity::kWarn;
  finding.expected = graded.expected;
  finding.seen = std::move(seen);
  finding.frames = std::move(frames);
  finding.wanted = graded.wanted;
  finding.came = std::move(came);
  add(std::move(finding), step);
}

void CaseFindings::note_missed(const Graded& graded, const Reply& reply) {
  played_.missed += reply.messages.empty() && reply.canary_answered &&
                    (graded.grade == Grade::kFail || graded.grade == Grade::kBreach);
}

void CaseFindings::died(const suite::Step* step, oracle::Ended end,
                        std::vector<std::uint64_t> frames) {
  oracle::Finding finding;
  finding.requirement = canary_clause_;
  finding.expected = "the target still runs and answers the next request";
  finding.came.came = std::move(end);
  finding.seen = oracle::words(finding.came);
  finding.frames = std::move(frames);
  if (step) finding.about = step->covers;
  add(std::move(finding), step);
}

void CaseFindings::hung_up(const suite::Step* step, const std::string& how, std::uint64_t seq) {
  oracle::Finding finding;
  finding.requirement = "jsonrpc.robust.survives-parse-error";
  finding.severity = oracle::Severity::kWarn;
  finding.expected = "the connection continues after text that is not JSON";
  finding.came.came = oracle::Ended{how};
  finding.seen = oracle::words(finding.came) + "; a new connection is served";
  finding.frames = {seq};
  add(std::move(finding), step);
}

void CaseFindings::wedged(const suite::Step* step, const std::string& canary,
                          oracle::Observation came, std::vector<std::uint64_t> frames) {
  // What was asked last may have been a canary itself.
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  oracle::Finding finding;
  finding.requirement = canary_clause_;
  finding.expected = "the target still answers the canary (" + canary + ")";
  finding.seen = oracle::words(came);
  finding.came = std::move(came);
  finding.frames = std::move(frames);
  add(std::move(finding), step);
}

void CaseFindings::add(oracle::Finding finding, const suite::Step* step) {
  if (played_.findings.size() >= kMostFindings) return;
  if (step) finding.step = step->label;
  if (!finding.step.empty()) finding.expected = finding.step + ": " + finding.expected;
  finding.row = row_;
  played_.findings.push_back(std::move(finding));
}

}  // namespace harness::run
