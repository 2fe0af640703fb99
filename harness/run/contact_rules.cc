// SPDX-License-Identifier: Apache-2.0
#include "harness/run/contact_rules.h"

#include <string>
#include <utility>

#include "harness/run/contact_results.h"

namespace harness::run {
namespace {

// Whether a case saw by this what the first contact saw.
bool follows(const Clue& clue, const std::string& contact) {
  if (contact == kNoHandshake)
    return clue.trigger.method == "initialize" && clue.symptom != oracle::Symptom::kEnd;
  return contact == kOddVersion && clue.requirement.starts_with("mcp.lifecycle.version-");
}

}  // namespace

void apply_contact_rules(Explainer& open) {
  for (const char* name : {kOddFraming, kNoHandshake, kOddVersion}) {
    const auto of_contact = [&](const Clue& clue) { return clue.ref.case_id == name; };
    const Group contact = open.matching(of_contact);
    if (contact.empty()) continue;
    Cause cause;
    cause.requirement = contact.front()->requirement;
    const Group all =
        open.claim([&](const Clue& clue) { return of_contact(clue) || follows(clue, name); });
    open.add(std::move(cause), all, contact.front());
  }
}

}  // namespace harness::run
