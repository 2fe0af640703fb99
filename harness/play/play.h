// SPDX-License-Identifier: Apache-2.0
// play(): plays the steps of one Case on a Session and reports what was wrong. It does not run
// oracles; it returns the evidence that they need.
//
//   row of the table ─► steps ─► frames out, replies gathered, graded ─► canary ─► next row
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/contact/gate.h"
#include "harness/contact/offer.h"
#include "harness/match/matcher.h"
#include "harness/play/habits.h"
#include "harness/play/listener.h"
#include "harness/results/case_findings.h"
#include "harness/session/session.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::run {

using session::awaitable;

struct PlayContext {
  const suite::Suite& suite;
  const spec::Registry& registry;
  const spec::Profile& profile;
  const Offer& offer;
  Silence silence = Silence::kBelieved;
  // A new session in the given state, for `reconnect` and for a second client.
  using SessionPtr = std::unique_ptr<session::Session>;
  std::function<awaitable<Result<SessionPtr>>(suite::Need)> connect;
  // Takes a session that is no longer needed; it ends in the background.
  std::function<void(std::unique_ptr<session::Session>)> discard;
  // How often the process of a URL had to be restarted.
  std::function<std::uint64_t()> lives;
  // Why no more rows are to be played; "" if they are. May be empty.
  std::function<std::string()> why_stop = {};
  Habits* habits = nullptr;  // of the target; null: every row is played
  bool learns = false;       // whatever happens to the target, this case caused it
  bool restarts = false;     // the process behind the URL is started again once it exited
  // Whether the next play on the session shows if the target still answers.
  bool leaves_canary = false;
  // How the process behind the URL exited, and its last output; nothing while it runs. Waits a
  // moment for the exit. Empty if another case may have ended the process.
  struct Ending {
    std::string how, output;
  };
  std::function<awaitable<std::optional<Ending>>()> ending = {};
};

// Plays the case. `session` is replaced when the case reconnects. Throws Bug when the case itself
// is wrong in a way the loader cannot see.
awaitable<PlayedCase> play(const suite::Case& scenario, std::unique_ptr<session::Session>& session,
                           const PlayContext& context);

}  // namespace harness::run
