// SPDX-License-Identifier: Apache-2.0
// Schedule: which cases of a suite are played, in which order, and on what kind of session. A pure
// value: it knows cases but no sessions. A worker that asks for the next case says which session is
// free.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/entry.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/suite/case.h"
#include "harness/suite/case_traits.h"
#include "harness/suite/loader.h"
#include "harness/suite/selection.h"
#include "harness/wire/transport_kind.h"

namespace harness::run {

// Whether the case is written for this profile and transport.
bool meant_for(const suite::Case& scenario, const spec::Profile& profile,
               wire::TransportKind transport);
// Whether it needs a session on which nothing was sent before.
bool wants_new_session(const suite::Case& scenario);

// The cases that the user selected, by whether they apply here. They belong to the suite.
struct Selected {
  std::vector<const suite::Case*> cases;  // in the order of the suite
  std::vector<std::string> deselected;    // ids of those that the selection leaves out
};
// A case that covers no clause of the profile is irrelevant and is in neither list.
Selected select_cases(const suite::Suite& suite, const suite::Selection& selection,
                      const spec::Registry& registry, const spec::Profile& profile,
                      wire::TransportKind transport);

// The session of a case: a ready one that others use as well, a separate one, or one that no other
// case needs.
enum class SessionUse { kShared, kOwn, kDisposable };
SessionUse session_use(const suite::Case& scenario, bool restart_each_case);

// What a worker has when it asks for the next case.
struct WorkerState {
  bool prefers_own = false;    // it begins with the cases that need sessions of their own
  bool has_ready = false;      // it holds a session that cases share
  bool may_share = true;       // it holds such a session, or may open one more
  bool worth_opening = true;   // opening one more of those takes less time than it saves
  bool has_leftover = false;   // a session waits that can be given to the next disposable case
  bool soon_leftover = false;  // if there is none now, others will leave one
  bool again_waiting = false;  // cases wait to be judged again
  bool own_fits = true;        // what some case of its own opens has room now
  bool shared_fits = true;     // likewise for some case on the shared session
};

class Schedule {
 public:
  Schedule() = default;
  // Connections without a handshake are reused, so the cases that leave them so come before those
  // that do not; cases with the same declarations come together, because they can share a session;
  // and those that end a connection come last. On a shared session, cases that undo their changes
  // come after those that change nothing, and cases that wait long are spread among the others.
  // If the number of open things is `bounded`, cases that need many of them come first, then those
  // that wait for a server that got an odd response; cases that wait long on a separate session are
  // spread, too. Otherwise the order of `entries`, which outlive the schedule, is kept.
  Schedule(const std::vector<Entry*>& entries, bool restart_each_case, bool bounded = false);

  // The kind of session for the next case of this worker; nothing if no case is left for it.
  std::optional<SessionUse> next(const WorkerState& state) const;
  // The kind of session for the first case that opens so much that it cannot run next to others;
  // null if none is left. Such cases begin before all others.
  std::optional<SessionUse> exclusive() const;
  using Fits = std::function<bool(const suite::Case&, const suite::Demand&)>;
  bool any(SessionUse use, const Fits& fits) const;
  // The next case of a kind of which some are left, if possible one that fits.
  Entry& take(SessionUse use, const Fits& fits);
  // The first one, without removing it; null if none is left.
  const Entry* first(SessionUse use) const;
  // Its needs; nothing if none is left.
  suite::Demand wanted(SessionUse use) const;
  std::size_t left(SessionUse use) const { return queue(use).size(); }
  std::size_t left() const { return queues_[0].size() + queues_[1].size() + queues_[2].size(); }

 private:
  struct Item {
    Entry* entry;
    suite::Demand demand;
    bool exclusive;  // finds no room beside others
    bool waits;      // for the most part
    std::string declares;
  };
  using Queue = std::deque<Item>;
  static void spread_waits(Queue& queue);
  Queue& queue(SessionUse use) { return queues_[static_cast<std::size_t>(use)]; }
  Queue::const_iterator fitting(SessionUse use, const Fits& fits) const;
  const Queue& queue(SessionUse use) const { return queues_[static_cast<std::size_t>(use)]; }

  Queue queues_[3];
};

}  // namespace harness::run
