// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/reopening.h"

#include <utility>

namespace fuzz {

bool is_usable(const SessionState& session, const ExecutorOptions& limits) {
  return !session.closed && !session.unusable && !session.other_process &&
         session.scripts < limits.scripts_per_session && session.frames < limits.frames_per_session;
}

// All sessions of a served target are in one process: where one fell silent, the next may be, too.
// A handshake would have to wait for it.
Reopening::Reopening(const Facts& facts)
    : facts_(facts), doubtful_(facts.served && facts.fell_silent),
      restarts_((facts.served && facts.wants_process) || (doubtful_ && facts.shakes_hands)),
      stale_(facts.starts_ahead && !facts.served),
      may_be_back_(facts.served && !facts.ours && !facts.died) {}

Reopening::Next Reopening::failed() {
  if (std::exchange(stale_, false)) return Next::kTryAgain;
  if (std::exchange(may_be_back_, false)) return Next::kAskFirst;
  return Next::kGiveUp;
}

Reopening::Next Reopening::opened(bool greeted, bool closed) {
  const bool gone = closed && std::exchange(stale_, false);
  const bool sound = !gone && (greeted || restarts_ || !doubtful_);
  restarts_ = !sound && facts_.served;
  return sound ? Next::kUse : Next::kTryAgain;
}

}  // namespace fuzz
