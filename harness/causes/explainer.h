// SPDX-License-Identifier: Apache-2.0
// Explainer: the clues without a cause, and the causes so far. Rules take clues that have something
// in common; the rest is grouped by the broken clause. Pure.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/causes/causes.h"
#include "harness/results/clue_words.h"

namespace harness::run {

std::set<std::string> cases_of(const Group& group);

class Explainer {
 public:
  using Which = std::function<bool(const Clue&)>;

  // Both outlive it.
  Explainer(const Clues& clues, const CauseContext& context);

  const Clues& clues() const { return clues_; }
  const CauseContext& context() const { return context_; }
  const spec::Canary& asked() const { return asked_; }   // the canary
  const std::string& canary() const { return canary_; }  // the clause that its silence breaks

  // Of the clues without a cause, those that match; claim() assigns them to one.
  Group matching(const Which& which) const;
  Group claim(const Which& which);
  std::size_t left() const { return open_.size(); }
  std::size_t passed() const;                    // cases
  bool passes(const std::string& clause) const;  // a case about it
  // Clauses of these chapters, such as "json.invalid.", whose cases pass.
  std::size_t passed_of(const std::vector<std::string_view>& chapters) const;
  bool applies(const std::string& clause) const;  // it counts here
  // Whether its entry says that it cannot hold if `before` is broken.
  bool follows(const std::string& clause, const std::string& before) const;

  // Not a breach: a server that was left in the middle of something, if leaving it idle is allowed,
  // breaks another clause.
  bool is_permission(const std::string& clause) const;

  // The first of them that applies here; the canary's if none does.
  std::string first_that_applies(const std::vector<const char*>& ids) const;
  // The first of them that is a MUST here; otherwise the first that applies here.
  std::string first_must(const std::vector<const char*>& ids) const;
  // Of the clauses that the group breaks, the first of `wanted`; otherwise the one it breaks most.
  std::string best_of(const Group& group, const std::vector<const char*>& wanted) const;
  // The clause of most rows of the group, or that of the canary if there is none. A finding of an
  // oracle counts half, because any case may cause it.
  std::string most_broken(const Group& group) const;

  // Of the clauses that the clue's case is about, the first whose id contains the word; with "" the
  // first of the highest level. "" if there is none.
  // `not_these`: as if the case were not about them. `permissions`: a MAY counts, too.
  std::string clause_of_case(const Clue& clue, std::string_view word = "",
                             bool (*not_these)(const std::string&) = nullptr,
                             bool permissions = false) const;

  // Whether a case about the clause saw it.
  bool is_about(const Clue& clue, const std::string& clause) const;
  // The clue of the group that shows a cause with this clause: from a case that breaks it, if
  // possible a case about it, with a failure if there is one; otherwise the first.
  const Clue& shown_by(const Group& group, const std::string& requirement) const;

  // What saw it: FindingRef, resolved.
  const oracle::Finding& finding_of(const Clue& clue) const;

  // Adds a cause of the group. `lead` is its example; null: shown_by(). A finding of the baseline
  // is not the example if there is another.
  void add(Cause cause, Group group, const Clue* lead = nullptr);

  // One cause for each remaining clause; first those that oracles saw broken in a lower layer.
  void add_rest();
  // In the order in which to fix them.
  std::vector<Cause> sorted();

 private:
  struct Found {
    Cause cause;
    int phase = 0;
    std::size_t cases = 0;

    void join(const Clue& clue);
  };
  using Breach = std::pair<std::string, std::string>;  // case and clause

  Found* told_already(const std::string& clause, const Group& group);
  std::map<const Clue*, const Clue*> told_by_cases() const;
  bool is_as_grave(const Clue& one, const Clue& other) const;
  std::map<Breach, std::string> broken_below() const;
  std::string lowest(const std::map<Breach, std::string>& below, const Clue& clue) const;
  std::map<std::string, std::string> hangs_by_case() const;
  const CaseResult* result_of(const Clue& clue) const;
  std::string level_of(const std::string& clause, const Group& group) const;
  std::string headline_of(const std::string& clause) const;

  const Clues& clues_;
  const CauseContext& context_;
  const spec::Canary asked_;
  const std::string canary_;
  Group open_;
  std::vector<Found> found_;
  std::map<const Clue*, std::size_t> taken_;                    // by which of them
  std::unordered_map<std::string, const CaseResult*> results_;  // by id
};

}  // namespace harness::run
