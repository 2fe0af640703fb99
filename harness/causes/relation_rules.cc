// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/results/clue_words.h"
#include "harness/causes/searches.h"
#include "harness/spec/profile.h"

namespace harness::run {
namespace {

// To which clause a broken one is laid.
class Roots {
 public:
  Roots(const spec::Registry& registry, std::set<std::string> broken)
      : registry_(registry), broken_(std::move(broken)) {}

  // The first broken clause of those it follows, and of those that these follow; or else itself. ""
  // where all of them hold.
  std::string of(const std::string& clause) {
    const auto [known, fresh] = roots_.emplace(clause, broken_.count(clause) != 0 ? clause : "");
    if (!fresh) return known->second;
    const spec::Requirement* entry = registry_.find(clause);
    if (entry == nullptr) return known->second;
    for (const spec::Mention& before : entry->follows)
      if (const std::string root = of(before.id); !root.empty()) return known->second = root;
    return known->second;
  }

 private:
  const spec::Registry& registry_;
  const std::set<std::string> broken_;
  std::map<std::string, std::string> roots_;  // by clause
};

void tell_family(Explainer& open, const spec::Requirement& told) {
  const spec::Family& family = *told.one_with;
  std::set<std::string> clauses = {told.id};
  for (const spec::Mention& other : family.others) clauses.insert(other.id);
  const auto of_family = [&](const Clue& clue) {
    return clauses.count(clue.requirement) != 0 && !is_broken_below(clue) &&
           clue.symptom == oracle::Symptom::kAnswer &&
           !(clue.wants_error && is_refused(clue));  // with a wrong error: not taken
  };
  const Group group = open.matching(of_family);
  std::set<std::string> broken;
  for (const Clue* clue : group) broken.insert(clue->requirement);
  if (broken.size() < family.least || (family.itself && broken.count(told.id) == 0)) return;
  Cause cause;
  cause.requirement = told.id;
  cause.by_clause = true;
  cause.title = family.title;
  cause.sentence = family.sentence;
  // An id that comes back wrong is seen by an oracle, too.
  const std::set<std::string> cases = cases_of(group);
  // The clause about codes may say the same of the very same result.
  const auto same_result = [&](const Clue& clue) {
    return clue.requirement == "mcp.errors.standard-codes" && clue.wants_error &&
           !clue.came.result.empty() &&
           std::any_of(group.begin(), group.end(), [&](const Clue* one) {
             return one->wants_error && one->trigger.method == clue.trigger.method &&
                    one->came.result == clue.came.result;
           });
  };
  const Group all = open.claim([&](const Clue& clue) {
    return of_family(clue) || same_result(clue) ||
           (clue.oracle == "replies" && cases.count(clue.row) != 0);
  });
  open.add(std::move(cause), all);
}

}  // namespace

void told_as_one(Explainer& open) {
  const CauseContext& context = open.context();
  for (const spec::Requirement& entry : context.registry.all())
    if (entry.one_with && spec::applies(entry, context.profile, context.transport))
      tell_family(open, entry);
}

void consequences(Explainer& open) {
  std::set<std::string> told, broken;
  for (const Clue* one : open.matching([](auto&) { return true; })) told.insert(one->requirement);
  const auto own = [&](const Clue& one) { return one.garbled.empty() && !told.count(one.below); };
  for (const Clue* clue : open.matching(own)) broken.insert(clue->requirement);
  Roots roots(open.context().registry, broken);
  std::map<std::string, std::set<std::string>> together;  // by root
  for (const std::string& clause : broken)
    if (const std::string root = roots.of(clause); root != clause) together[root].insert(clause);
  for (const auto& [root, consequence] : together) {
    const auto breaks = [&, &id = root](const Clue& c) { return c.requirement == id && own(c); };
    const auto follows = [&, &clauses = consequence](const Clue& one) {
      return clauses.count(one.requirement) != 0 && own(one);
    };
    Cause cause;
    cause.requirement = root;
    cause.by_clause = true;
    const Clue* lead = &open.shown_by(open.matching(breaks), cause.requirement);
    const Group all = open.claim([&](const Clue& clue) { return breaks(clue) || follows(clue); });
    open.add(std::move(cause), all, lead);
  }
}

}  // namespace harness::run
