// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/cause_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/results/clue_words.h"
#include "harness/spec/known.h"

namespace harness::run {
namespace {

std::string clause_named(const Explainer& open, const std::string& name) {
  if (name == kOfCanary) return open.canary();
  if (name != kOfUsual) return name;
  const spec::Profile& profile = open.context().profile;
  return spec::canary_requirement(profile, spec::canary_of(profile));
}

// "" where none of them counts here: then the row does not apply.
std::string clause_of(const CauseRow& row, const Group& group, const Explainer& open) {
  std::vector<const char*> broken;
  for (const char* name : row.cites) {
    if (name == nullptr) break;
    const std::string id = clause_named(open, name);
    if (row.how == Cite::kBroken)
      broken.push_back(name);
    else if (id != name || (row.how == Cite::kAny ? open.context().registry.find(id) != nullptr
                                                  : open.applies(id)))
      return id;
  }
  return row.how == Cite::kBroken ? open.best_of(group, broken) : "";
}

const Clue* leader(const CauseRow& row, const Group& group) {
  const auto lead = std::max_element(group.begin(), group.end(),
                                     [&](auto* a, auto* b) { return row.rank(*a) < row.rank(*b); });
  return lead == group.end() || row.rank(**lead) <= 0 ? nullptr : *lead;
}

// A few of them, each once.
std::string methods_of(const Group& group) {
  constexpr std::size_t kMost = 6;
  std::set<std::string> methods;
  for (const Clue* clue : group)
    if (!clue->trigger.method.empty()) methods.insert(clue->trigger.method);
  std::string out;
  std::size_t told = 0;
  for (const std::string& method : methods)
    if (++told <= kMost) out += (told == 1 ? "" : ", ") + method;
  return methods.size() > kMost ? fmt::format("{} and {} more", out, methods.size() - kMost) : out;
}

std::string filled(const char* text, const Clue& lead, const Group& all, const Explainer& open) {
  return fmt::format(fmt::runtime(text), fmt::arg("refusal", refusal_text(lead.came)),
                     fmt::arg("status", lead.came.status), fmt::arg("line", line_of(lead, open)),
                     fmt::arg("method", lead.trigger.method.empty() ? "\"\"" : lead.trigger.method),
                     fmt::arg("methods", methods_of(all)),
                     fmt::arg("Kind", capital(kind_of(all, lead, open.clues()))),
                     fmt::arg("size", size_text(lead.trigger.bytes)),
                     fmt::arg("canary", open.asked().method),
                     fmt::arg("usual", spec::canary_of(open.context().profile).method));
}

}  // namespace

std::string line_of(const Clue& clue, const Explainer& open) {
  if (clue.oracle != "stdout") return "";
  const auto& lines = open.finding_of(clue).came.texts;
  return lines.empty() ? "" : lines.front();
}

void explain(Explainer& open, const CauseRow& row) {
  std::set<const Clue*> looked_at;
  for (bool more = true; more; more = row.again) {
    Group group = open.matching(
        [&](const Clue& clue) { return !looked_at.contains(&clue) && row.wants(clue, open); });
    if (group.empty()) return;
    const Clue* lead = row.rank ? leader(row, group) : group.front();
    if (lead == nullptr) return;
    const auto alike = [&](const Clue& clue) {
      return row.alike == nullptr || row.alike(clue, *lead);
    };
    std::erase_if(group, [&](const Clue* clue) { return !alike(*clue); });
    looked_at.insert(group.begin(), group.end());
    const std::size_t least = row.alone && open.context().few ? 1 : row.least;
    if (cases_of(group).size() < least || (row.when && !row.when(group, open))) continue;
    Cause cause;
    cause.requirement = row.how == Cite::kOwn ? lead->requirement : clause_of(row, group, open);
    if (cause.requirement.empty()) continue;
    if (!row.rank && row.how != Cite::kOwn) lead = &open.shown_by(group, cause.requirement);
    cause.by_clause = row.by_clause;
    const Shown shown{open, group, *lead, cause.requirement, cases_of(group)};
    // Of what is taken none may depend on what is taken before it.
    std::set<const Clue*> all;
    for (const Clue* clue : open.matching([&](const Clue& clue) {
           return (row.wants(clue, open) && alike(clue)) || (row.takes && row.takes(clue, shown));
         }))
      all.insert(clue);
    const Group taken = open.claim([&](const Clue& clue) { return all.count(&clue) != 0; });
    cause.title = filled(row.title, *lead, taken, open);
    cause.sentence = filled(row.sentence, *lead, taken, open);
    open.add(std::move(cause), taken, lead);
  }
}

}  // namespace harness::run
