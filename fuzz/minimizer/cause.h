// SPDX-License-Identifier: Apache-2.0
// Cause: what two findings of one bug have in common, though they break other clauses or say it in
// other words; and how bad a finding is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/judge/oddity.h"
#include "fuzz/minimizer/minimizer.h"
#include "harness/spec/profile.h"

namespace fuzz {

// Findings that share any of these are one bug: what was odd about the message, in the model or
// below it, and the class of the result; how an id is kept; what an array was answered with; that
// replies are mixed up in flight. Empty if only the signature identifies the bug.
std::vector<std::string> causes_of(const Reduced& reduced, const harness::spec::Profile& profile);

// The severity of a finding, the worst first.
enum class Weight {
  kDeathAtSound,  // the end or silence of a server after valid messages
  kDeath,         // at others
  kWrongAnswer,   // a broken MUST
  kState,         // what a stateful check saw
  kShould,        // a broken SHOULD
};

struct Class {
  const char* name;  // the first part of its folder's name: "crash", "hang", "wrong-answer" …
  Weight weight;
};
// `check`: the stateful check that saw it, or "".
Class class_of(const Reduced& reduced, const harness::spec::Profile& profile,
               std::string_view check);

}  // namespace fuzz
