// SPDX-License-Identifier: Apache-2.0
// SessionKeeper: the session that scripts are played on, and the process behind it. It opens a new
// one when one is needed (reopening.h), and finds out how a process ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fuzz/executor/executor_options.h"
#include "fuzz/executor/reopening.h"
#include "fuzz/executor/waiting.h"
#include "harness/base/result.h"
#include "harness/contact/pool.h"
#include "harness/session/session.h"
#include "harness/wire/message_cache.h"

namespace fuzz {

// Replies that earlier scripts on a session still miss, as far as known.
struct Arrears {
  std::size_t unanswered = 0;  // requests
  int scripts = 0;             // that may still get a reply without an id, or an array

  bool any() const { return unanswered > 0 || scripts > 0; }
};

class SessionKeeper {
 public:
  // What is passed by reference outlives it.
  SessionKeeper(harness::run::Pool& pool, const ExecutorOptions& options, const WaitWishes& wishes,
                ServerHabits& habits);
  ~SessionKeeper() { forget_session(); }
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  // Null when there is none.
  harness::session::Session* session() const { return session_.get(); }
  bool has_own_process() const;  // the session there is
  const harness::run::Service& service() const { return pool_.service(); }

  // A session for the next script: the current one if it is usable. True when it is a new one. The
  // Error says why none can be opened.
  harness::session::awaitable<harness::Result<bool>> be_ready();
  // A new session, also within a script.
  harness::session::awaitable<harness::Status> reopen();
  void forget_session();
  void forget_process();

  // What was played on the session, for be_ready().
  void note_script() { ++state_.scripts; }
  void note_frames(std::size_t frames) { state_.frames += frames; }
  std::size_t scripts() const { return state_.scripts; }
  Arrears& arrears() { return arrears_; }  // nothing, on a new session
  // Whether the last script ended in silence: the process may hang.
  void note_silence(bool silent) { fell_silent_ = silent; }
  // Waits until it is known whether the process of a service has ended, if that is worth the time.
  harness::session::awaitable<void> see_end();

  std::uint64_t sessions() const { return sessions_; }  // that were opened

 private:
  harness::session::awaitable<bool> greet(bool starting);

  harness::run::Pool& pool_;
  const ExecutorOptions& options_;
  const WaitWishes& wishes_;
  ServerHabits& habits_;
  std::shared_ptr<harness::wire::MessageCache> cache_ =
      std::make_shared<harness::wire::MessageCache>();
  harness::run::SessionPtr session_;
  SessionState state_;  // its counts
  Arrears arrears_;
  std::uint64_t sessions_ = 0;
  std::uint64_t life_ = 0;  // the process of this session
  bool fell_silent_ = false;
  bool wants_process_ = false;
};

}  // namespace fuzz
