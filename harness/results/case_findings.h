// SPDX-License-Identifier: Apache-2.0
// CaseFindings: turns observations of a case into Findings: the broken clause, its severity, the
// frames. PlayedCase collects everything about a case.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/clock.h"
#include "harness/oracle/finding.h"
#include "harness/results/reply.h"
#include "harness/spec/known.h"
#include "harness/spec/requirement.h"
#include "harness/suite/case.h"
#include "harness/trace/trace.h"

namespace harness::run {

struct PlayedCase {
  std::vector<oracle::Finding> findings;
  std::vector<std::string> notes;
  std::string not_applicable;  // the reason, if the target does not declare what the case needs
  std::string inconclusive;    // the reason, if it could not be tested
  std::string remedy;
  std::set<std::string> withheld;    // tools that were not called because they are forbidden
  std::vector<trace::Slice> slices;  // the whole transcript, for the oracles
  bool believed = false;  // a silence was believed at once: a reply that comes later contradicts it
  Deadline hear_until{};  // what such a reply may need, if it answers a batch
  std::size_t rows = 0;   // that were played to their end, or to their finding
  std::vector<std::string> judged;   // the labels of these rows, in a loop over calls of a contract
  std::size_t longest_answered = 0;  // bytes of the longest message that got its reply
  // Of requests that got a result: the methods, and what params.name called, if anything.
  std::set<std::pair<std::string, std::string>> served;
  std::size_t foreseen = 0;          // findings at inputs for which the target is known to exit or
                                     // hang
  std::size_t missed = 0;            // failures that depend on a missing reply
  std::uint64_t ends = 0;            // of the process of a URL, for its findings
  bool alive = false;                // a canary was answered, or anything but a handshake
  bool owes_canary = false;          // the next play shows whether the target still answers
  bool doubtful = false;      // one was contradicted: the case has to be judged again with long
                              // waits
  bool flooded = false;       // more came than is kept of a case: it was not played to its end
  bool contradicted = false;  // one was, or a reply may have been matched to another frame
};

// The requirement a breach of the case cites under the profile: the first of the highest level.
const spec::Requirement* cited(const std::vector<std::string>& covers,
                               const spec::Registry& registry, const spec::Profile& profile,
                               wire::TransportKind transport);

class CaseFindings {
 public:
  // All of them outlive it.
  CaseFindings(const suite::Case& scenario, const spec::Registry& registry,
               const spec::Profile& profile, const spec::Canary& canary,
               wire::TransportKind transport, PlayedCase& played)
      : case_(scenario),
        registry_(registry),
        profile_(profile),
        canary_clause_(spec::canary_requirement(profile, canary)),
        transport_(transport),
        played_(played) {}

  // From now on findings name this row; "" for a case without rows.
  void begin_row(std::string label) { row_ = std::move(label); }

  bool of_this_row(const oracle::Finding& finding) const { return finding.row == row_; }

  // Draws the conclusion from a grade: nothing, a note or a Finding. `step` is null when the
  // conclusion is not about a single step.
  void conclude(const Graded& graded, oracle::Observation came, const suite::Step* step,
                std::vector<std::uint64_t> frames);
  // Remembers that a failure rests on silence.
  void note_missed(const Graded& graded, const Reply& reply);
  // The connection ended when it should not have.
  void died(const suite::Step* step, oracle::Ended end, std::vector<std::uint64_t> frames);
  // It ended after text that is not JSON, and a new connection is served.
  void hung_up(const suite::Step* step, const std::string& how, std::uint64_t seq);
  // The canary was not answered within `waited`.
  void wedged(const suite::Step* step, const std::string& canary, oracle::Observation came,
              std::vector<std::uint64_t> frames);

 private:
  const spec::Requirement& requirement_of(const suite::Step* step, const std::string& breaks) const;
  std::string broken_by(const suite::Step* step, const Graded& graded, int status) const;
  void add(oracle::Finding finding, const suite::Step* step);

  const suite::Case& case_;
  const spec::Registry& registry_;
  const spec::Profile& profile_;
  const std::string canary_clause_;  // broken by a server that does not answer the canary
  const wire::TransportKind transport_;
  PlayedCase& played_;
  std::string row_;
};

}  // namespace harness::run
