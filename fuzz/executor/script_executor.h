// SPDX-License-Identifier: Apache-2.0
// ScriptExecutor: keeps a session with a Target open and plays Scripts on it, one after the other.
// It judges nothing; what it saw is in an Execution.
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
#include <utility>
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

// Waits until one more message may go; not at all without a rate.
harness::session::awaitable<void> until_due(std::shared_ptr<harness::session::Rate> rate);

class ScriptExecutor {
 public:
  // `pool` has been settled on the profile. What is passed by reference outlives it.
  ScriptExecutor(harness::run::Pool& pool, ExecutorOptions options);
  ScriptExecutor(const ScriptExecutor&) = delete;
  ScriptExecutor& operator=(const ScriptExecutor&) = delete;

  // Opens a session when there is none; a schedule opens those it has besides. The Error says why
  // no session can be opened.
  harness::session::awaitable<harness::Result<Execution>> play(const Script& script);
  // Whether it may be one of those that play_pipelined() plays: never without a session, nor with a
  // server that was seen to answer out of order.
  bool can_pipeline(const Script& script) const;
  // Plays scripts of which can_pipeline() is true, all written at once. As many as were played: the
  // last of them may have ended the session, or a reply came before its time; what was written
  // behind is void. Of a server that answers out of order can_pipeline() is soon false.
  harness::session::awaitable<harness::Result<std::vector<Execution>>> play_pipelined(
      const std::vector<Script>& scripts);

  void set_care(Care care) { wishes_.care = care; }
  Care care() const { return wishes_.care; }
  // The next script is looked at as one in some dozens is: what does not come is waited for where
  // that was ever of use, and one more request shows that it was passed over.
  void look_closely() { wishes_.closely = true; }
  // Where the reply to the canary is waited for, how long nothing at all may come; nothing: it
  // may take as long as any reply. Who sets it asks for silence: what comes behind that reply is
  // not waited for.
  void set_patience(std::optional<std::chrono::milliseconds> patience) {
    wishes_.patience = patience;
  }
  std::optional<std::chrono::milliseconds> patience() const { return wishes_.patience; }
  // It was seen to answer later than is usual.
  bool is_slow() const { return habits_.slow_canaries.ever_came(); }
  // The next script gets a new session.
  void forget_session() { sessions_.forget_session(); }
  // Likewise, and where we started the process behind it a new one of that.
  void forget_process() { sessions_.forget_process(); }
  // What was played on the session since it was opened, the last script included; of a session that
  // was left, until the next script is played.
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
