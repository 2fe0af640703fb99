// SPDX-License-Identifier: Apache-2.0
// Outcome: what a reply may be, as a case or cases/outcomes.yaml has it. It is read once, by the
// table of its members (outcomes.cc); the code that checks, grades, describes or compares outcomes
// uses these values. Patterns stay json::Values: they are filled in when they are played.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/json/value.h"
#include "harness/suite/references.h"
#include "harness/suite/when.h"

namespace harness::suite {

enum class OutcomeWord {
  kSilence,
  kNormal,
  kAlive,
  kExited,
  kClosed,
  kAnyReply,
  kLate,
  kLateUnasked
};

// A word, or the name of a set of outcomes.
using OutcomeName = std::variant<OutcomeWord, std::string>;

struct OwnId {};   // the readable id of the frame
struct NoBody {};  // nothing came after the head of an HTTP response

struct HeaderPattern {
  std::string name;
  json::Value pattern;
};

struct ByRow;

// All present fields must match.
struct Outcome {
  std::vector<OutcomeName> names;
  std::optional<json::Value> result, error, message;
  std::optional<std::vector<json::Value>> separate;
  std::vector<std::string> http;  // one of these: "404", "4xx", "none"
  std::optional<std::variant<NoBody, json::Value>> body;
  std::vector<HeaderPattern> headers;
  std::vector<Outcome> all;
  std::optional<json::Value> status;  // how it ended
  std::optional<std::variant<OwnId, json::Value>> id;
  std::optional<When> when;
  std::string breaks, because;  // "" if not specified
  bool skip_rest = false;
  std::shared_ptr<const ByRow> by_row;  // not null: this, and nothing of the above
};

// What may come, best first. Without grades all of it passes.
struct Outcomes {
  std::vector<Outcome> pass, note, warn, fail;
  std::string set;  // not "": the contents of this set in each grade; `pass` names it, too
  std::shared_ptr<const ByRow> by_row;  // not null: this, and nothing of the above
};

// `${column}`: a different outcome in each row, keyed by the JSON text of the row's value.
struct ByRow {
  std::string column;
  std::map<std::string, Outcomes> of;
};

using OutcomeSets = std::map<std::string, Outcomes, std::less<>>;

// ---- made in code
inline Outcome outcome_of(OutcomeName name) {
  Outcome out;
  out.names.push_back(std::move(name));
  return out;
}
inline Outcomes only(Outcome outcome) {
  Outcomes out;
  out.pass.push_back(std::move(outcome));
  return out;
}
Outcomes any_result();

// The same with all references filled in, and without the choice by row.
Result<Outcomes> expand(const Outcomes& outcomes, const Scope& scope);

// Calls `f` with the outcomes of each grade, best first.
template <class O, class F>
void each_grade(O& outcomes, F&& f) {
  f(outcomes.pass), f(outcomes.note), f(outcomes.warn), f(outcomes.fail);
}

// Calls `f` with every pattern of the outcome; the caller handles those of `all`.
template <class O, class F>
void each_pattern(O& outcome, F&& f) {
  for (auto* pattern : {&outcome.result, &outcome.error, &outcome.message, &outcome.status})
    if (*pattern) f(**pattern);
  if (outcome.separate)
    for (auto& pattern : *outcome.separate) f(pattern);
  if (outcome.body)
    if (auto* pattern = std::get_if<json::Value>(&*outcome.body)) f(*pattern);
  if (outcome.id)
    if (auto* pattern = std::get_if<json::Value>(&*outcome.id)) f(*pattern);
  for (auto& header : outcome.headers) f(header.pattern);
}

}  // namespace harness::suite
