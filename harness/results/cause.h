// SPDX-License-Identifier: Apache-2.0
// Cause: what an implementer has to change, and all the findings of a run that follow from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/results/verdict.h"

namespace harness::run {

// One finding of a result: `finding` is its place in CaseResult::findings.
struct FindingRef {
  std::string case_id;
  std::size_t finding = 0;
};

struct Cause {
  std::string requirement;  // the clause that is broken
  std::string level;        // of the highest clause that its findings break: "MUST"
  Verdict verdict = Verdict::kFail;
  std::string title;                 // a few words
  std::string sentence;              // in the words of an implementer, printable
  std::vector<FindingRef> findings;  // the first one is the example
  std::string replay;                // the command that reproduces the first one
  std::string replay_note;           // why there is none, or why it was not tried
  std::string curl;                  // HTTP, filled by reports: curl commands that send the request
  bool baselined = false;            // the baseline lists all of it
  bool by_clause = false;            // its findings have only the clause in common
  std::string sdk;                   // filled by reports: the SDK that is to blame, if it is not
                                     // the server
};

}  // namespace harness::run
