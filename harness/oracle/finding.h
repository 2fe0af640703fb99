// SPDX-License-Identifier: Apache-2.0
// Finding: one observed breach, and what it takes to argue it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  std::string expected;               // one sentence or matcher, printable
  std::string seen;                   // what came, printable
  std::vector<std::uint64_t> frames;  // Frame.seq in the Transcript, in order
  std::string oracle;                 // name of the oracle, "" when an expectation of a case
  std::string row;                    // which row of a table or loop, "" when there is none
  Symptom symptom = Symptom::kAnswer;
  bool sure = true;  // false: what came without an id may be the reply to another message
  std::string about;  // the clause of the step it showed at, where `requirement` is another

  // What makes two findings the same: everything but numbers that vary between runs.
  std::string message() const;
};

}  // namespace harness::oracle
