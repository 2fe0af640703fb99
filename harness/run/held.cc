// SPDX-License-Identifier: Apache-2.0
#include "harness/run/held.h"

#include <algorithm>
#include <set>
#include <variant>

#include "harness/results/reply.h"
#include "harness/suite/references.h"

namespace harness::run {
namespace {

constexpr std::size_t kMostEvidence = 8 << 20;

// Looks at everything a case writes for what depends on the profile.
class Comparison {
 public:
  Comparison(const suite::Case& scenario, const suite::Suite& suite, const spec::Registry& registry,
             const spec::Profile& one, const spec::Profile& other, wire::TransportKind transport)
      : case_(scenario),
        suite_(suite),
        registry_(registry),
        one_(one),
        other_(other),
        transport_(transport) {}

  bool alike() {
    const bool eras = one_.mcp && other_.mcp && one_.era == spec::Era::kHandshake &&
                      other_.era == spec::Era::kHandshake;
    if (!eras || case_.need != suite::Need::kBare || !case_.for_each_list.empty()) return false;
    for (const std::string& path : case_.references) {
      const std::string root = path.substr(0, path.find('.'));
      for (const char* known : {"profile", "session", "meta", "target"})
        if (root == known) return false;
    }
    if (!std::all_of(case_.table.begin(), case_.table.end(),
                     [this](const json::Value& row) { return same(row); }))
      return false;
    return std::all_of(case_.covers.begin(), case_.covers.end(),
                       [this](const std::string& id) { return same_clause(id); }) &&
           same_clause(spec::canary_requirement(one_)) &&
           std::all_of(case_.steps.begin(), case_.steps.end(),
                       [this](const suite::Step& step) { return same(step); });
  }

 private:
  bool same(const suite::Step& step) {
    if (step.when && suite::applies(*step.when, one_, transport_) !=
                         suite::applies(*step.when, other_, transport_))
      return false;
    if (!step.covers.empty() && !same_clause(step.covers)) return false;
    if (step.reply && !same(*step.reply)) return false;
    return std::visit([this](const auto& action) { return same_action(action); }, step.action);
  }

  // The usual one names the revision, and so does what is said after one.
  bool same_action(const suite::Handshake& handshake) {
    return (handshake.version || handshake.params) && !handshake.capabilities;
  }
  bool same_action(const suite::Reconnect& reconnect) {
    return reconnect.need == suite::Need::kBare;
  }
  bool same_action(const suite::Pipelined& pipelined) {
    return std::all_of(pipelined.steps.begin(), pipelined.steps.end(),
                       [this](const suite::Step& step) { return same(step); });
  }
  bool same_action(const suite::Await& await) {
    return std::all_of(await.all.begin(), await.all.end(),
                       [this](const suite::Await::One& one) { return same(one.reply); });
  }
  bool same_action(const suite::Expect& expect) { return same(expect.message); }
  bool same_action(const suite::Stream& stream) {
    return (!stream.until || same(*stream.until)) && (!stream.to || same(*stream.to));
  }
  bool same_action(const suite::Compare& compare) { return same(compare.to); }
  template <class T>
  bool same_action(const T&) {
    return true;
  }

  // Whether no outcome means one profile alone. What stands in columns is looked at there.
  bool same(const suite::Outcomes& outcomes) {
    bool all = true;
    suite::each_grade(outcomes, [&](const auto& list) { all = all && same(list); });
    return all;
  }
  bool same(const std::vector<suite::Outcome>& list) {
    return std::all_of(list.begin(), list.end(),
                       [this](const suite::Outcome& one) { return same(one); });
  }
  bool same(const suite::Outcome& outcome) {
    if (outcome.when && suite::applies(*outcome.when, one_, transport_) !=
                            suite::applies(*outcome.when, other_, transport_))
      return false;
    for (const suite::OutcomeName& name : outcome.names)
      if (const auto* set = std::get_if<std::string>(&name); set && !same_set(*set)) return false;
    bool all = outcome.breaks.empty() || same_clause(outcome.breaks);
    suite::each_pattern(outcome, [&](const json::Value& pattern) { all = all && same(pattern); });
    return all && same(outcome.all);
  }
  bool same_set(const std::string& name) {
    const auto set = suite_.sets.find(name);
    return set == suite_.sets.end() || !seen_.insert(name).second || same(set->second);
  }

  // The same of patterns, and of what a row holds, be it an outcome.
  bool same(const json::Value& value) {
    if (value.is_string()) return same_set(value.text);
    for (const json::Value& item : value.items)
      if (!same(item)) return false;
    for (const json::Member& member : value.members) {
      if (member.name == "when" && when_applies(&member.value, one_, transport_) !=
                                       when_applies(&member.value, other_, transport_))
        return false;
      if (member.name == "$shape" && !same_shape(member.value.text)) return false;
      if (member.name == "breaks" && !same_clause(member.value.text)) return false;
      if (!same(member.value)) return false;
    }
    return true;
  }

  bool same_shape(const std::string& name) {
    const json::Value* mine = suite_.shapes.find(name, one_);
    const json::Value* others = suite_.shapes.find(name, other_);
    if (!mine || !others || !json::equal(*mine, *others)) return false;
    return !seen_.insert("$shape " + name).second || same(*mine);
  }

  bool same_clause(const std::string& id) {
    const spec::Requirement* clause = registry_.find(id);
    if (!clause) return true;
    const bool counts = spec::applies(*clause, one_, transport_);
    return counts == spec::applies(*clause, other_, transport_) &&
           (!counts || spec::level_in(*clause, one_) == spec::level_in(*clause, other_));
  }

  const suite::Case& case_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  const spec::Profile& one_;
  const spec::Profile& other_;
  wire::TransportKind transport_;
  std::set<std::string> seen_;  // named outcomes and shapes
};

}  // namespace

bool plays_alike(const suite::Case& scenario, const suite::Suite& suite,
                 const spec::Registry& registry, const spec::Profile& one,
                 const spec::Profile& other, wire::TransportKind transport) {
  return Comparison(scenario, suite, registry, one, other, transport).alike();
}

void HeldResults::keep(const CaseResult& result, const spec::Profile& profile) {
  if (result.verdict != Verdict::kPass && result.verdict != Verdict::kFail &&
      result.verdict != Verdict::kWarn)
    return;
  Held held{&profile, result};
  held.result.transcript = nullptr;
  if (result.transcript && !result.findings.empty()) {
    std::size_t bytes = 0;
    for (const wire::Frame& frame : result.transcript->frames) bytes += frame.bytes.size();
    if (bytes_ + bytes <= kMostEvidence) {
      bytes_ += bytes;
      held.result.transcript = result.transcript;
    }
  }
  results_.emplace(result.id, std::move(held));
}

const HeldResults::Held* HeldResults::find(const std::string& id) const {
  const auto found = results_.find(id);
  return found == results_.end() ? nullptr : &found->second;
}

}  // namespace harness::run
