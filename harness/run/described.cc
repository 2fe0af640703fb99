// SPDX-License-Identifier: Apache-2.0
#include "harness/run/described.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace harness::run {
namespace {

constexpr std::string_view kClauses = "openrpc.";

// Rows and flaws of findings begin with the name of their method.
DescribedMethod* named_in(std::vector<DescribedMethod>& all, std::string_view words) {
  DescribedMethod* best = nullptr;
  for (DescribedMethod& one : all)
    if (words.starts_with(one.name) &&
        (words.size() == one.name.size() || words[one.name.size()] == ' ') &&
        (best == nullptr || best->name.size() < one.name.size()))
      best = &one;
  return best;
}

void mark(DescribedMethod& method, const std::string& clause, const std::string& verdict) {
  std::string& slot = method.clauses[clause];
  if (slot != "fail" && !(slot == "warn" && verdict == "tried")) slot = verdict;
}

// Those with such calls; the very result is compared where it is said to be exact alone.
std::set<std::string> methods_of(const contract::InUse& use, const suite::Case& scenario) {
  const bool exact = scenario.covers.front() == "openrpc.example.value";
  std::set<std::string> out;
  for (const json::Value& call : contract::calls_of(use, scenario.for_each_kind)) {
    const json::Value* method = call.find("method");
    if (method != nullptr && (!exact || call.find("exact")->boolean)) out.insert(method->text);
  }
  return out;
}

std::vector<DescribedMethod> methods_in(const contract::InUse& use) {
  std::vector<DescribedMethod> out;
  for (std::size_t i = 0; i < use.contract.methods.size(); ++i) {
    const contract::Method& method = use.contract.methods[i];
    out.push_back({method.name,
                   use.standings[i].called,
                   use.standings[i].why,
                   method.examples.size(),
                   method.not_judged,
                   {}});
  }
  return out;
}

}  // namespace

std::vector<DescribedMethod> planned_methods(const contract::InUse& use,
                                             const suite::Suite& suite) {
  std::vector<DescribedMethod> out = methods_in(use);
  for (const suite::Case& scenario : suite.cases)
    if (scenario.for_each_list == "calls")
      for (const std::string& name : methods_of(use, scenario))
        if (DescribedMethod* method = named_in(out, name))
          mark(*method, scenario.covers.front(), "planned");
  return out;
}

std::vector<DescribedMethod> described_methods(const contract::InUse& use,
                                               const suite::Suite& suite,
                                               const std::vector<CaseResult>& results) {
  std::vector<DescribedMethod> out = methods_in(use);
  std::map<std::string, const suite::Case*> loops;
  for (const suite::Case& scenario : suite.cases)
    if (scenario.for_each_list == "calls") loops[scenario.id] = &scenario;
  for (const CaseResult& result : results) {
    const auto loop = loops.find(result.id);
    for (const std::string& row : result.judged)
      if (DescribedMethod* method = named_in(out, row); method != nullptr && loop != loops.end())
        mark(*method, loop->second->covers.front(), "tried");
    for (const oracle::Finding& finding : result.findings) {
      if (!finding.requirement.starts_with(kClauses)) continue;
      DescribedMethod* method = named_in(out, finding.oracle.empty() ? finding.row : finding.flaw);
      const bool fails = finding.severity == oracle::Severity::kFail;
      if (method != nullptr && finding.severity != oracle::Severity::kInfo)
        mark(*method, finding.requirement, fails ? "fail" : "warn");
    }
  }
  return out;
}

}  // namespace harness::run
