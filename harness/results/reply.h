// SPDX-License-Identifier: Apache-2.0
// Reply: what came back for one frame, and its grade by the outcomes of a case. Pure: other modules
// collect the reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/oracle/finding.h"
#include "harness/results/outcome_words.h"
#include "harness/trace/live.h"
#include "harness/wire/exchange.h"

namespace harness::run {

struct Reply {
  std::vector<const trace::Inbound*> messages;  // responses, errors and arrays, in order
  const wire::Exchange* http = nullptr;         // HTTP only
  const trace::Inbound* garbage = nullptr;      // text that came instead of a message
  bool canary_answered = false;
  bool waited = false;         // until the deadline, nothing had come
  bool asked = false;          // the server sent a request of its own meanwhile
  bool closed = false;         // nothing more can come
  bool exited = false;         // the process ended
  std::string how;             // of closed or exited: "exit 1", "reset"
  std::string own_id;          // id_key of the readable id of the frame; "" when none
  bool valid_request = false;  // the harness made it: its id must come back
  bool readable = false;       // the frame was JSON
};

enum class Grade { kPass, kNote, kWarn, kFail, kBreach };

struct Graded {
  Grade grade = Grade::kBreach;
  std::string breaks;  // requirement named by the outcome, "" when none
  std::string because;
  std::string expected;    // what would have been lawful, in words
  oracle::Wanted wanted;   // and as a value
  std::string headers;     // HTTP: the headers that the outcomes mention, as received, in words
  bool skip_rest = false;  // after this outcome the row ends
};

// Grades the reply. References in `outcomes` have been filled in.
Graded grade(const suite::Outcomes& outcomes, const Reply& reply, const Judging& judging);

// What came.
oracle::Observation observed(const Reply& reply);
// The frames of what came.
std::vector<std::uint64_t> frames_of(const Reply& reply);

// True if a row with this `when:` is meant for the profile and transport.
bool when_applies(const json::Value* when, const spec::Profile& profile,
                  wire::TransportKind transport);

// The grade that no reply would get, although a canary was answered.
Grade grade_of_silence(const suite::Outcomes& outcomes, const Judging& judging);
// Whether that is pass or note and does not end the row: then nothing waits for a late reply.
bool expects_silence(const suite::Outcomes& outcomes, const Judging& judging);
// Whether some result passes: then the request may be executed, and take its time.
bool accepts_result(const suite::Outcomes& outcomes, const Judging& judging);
// Whether some reply is lawful, be it an error.
bool accepts_message(const suite::Outcomes& outcomes, const Judging& judging);

}  // namespace harness::run
