// SPDX-License-Identifier: Apache-2.0
// ScriptExecutor: keeps a session with a Target open and plays Scripts on it, one after the other.
// It judges nothing; an Execution holds what it saw.
//
//   Script ──► frames up to a wait, in one write ──► replies ──► … ──► canary and its reply
//
// On a stream several Scripts may be pipelined, written ahead of the replies to the first: what
// comes up to the reply to the canary of one belongs to that one, as if they had been played one
// after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fuzz/executor/execution.h"
#include "fuzz/executor/executor_options.h"
#include "fuzz/executor/session_keeper.h"
#include "fuzz/executor/waiting.h"
#include "fuzz/script/script.h"
#include "harness/base/result.h"
#include "harness/contact/pool.h"
#include "harness/session/session.h"

namespace fuzz {

// Waits until one more message may be sent; not at all without a rate.
harness::session::awaitable<void> until_due(std::shared_ptr<harness::session::Rate> rate);

class ScriptExecutor {
 public:
  // `pool` has agreed on the profile. What is passed by reference outlives it.
  ScriptExecutor(harness::run::Pool& pool, ExecutorOptions options);
  ScriptExecutor(const ScriptExecutor&) = delete;
  ScriptExecutor& operator=(const ScriptExecutor&) = delete;

  // Opens a session when there is none; a schedule opens its further ones. The Error says why
  // no session can be opened.
  harness::session::awaitable<harness::Result<Execution>> play(const Script& script);
  // Whether play_pipelined() can play it: never without a session, nor with a server that has
  // answered out of order.
  bool can_pipeline(const Script& script) const;
  // Plays scripts for which can_pipeline() is true, all in one write. Returns as many as were
  // played. The last of them may have ended the session, or a reply came too early; what was
  // written after it is void. For a server that answers out of order, can_pipeline() soon becomes
  // false.
  harness::session::awaitable<harness::Result<std::vector<Execution>>> play_pipelined(
      const std::vector<Script>& scripts);

  void set_care(Care care) { wishes_.care = care; }
  Care care() const { return wishes_.care; }
  // Treats the next script as one in some dozens is treated: waits for missing replies if that ever
  // helped, and sends one more request to show that a request was passed over.
  void look_closely() { wishes_.closely = true; }
  // Until it is taken back: while nothing is confirmed, hardly waits for missing replies.
  void set_hurried(bool hurried) { wishes_.hurried = hurried; }
  // While waiting for the reply to the canary, the longest time without any message; nothing: as
  // long as for any reply. A caller that sets it looks for silence: what comes after that reply is
  // not awaited.
  void set_patience(std::optional<std::chrono::milliseconds> patience) {
    wishes_.patience = patience;
  }
  std::optional<std::chrono::milliseconds> patience() const { return wishes_.patience; }
  // It has answered later than usual.
  bool is_slow() const { return habits_.slow_canaries.ever_came(); }
  // The next script gets a new session.
  void forget_session() { sessions_.forget_session(); }
  // Likewise, and a new process if we started it.
  void forget_process() { sessions_.forget_process(); }
  // What was played on the session since it was opened, the last script included. For a session
  // that was left: until the next script is played.
  const std::vector<Script>& journal() const { return journal_; }
  std::uint64_t sessions() const { return sessions_.sessions(); }
  const harness::session::Session* session() const { return sessions_.session(); }

 private:
  harness::session::awaitable<harness::Status> be_ready();
  void begin(Execution& out);

  harness::run::Pool& pool_;
  ExecutorOptions options_;
  WaitWishes wishes_;
  ServerHabits habits_;
  SessionKeeper sessions_;
  std::vector<Script> journal_;
  std::size_t pipelined_ = 0;   // scripts
  std::size_t disordered_ = 0;  // of those
};

}  // namespace fuzz
