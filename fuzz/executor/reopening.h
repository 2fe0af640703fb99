// SPDX-License-Identifier: Apache-2.0
// Reopening: when a new session is needed, and when a new process behind it. Pure: told what came
// of each attempt, it says what to do next.
//
//   ──► restart the process? ──► open a session ──┬─ no ──► failed() ──► again, ask, give up
//                                                 └─ yes ─► opened() ──► use it, again
#pragma once

#include <cstddef>

#include "fuzz/executor/executor_options.h"

namespace fuzz {

// A session between two scripts.
struct SessionState {
  bool closed = false;
  bool unusable = false;       // marked as such by itself
  bool other_process = false;  // that it was with has been started anew by somebody else
  std::size_t scripts = 0;     // that were played on it
  std::size_t frames = 0;      // likewise
};
// Whether the next script may have it.
bool is_usable(const SessionState& session, const ExecutorOptions& limits);

class Reopening {
 public:
  struct Facts {
    bool served = false;         // all sessions are with one process that is reached by url
    bool ours = false;           // which we started
    bool died = false;           // it is known to have ended
    bool shakes_hands = false;   // the profile has a handshake: to open a session takes an answer
    bool fell_silent = false;    // the last script ended in silence
    bool wants_process = false;  // somebody asked for a new process
    bool starts_ahead = false;   // the process of the next session was started before
  };
  explicit Reopening(const Facts& facts);

  // Before the next attempt the process is to be started anew.
  bool restarts() const { return restarts_; }
  // The session may have a process that was just started.
  bool has_new_process() const { return restarts_ || !facts_.served; }

  enum class Next {
    kUse,       // the session
    kTryAgain,  // to open one
    kAskFirst,  // whether the process has ended: if so try again, else give up
    kGiveUp,
  };
  // No session could be opened.
  Next failed();
  // One was. `greeted`: what was asked on it for a start was answered; `closed`: it ended already.
  Next opened(bool greeted, bool closed);

 private:
  Facts facts_;
  bool doubtful_;  // the process may hang
  bool restarts_;
  bool stale_;        // what was started ahead may have ended by itself meanwhile
  bool may_be_back_;  // somebody else may start it again
};

}  // namespace fuzz
