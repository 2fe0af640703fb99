// SPDX-License-Identifier: Apache-2.0
// What two servers said to the same script, held against each other by class: results, error codes,
// silence, HTTP status, the end, and the shapes of results. Texts, numbers, times and ids that a
// server makes play no part, nor does order where it is free. Pure.
//
//   Script ──► A ──► Execution ─┐
//         └──► B ──► Execution ─┴─ compare() ──► Difference, Difference …
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

// What was asked, as far as it tells one difference from another.
struct Asked {
  std::vector<std::string> oddities;  // what is not usual about it, sorted: "version-missing"
  std::string what;                   // "tools/call echo", "some method", "an array"

  std::string text() const;  // its oddities; `what` where it has none
  bool operator==(const Asked&) const = default;
};

struct Difference {
  Asked asked;
  std::string a, b;    // what each side said: "result", "error -32602, HTTP 400", "nothing"
  bool ends = false;   // the script ended otherwise on one side: `asked` is empty
  std::size_t step{};  // of the script, unless `ends`

  // One line by which people and the list of accepted differences know it: "tools/call echo: result
  // | error -32602".
  std::string signature() const;
  bool operator==(const Difference&) const = default;
};

// Whether a smaller script that shows `now` still shows what `before` was: the same was said, to
// something that is odd in no other way.
bool still_shows(const Difference& before, const Difference& now);

// The message with another method, which says whether the difference has to do with the one it has:
// with the request whose answer is known; with a method nobody can have, where neither side serves
// it anyway. Nothing where there is no such message.
std::optional<Script> plainer(const Script& script, const Difference& difference,
                              const harness::spec::Profile& profile);
// Whether `now`, which came of that script, is the same difference.
bool same_but_plainer(const Difference& before, const Difference& now);

// Whether `found` is enough to know `other` by.
bool explains(const Difference& found, const Difference& other);

// What is common to both sides.
struct Ground {
  const harness::spec::Profile& profile;
  std::set<std::string> tools;    // both have
  std::set<std::string> methods;  // their operators named
  bool http = false;              // both are reached by HTTP, so its status is compared
  bool http_alone = false;        // one of them is: what has to do with headers is its own affair
};

Asked asked_in(const Step& step, const Ground& ground);

// In the order of the script. Nothing where the two plays cannot be compared, because steps were
// withheld on one side. Where a script ended otherwise on one side that alone is told.
std::vector<Difference> compare(const Script& script, const Execution& a, const Execution& b,
                                const Ground& ground);

}  // namespace fuzz
