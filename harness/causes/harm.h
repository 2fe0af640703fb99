// SPDX-License-Identifier: Apache-2.0
// What messages that end or silence a target have in common, and the clauses about that. Pure.
#pragma once

#include <set>
#include <string>

#include "harness/causes/explainer.h"

namespace harness::run {

// Harm done by our messages: the clause that requires the target to survive them.
std::string clause_of_harm(const Explainer& open, const Group& group, const Clue& first);

// What the messages of a group share: a member, or else the kind.
struct Likeness {
  std::string common;  // "" if there is no such member
  std::string kind;

  bool is(const Clue& clue) const;
};
// Keeps only clues like the first one of the group.
Likeness narrow(Group& group, const Explainer& open);

// Two requests for one method whose sound requests are served: their params tell them apart.
bool differ_in_params(const Explainer& open, const Clue& a, const Clue& b);
// Whether the group has such requests that no member shows to be alike.
bool has_several_params(const Explainer& open, const Group& group, const Clue& first,
                        const Likeness& like);

// Whether it contains something that no harmless message has. (A silent server does not answer
// harmless messages either.)
bool stands_out(const Clue& clue, const std::set<std::string>& harmless);

// The member that distinguishes it, if a single one does.
std::string own_member(const Clue& clue, const std::set<std::string>& harmless);

}  // namespace harness::run
