// SPDX-License-Identifier: Apache-2.0
// Finding: one observed breach, and what it takes to argue it. What was wanted and what came are
// values; `expected` and `seen` say the same in words, for people: code that has to know reads the
// values. Words are made in finding_words.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle/observation.h"

namespace harness::oracle {

enum class Severity { kInfo, kWarn, kFail };

// How a breach shows: what several of them may have in common, whatever clause each is about.
enum class Symptom {
  kAnswer,   // by what came
  kSilence,  // no reply, although a later request was answered
  kHang,     // nothing more was answered
  kEnd,      // the connection or the process ended
};

struct Finding {
  std::string requirement;  // the clause that was broken
  Severity severity = Severity::kFail;
  std::string expected;               // one sentence or matcher, printable; nobody reads it back
  std::string seen;                   // what came, likewise
  std::vector<std::uint64_t> frames;  // Frame.seq in the Transcript, in order
  std::string oracle;                 // name of the oracle, "" when an expectation of a case
  std::string row;                    // which row of a table or loop, "" when there is none
  std::string step;                   // the label of the step it showed at, "" when it has none
  bool sure = true;   // false: what came without an id may be the reply to another message
  std::string about;  // the clause of the step it showed at, where `requirement` is another
  // Which flaw, where the clause can be broken in several ways: a word, a place in the message, the
  // name of a rule. It stays when sentences are reworded.
  std::string flaw;
  Wanted wanted;
  Observation came;
};

// How it shows. An end that was due does no harm, whatever is wrong with it.
Symptom symptom_of(const Finding& finding);
Symptom symptom_of(const Observation& came);

// What came, as a class that outlives releases of a server: "error -32603", "a result", "a result
// that failed", "HTTP 400", "HTTP 200, error -32600", "no reply", "no end", "the connection ended",
// "no message"; "" for anything else. Users' baseline files hold it.
std::string answer_class(const Observation& came);

// Whether a second play shows the same breach: the clause, the row, how it shows and the class of
// what came. Texts and numbers that differ from run to run are no part of it.
std::string identity_of(const Finding& finding);

// What two findings of one bug have in common, whatever message showed it: the oracle, the clause,
// the flaw and, where an outcome was wanted or nothing came, the class of what came.
std::string signature_of(const Finding& finding);

}  // namespace harness::oracle
