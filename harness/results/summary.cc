// SPDX-License-Identifier: Apache-2.0
#include "harness/results/summary.h"

#include <algorithm>
#include <utility>

#include "harness/results/case_findings.h"

namespace harness::run {

std::optional<CaseResult> blank_result(std::string id, std::string title,
                                       const std::vector<std::string>& covers,
                                       const spec::Registry& registry, const spec::Profile& profile,
                                       wire::TransportKind transport) {
  const spec::Requirement* best = cited(covers, registry, profile, transport);
  if (!best) return std::nullopt;
  CaseResult result;
  result.id = std::move(id);
  result.title = std::move(title);
  result.level = spec::level_name(spec::level_in(*best, profile));
  for (const std::string& covered : covers) {
    const spec::Requirement* requirement = registry.find(covered);
    if (requirement && spec::applies(*requirement, profile, transport))
      result.requirements.push_back(covered);
  }
  return result;
}

void fill(CaseResult& result, Judgement& judgement) {
  if (result.verdict == Verdict::kInconclusive || result.verdict == Verdict::kNotApplicable) return;
  result.verdict = judgement.verdict;
  result.findings = std::move(judgement.played.findings);
  result.rows = judgement.played.rows;
  result.judged = judgement.played.judged;
  result.notes = std::move(judgement.played.notes);
  result.transcript = judgement.transcript;
  if (result.verdict == Verdict::kError) result.reason = judgement.error;
  if (result.verdict == Verdict::kInconclusive) {
    result.reason = judgement.played.inconclusive;
    result.remedy = judgement.played.remedy;
  }
  if (result.verdict == Verdict::kNotApplicable) result.reason = judgement.played.not_applicable;
}

void fill(CaseResult& result, OracleLedger::Told told) {
  result.verdict = told.verdict;
  result.reason = std::move(told.reason);
  result.findings = std::move(told.findings);
  result.notes = std::move(told.notes);
  result.transcript = std::move(told.transcript);
}

std::string gate_of(const std::vector<CaseResult>& results, const GateRules& rules, bool stale,
                    std::size_t played) {
  const auto any = [&](Verdict verdict) {
    const bool may_be_known = verdict == Verdict::kFail || verdict == Verdict::kWarn;
    return std::any_of(results.begin(), results.end(), [&](const CaseResult& result) {
      return result.verdict == verdict && !(may_be_known && result.baselined);
    });
  };
  const bool must = any(Verdict::kFail);
  const bool should = rules.level_should && any(Verdict::kWarn);
  if (must && !rules.written) return "failed: a MUST is broken";
  if (should && !rules.written) return "failed: a SHOULD is broken (--level should)";
  if (stale) return "failed: the baseline has stale entries";
  if (rules.strict && any(Verdict::kInconclusive))
    return "failed: not everything could be tested (--strict)";
  if (any(Verdict::kError)) return "failed: rpcspec itself went wrong";
  if (played == 0) return "failed: nothing could be tested";
  return must || should ? kPassedAsKnown : "passed";
}

std::map<std::string, std::size_t> count_verdicts(const std::vector<CaseResult>& results) {
  std::map<std::string, std::size_t> counts;
  for (const CaseResult& result : results) {
    ++counts[verdict_name(result.verdict)];
    if (result.baselined) ++counts["baselined"];
  }
  return counts;
}

}  // namespace harness::run
