// SPDX-License-Identifier: Apache-2.0
// CauseRow: a cause that several clues show by themselves, without a search: a row of the table in
// cause_table.cc. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "harness/causes/explainer.h"

namespace harness::run {

// Where the clause that a row cites is found.
enum class Cite {
  kFirst,   // the first of `cites` that applies here
  kAny,     // the first of them that exists, whatever it is about
  kBroken,  // the first of them that the clues break; else the clause they break most
  kOwn,     // that of what leads
};
// In `cites`: the clause about the canary, and the clause about the request that every server of
// the profile answers.
constexpr const char* kOfCanary = "canary";
constexpr const char* kOfUsual = "usual canary";

// What found a row.
struct Shown {
  const Explainer& open;
  const Group& group;
  const Clue& lead;
  std::string clause;           // that is cited
  std::set<std::string> cases;  // in which it shows

  bool in_cases(const Clue& clue) const { return cases.count(clue.ref.case_id) != 0; }
  // An oracle saw it in one of them.
  bool by_oracle(const Clue& clue) const {
    return !clue.oracle.empty() && cases.count(clue.row) != 0;
  }
};

struct CauseRow {
  const char* name;
  bool (*wants)(const Clue&, const Explainer&);  // of what shows it
  // A condition on all clues that show it, and on the run; may be null.
  bool (*when)(const Group&, const Explainer&) = nullptr;
  std::size_t least = 1;  // cases that show it
  bool alone = false;     // one is enough where few were played
  // The clue with the highest rank leads; a row with nothing above 0 does not apply. Null:
  // Explainer::shown_by().
  std::int64_t (*rank)(const Clue&) = nullptr;
  bool (*alike)(const Clue&, const Clue& lead) = nullptr;  // a clue that shows it, and is taken
                                                           // into it
  Cite how = Cite::kFirst;
  std::array<const char*, 4> cites = {};
  bool (*takes)(const Clue&, const Shown&) = nullptr;  // which other clues follow from it
  // May contain {refusal}, {status}, {line}, {size}, {method} of the leading clue, {methods} of all
  // its clues, their {Kind} of message, and the methods {canary} and {usual}. If empty, the clause gives the text.
  const char* title = "";
  const char* sentence = "";
  bool by_clause = false;  // Cause::by_clause
  bool again = false;      // what is not alike may be another cause of the same kind
};

// Adds the cause of the row if the open clues show it.
void explain(Explainer& open, const CauseRow& row);

// The line on stdout that an oracle reports; "" for any other clue.
std::string line_of(const Clue& clue, const Explainer& open);

}  // namespace harness::run
