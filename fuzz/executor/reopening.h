// SPDX-License-Identifier: Apache-2.0
// Reopening: when a new session is needed, and when a new process behind it. Pure: takes the result
// of each attempt and says what to do next.
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
  bool unusable = false;       // the session reported itself broken
  bool other_process = false;  // somebody else has restarted its process
  std::size_t scripts = 0;     // scripts played on it
  std::size_t frames = 0;      // likewise
};
// Whether the next script may use it.
bool is_usable(const SessionState& session, const ExecutorOptions& limits);

class Reopening {
 public:
  struct Facts {
    bool served = false;         // all sessions share one process that is reached by URL
    bool ours = false;           // which we started
    bool died = false;           // it is known to have ended
    bool shakes_hands = false;   // the profile has a handshake: opening a session needs a reply
    bool fell_silent = false;    // the last script ended in silence
    bool wants_process = false;  // a new process was requested
    bool starts_ahead = false;   // the process of the next session was started earlier
  };
  explicit Reopening(const Facts& facts);

  // Restart the process before the next attempt.
  bool restarts() const { return restarts_; }
  // The session may have a process that was just started.
  bool has_new_process() const { return restarts_ || !facts_.served; }

  enum class Next {
    kUse,       // the session
    kTryAgain,  // to open one
    kAskFirst,  // whether the process has ended: if it has, try again, else give up
    kGiveUp,
  };
  // No session could be opened.
  Next failed();
  // One was. `greeted`: the first request on it was answered; `closed`: it has ended already.
  Next opened(bool greeted, bool closed);

 private:
  Facts facts_;
  bool doubtful_;  // the process may hang
  bool restarts_;
  bool stale_;        // the process started ahead may have ended by itself meanwhile
  bool may_be_back_;  // somebody else may restart it
};

}  // namespace fuzz
