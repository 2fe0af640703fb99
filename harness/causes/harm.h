// SPDX-License-Identifier: Apache-2.0
// What messages that end or silence a target have in common, and the clauses about that. Pure.
#pragma once

#include <set>
#include <string>

#include "harness/causes/explainer.h"

namespace harness::run {

// What a message of ours did to the target: the clause that says it has to bear that.
std::string clause_of_harm(const Explainer& open, const Group& group, const Clue& first);

// What the clues of a group share: a member of what was sent, or else its kind.
struct Likeness {
  std::string common;  // "" where there is no such member
  std::string kind;

  bool is(const Clue& clue) const;
};
// Leaves in the group what is like its first.
Likeness narrow(Group& group, const Explainer& open);

// Something in it was in no message that did no harm. All that is said to a server that has fallen
// silent is not answered either.
bool stands_out(const Clue& clue, const std::set<std::string>& harmless);

// The member by which it stands out, where it does by a single one.
std::string own_member(const Clue& clue, const std::set<std::string>& harmless);

}  // namespace harness::run
