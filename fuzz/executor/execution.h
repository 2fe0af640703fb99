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
  kSilent,    // it was not, and the connection is still open
  kGone,      // the connection or the process ended, and the script did not ask for it
};

struct Execution {
  // What was sent and received for the script, canary and all; one piece for each connection it
  // used. Sequence numbers run on.
  std::vector<harness::trace::Slice> slices;
  // Where each step that was sent stands in them, in the order of the script.
  struct SentStep {
    std::size_t step = 0;   // index into Script::steps: a Frame or Raw
    std::size_t slice = 0;  // index into slices
    std::uint64_t seq = 0;  // of its frame there
    int exchange = 0;       // HTTP
  };
  std::vector<SentStep> sent;
  Ending ending = Ending::kAnswered;
  std::string how;            // of kGone: "signal 11", "exit 1", "eof", "flood"
  std::string stderr_tail;    // of kGone: the last it printed
  std::size_t frames = 0;     // sent by the script
  std::size_t missing = 0;    // requests of the script that were not answered
  std::size_t withheld = 0;   // frames left out: they would call a tool that may not be called
  // Of a schedule: steps that asked, and had no reply when nothing at all had come for as long as
  // the executor waits, though two requests behind them were answered in turn. What was cancelled,
  // and what was asked on a connection that ended, is none.
  std::vector<std::size_t> unanswered;
  bool served_ended = false;  // kGone: the process that listens, and that we started
  bool first = false;         // nothing was played on this session before
  // Earlier scripts had not got all their replies, so far as is known: what came may be of those.
  bool unsettled = false;
  // Of what was pipelined: a reply came before its time, and nothing else here is to be trusted.
  bool disordered = false;
  // Worth playing alone and closely: what is missing was not waited for.
  bool wants_a_look = false;
  // HTTP: an exchange was left open that may well be answered late. What is missing may be that.
  bool hasty = false;
  // Without pauses, new sessions and waits for what did not come.
  std::chrono::microseconds took{};
};

}  // namespace fuzz
