// SPDX-License-Identifier: Apache-2.0
// Baseline: the known failures of one Target. An entry names a case, the clause that is broken and
// the class of the answer that breaks it, never its text, which changes with every release of a
// server. A failure with another clause or another class of answer is new; an entry that no longer
// fails, was not played or has expired fails the run, so that the list stays current. An entry for
// a case also covers a finding of an oracle about the same clause while that case is played. An
// entry for an oracle is not stale while anything else breaks its clause.
//
//   known:
//     - requirement: mcp.lifecycle.version-wrong-type    # optional
//       answer: error -32603                              # optional; see oracle::answer_class()
//       case: mcp/lifecycle/version-wrong-type            # or a list; optional with a requirement
//       reason: the SDK answers so until its release 2    # for people; a missing one is reported
//       expires: 2027-01-31                               # optional; the last day it holds
//       intermittent: true                                # optional; it need not fail in each run
//
// An entry may list the findings of one cause, so that one bug is one entry:
//
//     - cause: Notifications are answered                 # for people: never compared
//       reason: fixed in release 2
//       findings:                                         # each with the fields above
//         - requirement: mcp.base.notification-no-response
//           answer: a result
//           case: jsonrpc/notification/no-response
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/oracle/finding.h"
#include "harness/results/event.h"

namespace harness::run {

struct BaselineEntry {
  std::string cause;     // its title, for people; "" if the entry names none
  std::string scenario;  // case id; "" for every case that breaks the requirement
  std::string requirement;
  std::string answer;
  std::string message;  // a beginning of the message, in files written before there were classes
  std::string reason;
  std::string expires;  // "2027-01-31"
  std::string entry;    // file:line:column
  std::string where;    // likewise, of the case where the entry lists several
  bool expired = false;
  bool intermittent = false;
};

// Whether it fails the run. `level_should`: warnings do, too.
bool gates(const oracle::Finding& finding, bool level_should);
// While the case of the entry is played, an oracle may report the same breach in other words.
bool told_by_its_case(const BaselineEntry& entry, const oracle::Finding& finding);

class Baseline {
 public:
  // `today`: "2026-11-25"; without it nothing expires.
  static Result<Baseline> load(const std::string& path, const std::string& today = {});

  // Marks the result as known when each of its failing findings is listed. `level_should`: warnings
  // gate too, so they have to be listed as well.
  void apply(CaseResult& result, bool level_should);
  // Whether there is a failing finding of the case, and each of them is listed.
  bool knows(const std::string& scenario, const std::vector<oracle::Finding>& findings) const;

  // Entries that have expired, or matched nothing although their case was played to a verdict, was
  // not played, or no longer exists; each with its place, and how to drop it. The stale findings of
  // one entry form one line.
  std::vector<std::string> stale(const std::vector<std::string>& played,
                                 const std::vector<std::string>& deselected) const;
  // From now on stale() leaves out what the pruned file will not contain.
  void will_be_pruned() { pruned_ = true; }

  // A check or scenario of the official suite that is expected to fail: a breach of one of these
  // clauses is a known failure. It is stale if one of them was judged and none is broken.
  void expect(std::string name, std::string where, std::vector<std::string> clauses);
  // Findings outside a frozen set do not gate. `holds` tells whether a finding is in the set, by
  // its case and clause. `name` is for a note at each result.
  using Holds = std::function<bool(const std::string& scenario, const std::string& requirement)>;
  void freeze(std::string name, Holds holds);

  // What a person should fix in the file; "" if nothing.
  std::string warning() const;
  // The entry for this finding of the case, whether or not it has expired; null when there is none.
  const BaselineEntry* find(const std::string& scenario, const oracle::Finding& finding) const;
  // One entry of the cause with that title; null if there is none.
  const BaselineEntry* find_cause(const std::string& title) const;
  // Whether an entry that has not expired accepts such a breach, in any case.
  bool accepts(const oracle::Finding& finding) const;
  bool empty() const { return entries_.empty(); }

  // The entries that a complete run with these results has not shown to be stale; `failed`:
  // including those that it showed to fail.
  std::vector<BaselineEntry> kept(const std::vector<CaseResult>& results, bool failed) const;
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<BaselineEntry> entries_;
  std::vector<bool> used_, fails_;  // accepted something; fail, expired or not
  bool pruned_ = false;
  struct Expected {
    std::string name, where;
    std::vector<std::string> clauses;
    bool used = false;
  };
  enum class Stale { kNo, kExpired, kFails, kPlayed };  // no longer fails, was not played
  Stale stale(std::size_t entry, const std::vector<std::string>& played,
              const std::vector<std::string>& deselected) const;
  // Whether an entry, an expected failure or a frozen set accepts it.
  bool lets_through(const std::string& scenario, const oracle::Finding& finding) const;

  std::vector<Expected> expected_;
  std::string frozen_name_;
  Holds frozen_;
  std::set<std::string> judged_, broken_;             // clauses
  std::set<std::string> undecided_, not_applicable_;  // cases
};

}  // namespace harness::run
