// SPDX-License-Identifier: Apache-2.0
// Clue: one finding with the facts of its frames: our message that caused it, the reply, and what
// was broken below. Causes are found by what clues have in common. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/event.h"
#include "harness/spec/profile.h"
#include "harness/trace/id_change.h"
#include "harness/trace/trigger.h"
#include "harness/wire/message.h"

namespace harness::run {

using trace::Came;
using trace::kHugeNumber;
using trace::kIdValue;
using trace::Reading;
using trace::Trigger;

struct Clue {
  FindingRef ref;
  std::string requirement;
  oracle::Severity severity = oracle::Severity::kFail;
  oracle::Symptom symptom = oracle::Symptom::kAnswer;
  Verdict verdict = Verdict::kFail;  // of its result
  std::string oracle;                // "" when a case saw it
  std::string row;
  bool baselined = false;
  std::string about;  // the clause of the step that showed it, if `requirement` is another
  Trigger trigger;
  Came came;
  bool answered = false;  // something came for it
  bool altered = false;   // under another id
  // Whether the message of the server that opens a subscription never came.
  bool lacks_acknowledgment = false;
  bool wants_error = false;       // an error was expected, so the refusal itself is not wrong
  bool asks_client = false;       // the reply is, or contains, a request that servers send
  bool asks_as_complete = false;  // a complete result asks for input
  bool wants_stream = false;      // HTTP: a GET had to give an event stream, or 405
  bool busy = false;              // a call was in progress
  bool waits_for_us = false;      // and the server had asked the client for something
  bool crowded = false;           // the last message it names was sent directly after another one
  bool together = false;          // or right before one
  std::string end;                // kEnd: how, "exit 1"
  std::string why;          // kEnd: the line of stderr that gives the reason, without numbers and
                            // blanks
  std::string behind;       // kEnd: the unanswered request right before the message that is blamed
  std::string after;        // kEnd: the method of the answered request before that message
  bool at_start = false;    // kEnd: nothing was answered since notifications/initialized
  bool held_back = false;   // kSilence: the reply came as soon as something else was sent
  bool for_all = false;     // kEnd: no new connection was served after it
  bool broken_off = false;  // the connection of its HTTP exchange ended without a reply
  bool left_open = false;   // its HTTP exchange got no reply, and one after it did
  std::string below;        // a clause of a lower layer that the same frame breaks
  std::string garbled;      // a clause of framing that was broken while the case was played
  bool surplus = false;     // HTTP: bytes came after the end of a response
  bool unended = false;     // HTTP: a response did not come to its end
  bool misframed = false;   // bytes came where a header with a length was due
  bool parted = false;      // lines were cut, or ran together, while the case was played
  bool mixed = false;       // a message stood inside another one in a line
  bool reused = false;      // HTTP: the last message it names was not the first on its connection
  int before = 0;           // HTTP: the status of the response before it on that connection
};

// What became of the ids of requests.
struct IdTally {
  std::size_t kept_strings = 0, kept_numbers = 0;
  std::size_t kept_by_errors = 0, altered_by_errors = 0;  // of kept ids, and of altered ids
  std::size_t altered_strings = 0;
  std::map<trace::Change, std::size_t> altered;
  std::string example;  // that came instead of another one, as sent
};

// The sizes in bytes that were tried one by one.
struct LengthLimit {
  std::uint64_t answered = 0;  // the longest that was
  std::uint64_t failed = 0;    // the shortest that was not answered; 0: the length does no harm
  std::string end;             // how the connection ended then; "": silence
};

// All facts in the results of a run that matter for causes.
struct Clues {
  std::vector<Clue> all;
  std::optional<spec::Canary> canary;  // that was asked for; nothing: the one of the profile
  // The error code for an unknown method with params; nothing if it was not tried.
  std::optional<std::int64_t> usual_error;
  // Messages that did not end the target: "path=text" of their members.
  std::set<std::string> survived;
  // Likewise what was wrong with messages that are none: Trigger::flaw of text that is not JSON
  // (false), and of JSON (true); "" stands for several flaws.
  std::set<std::pair<bool, std::string>> survived_flaws;
  std::set<std::string> served;        // the same for requests that got a result
  std::set<std::string> answered;      // methods that got a reply other than that they are wrong
  std::uint64_t longest_survived = 0;  // bytes of the longest message that was answered
  std::map<std::string, IdTally> ids;  // by case
  std::size_t canaries_answered = 0;   // by a result
  bool reads_as_one = false;           // of two messages in one write, not both are answered
  bool mixes_ids = false;              // or both are, but not each under its own id
  bool several_on_one = false;         // a stream answered more than one request of a connection
  std::size_t crowded_answered = 0;    // of those that came directly after another message
  // Progress that did not grow: while one call was in progress, and while several were.
  std::size_t shrinks_alone = 0, shrinks_among = 0;
  bool sessions_given = false;        // HTTP: a response had a header Mcp-Session-Id
  std::size_t reused_answered = 0;    // HTTP: on connections that had been used before
  std::optional<LengthLimit> length;  // nothing: not measured
  // Bytes that came in place of a header, after a message with non-ASCII characters, and after one
  // without.
  std::size_t misframed_wide = 0, misframed_ascii = 0;
};

// Adds the clues of a result. It still has its transcript; `by_oracles` are the findings of oracles
// in that very transcript.
void add_clues(Clues& clues, const CaseResult& result,
               const std::vector<oracle::Finding>& by_oracles, const spec::Profile& profile);

}  // namespace harness::run
