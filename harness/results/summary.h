// SPDX-License-Identifier: Apache-2.0
// Summary: from the judgements of a run to its report: the results of cases and oracles, the gate,
// how the run ended. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/oracle/oracle.h"
#include "harness/results/event.h"
#include "harness/results/judgement.h"
#include "harness/results/oracle_ledger.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/wire/transport_kind.h"

namespace harness::run {

// A result that holds only the clauses of `covers` that apply, and their highest level; nothing if
// no breach could be cited.
std::optional<CaseResult> blank_result(std::string id, std::string title,
                                       const std::vector<std::string>& covers,
                                       const spec::Registry& registry, const spec::Profile& profile,
                                       wire::TransportKind transport);

// Copies the judgement into the result, unless the result already says why the case was not played.
// The transcript is shared.
void fill(CaseResult& result, Judgement& judgement);
// The same for what an oracle saw in the whole run.
void fill(CaseResult& result, OracleLedger::Told told);

// What decides in addition to the results of a run.
struct GateRules {
  bool level_should = false;  // warnings gate
  bool strict = false;        // inconclusive gates
  bool written = false;       // what is broken is written as known, and so does not gate
};
// One line: "passed", kPassedAsKnown, or the first reason why not. `played`: cases that were.
std::string gate_of(const std::vector<CaseResult>& results, const GateRules& rules, bool stale,
                    std::size_t played);

// The count of each verdict, and of results that the baseline lists, by name; no zeros.
std::map<std::string, std::size_t> count_verdicts(const std::vector<CaseResult>& results);

}  // namespace harness::run
