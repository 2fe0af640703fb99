// SPDX-License-Identifier: Apache-2.0
// ScriptRun: one Script under way. It sends the steps, waits for the replies, and fills in an
// Execution.
//
//   play():        steps ──► what goes together in one write ──► settle() ──► …
//   prepare() and hear_pipelined(): all was written before; what comes is heard, part by part
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/executor/delivery.h"
#include "fuzz/executor/execution.h"
#include "fuzz/executor/session_keeper.h"
#include "fuzz/executor/waiting.h"
#include "fuzz/script/script.h"
#include "harness/base/result.h"
#include "harness/session/session.h"

namespace fuzz {

class ScriptRun {
 public:
  // What all scripts of an executor share.
  struct Shared {
    SessionKeeper& sessions;
    const WaitWishes& wishes;
    ServerHabits& habits;
    const std::map<std::string, std::string>& forbidden;  // tools, and why
  };
  // What is passed by reference outlives it.
  ScriptRun(const Shared& shared, Execution& out) : shared_(shared), out_(out) {}

  // Plays all steps and the canary after them, on the current session and those that the script
  // opens. The Error says why a session cannot be opened.
  harness::session::awaitable<harness::Status> play(const Script& script);

  // For a script without waits: appends everything it sends to `bytes`.
  void prepare(const Script& script, std::string& bytes);
  // Receives up to the reply to the last canary.
  harness::session::awaitable<void> hear_pipelined();

  // The result after the last step; leaves a session that is no longer usable.
  harness::session::awaitable<void> finish();

 private:
  using Session = harness::session::Session;
  using Clock = harness::session::Clock;
  using Inbound = harness::session::Inbound;
  using Sent = harness::session::Sent;
  template <class Value>
  using awaitable = harness::session::awaitable<Value>;
  struct Asked {
    std::size_t number = 0;  // of the frame, from 1; 0: none
    Sent sent;
  };

  Session& session() const { return *shared_.sessions.session(); }
  WaitSituation situation() const;

  // --- sending
  bool tells_output() const;
  awaitable<harness::Status> open_again();
  awaitable<void> take(const Step& step, std::size_t index);
  awaitable<void> take_frame(const Frame& frame, std::size_t index);
  awaitable<void> send_alone(const Frame& frame, ScriptPlace place);
  awaitable<void> give_up_body(const Sent& sent);
  awaitable<void> pause(int milliseconds);
  awaitable<void> close();
  awaitable<void> flush();
  void note_written(std::vector<WriteQueue::Entry> entries);
  void note_sent(const ScriptPlace& place, const Sent& sent);
  void add_canary();
  Sent take_canary();
  bool may_be_sent(const std::string& bytes);
  void note_end(const Frame& frame);
  void keep_tail(const std::string& raw);
  std::string filled_in(const std::string& bytes) const;
  void will_answer(const ClientAnswer& answer);
  void end_part(std::string& bytes);

  // --- hearing
  awaitable<void> settle(bool last);
  awaitable<void> settle_torn();
  awaitable<Inbound*> reply_to_canary(Sent canary);
  awaitable<Inbound*> own_reply(Sent& canary, harness::session::Deadline deadline);
  awaitable<void> hear_late(const Inbound& canary, bool last);
  awaitable<void> hear(harness::session::Deadline deadline);
  awaitable<void> hear_anything(harness::session::Deadline deadline);
  awaitable<void> hear_arrays(harness::session::Deadline deadline);
  awaitable<bool> hear_open(Clock::time_point from);
  awaitable<void> hear_beginning(const Asked& asked, harness::session::Deadline deadline);
  void leave_streams();
  awaitable<void> hear_unheard(harness::session::Deadline deadline);
  awaitable<void> pass_over(std::chrono::microseconds time);
  void end_without_reply();
  void claim();
  std::size_t outstanding();
  bool has_reply_to_later();
  std::chrono::microseconds time_of(std::uint64_t seq);
  void keep_slice();

  Shared shared_;
  Execution& out_;
  WriteQueue queue_;
  std::vector<std::vector<WriteQueue::Entry>> parts_;  // pipelined, each up to its canary
  std::vector<const ClientAnswer*> answers_;           // of all its steps, likewise
  std::vector<Asked> asked_;                           // on this connection
  std::vector<Asked> unheard_;                         // likewise: exchanges that are still open
  std::size_t frames_ = 0;                             // number of the latest frame
  std::map<std::size_t, std::string> replies_;  // number of the frame → JSON text of its reply
  std::string raw_tail_;
  bool has_references_ = false;
  bool apart_ = false;        // never more than one message in flight
  std::size_t heard_ = 0;     // of the inbox, when the last wait ended
  bool owes_ = false;         // a reply without an id, or an array, may come at any time
  std::set<int> cut_bodies_;  // exchanges whose body was not sent in full
  std::set<int> listening_;   // GET exchanges, which may be endless streams
  bool broken_ = false;       // a connection ended without any response
  std::uint64_t latest_ = 0;  // of the replies that were awaited after a canary
  Clock::time_point began_ = Clock::now();
  std::string said_before_;  // by the service
  Clock::duration idle_{};   // pauses, also between pieces, new sessions, waits that timed out
};

}  // namespace fuzz
