// SPDX-License-Identifier: Apache-2.0
// Finding: one observed breach, with its evidence. `wanted` and `came` are values; `expected` and
// `seen` are the same in words, for people. Code reads the values. finding_words.cc makes the
// words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle/observation.h"

namespace harness::oracle {

enum class Severity { kInfo, kWarn, kFail };

// How a breach shows: what breaches of different clauses may have in common.
enum class Symptom {
  kAnswer,   // by what came
  kSilence,  // no reply, although a later request was answered
  kHang,     // nothing more was answered
  kEnd,      // the connection or the process ended
};

struct Finding {
  std::string requirement;  // the clause that was broken
  Severity severity = Severity::kFail;
  std::string expected;               // one sentence or matcher, printable; never parsed
  std::string seen;                   // what came, likewise
  std::vector<std::uint64_t> frames;  // Frame.seq in the Transcript, in order
  std::string oracle;                 // name of the oracle, "" for an expectation of a case
  std::string row;                    // the row of a table or loop, "" if there is none
  std::string step;                   // the label of the step that showed it, "" if it has none
  bool sure = true;                   // false: a reply without an id may belong to another message
  std::string about;  // the clause of the step that showed it, if `requirement` is another
  // Which flaw, if the clause can be broken in several ways: a word, a place in the message, the
  // name of a rule. It stays the same when sentences are reworded.
  std::string flaw;
  // What is wrong, where the headline of the clause tells of another way to break it; else "".
  std::string headline;
  Wanted wanted;
  Observation came;
};

// How it shows. An expected end counts as no harm, whatever else is wrong with it.
Symptom symptom_of(const Finding& finding);
Symptom symptom_of(const Observation& came);

// What came, as a class that stays the same between releases of a server: "error -32603", "a
// result", "a result that failed", "HTTP 400", "HTTP 200, error -32600", "no reply", "no end", "the
// connection ended", "no message"; "" for anything else. Baseline files of users contain it.
std::string answer_class(const Observation& came);

// Whether a second play shows the same breach: the clause, the row, how it shows and the class of
// what came. Texts and numbers that differ from run to run do not count.
std::string identity_of(const Finding& finding);

// What two findings of one bug have in common, whichever message showed it: the oracle, the clause,
// the flaw and, if an outcome was wanted or nothing came, the class of what came.
std::string signature_of(const Finding& finding);

}  // namespace harness::oracle
