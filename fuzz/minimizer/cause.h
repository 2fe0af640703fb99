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

// Findings that share any of these are one bug: what was odd about the message, by the rules of the
// model or below them, and the class of what came of it; how an id is kept; what an array was
// answered by; that replies are mixed up in flight. Empty where nothing but the signature tells.
std::vector<std::string> causes_of(const Reduced& reduced, const harness::spec::Profile& profile);

// How bad a finding is, the worst first.
enum class Weight {
  kDeathAtSound,  // the end or silence of a server, at messages that nobody can object to
  kDeath,         // at others
  kWrongAnswer,   // a broken MUST
  kState,         // what a stateful check saw
  kShould,        // a broken SHOULD
};

struct Class {
  const char* name;  // begins the name of its folder: "crash", "hang", "wrong-answer" …
  Weight weight;
};
// `check`: the stateful check that saw it, or "".
Class class_of(const Reduced& reduced, const harness::spec::Profile& profile,
               std::string_view check);

}  // namespace fuzz
