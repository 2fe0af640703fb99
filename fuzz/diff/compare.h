// SPDX-License-Identifier: Apache-2.0
// What two servers said to the same script, held against each other by class: results, error codes,
// silence, HTTP status, the end, and the shapes of results. It ignores texts, numbers, times and
// ids that a server makes, and the order where order is free. Pure.
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

// What was sent, as far as it tells one difference from another.
struct Asked {
  std::vector<std::string> oddities;  // what is unusual about it, sorted: "version-missing"
  std::string what;                   // "tools/call echo", "some method", "an array"

  std::string text() const;  // its oddities; `what` if it has none
  bool operator==(const Asked&) const = default;
};

struct Difference {
  Asked asked;
  std::string a, b;    // what each side replied: "result", "error -32602, HTTP 400", "nothing"
  bool ends = false;   // the script ended differently on one side; `asked` is empty
  std::size_t step{};  // step of the script, unless `ends`

  // One line that names the difference for people and for the list of accepted differences:
  // "tools/call echo: result | error -32602".
  std::string signature() const;
  bool operator==(const Difference&) const = default;
};

// Whether a smaller script that shows `now` still shows `before`: the same replies, to a message
// with no other oddities.
bool still_shows(const Difference& before, const Difference& now);

// The same message with another method, which shows whether the difference depends on the method:
// with the request whose reply is known, or with a method that neither side serves. Nothing if
// there is no such message.
std::optional<Script> plainer(const Script& script, const Difference& difference,
                              const harness::spec::Profile& profile);
// Whether `now`, a difference of that script, is the same as this one.
bool same_but_plainer(const Difference& before, const Difference& now);

// Whether `found` is enough to recognise `other`.
bool explains(const Difference& found, const Difference& other);

// What both sides have in common.
struct Ground {
  const harness::spec::Profile& profile;
  std::set<std::string> tools;    // both have
  std::set<std::string> methods;  // their operators named
  bool http = false;              // both are reached by HTTP, so its status is compared
  bool http_alone = false;        // one of them is: what has to do with headers is its own affair
};

Asked asked_in(const Step& step, const Ground& ground);

// In the order of the script. Nothing if the two plays cannot be compared because one side withheld
// steps. If the script ended differently on one side, only that difference is returned.
std::vector<Difference> compare(const Script& script, const Execution& a, const Execution& b,
                                const Ground& ground);

}  // namespace fuzz
