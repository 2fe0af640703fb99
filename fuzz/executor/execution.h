// SPDX-License-Identifier: Apache-2.0
// Execution: what was sent and what came while one Script was played. A value; nothing in it is
// judged.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/trace/trace.h"

namespace fuzz {

// How a Script ended.
enum class Ending {
  kAnswered,  // the canary, a request sent after everything else, was answered
  kSilent,    // the canary was not answered, and the connection is still open
  kGone,      // the connection or the process ended, and the script did not request it
};

struct Execution {
  // What was sent and received for the script, canary included; one piece for each connection it
  // used. Sequence numbers run on.
  std::vector<harness::trace::Slice> slices;
  // The position of each sent step in them, in the order of the script.
  struct SentStep {
    std::size_t step = 0;   // index into Script::steps: a Frame or Raw
    std::size_t slice = 0;  // index into slices
    std::uint64_t seq = 0;  // of its frame there
    int exchange = 0;       // HTTP
  };
  std::vector<SentStep> sent;
  Ending ending = Ending::kAnswered;
  std::string how;            // of kGone: "signal 11", "exit 1", "eof", "flood"
  std::string stderr_tail;    // of kGone: its last output; of a service, what it wrote meanwhile,
                              // if the executor is patient
  std::size_t frames = 0;     // sent by the script
  std::size_t missing = 0;    // requests of the script that were not answered
  std::size_t withheld = 0;   // frames left out: they would call a forbidden tool
  // Of a schedule: requests without a reply, after nothing came for as long as the executor waits,
  // while two later requests were answered in turn. Requests that were cancelled, or sent on a
  // connection that ended, do not count.
  std::vector<std::size_t> unanswered;
  bool served_ended = false;  // kGone: it is the listening process, and we started it
  bool torn = false;          // its framing was broken, so its session was given up
  bool first = false;         // nothing was played on this session before
  // Earlier scripts had not got all their replies, as far as known: replies may belong to them.
  bool unsettled = false;
  // Of a pipelined script: a reply came too early, so nothing else here can be trusted.
  bool disordered = false;
  // Worth playing alone: the missing replies were not awaited.
  bool wants_a_look = false;
  // HTTP: an exchange was left open that may still be answered late. The missing reply may be that
  // one.
  bool hasty = false;
  std::chrono::microseconds waited{};  // for the missing replies, in vain
  // Excludes pauses, new sessions and waits that timed out.
  std::chrono::microseconds took{};
};

}  // namespace fuzz
