// SPDX-License-Identifier: Apache-2.0
// ScheduleRun: one schedule under way, a Script that says how messages of one session or several
// stand to each other. Nothing is sent between its messages but what it says: canaries follow at
// the end.
//
//   steps ──► what waits of a session goes out ──► waits hear all sessions ──► … ──► settle()
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fuzz/executor/delivery.h"
#include "fuzz/executor/execution.h"
#include "fuzz/executor/script_run.h"
#include "fuzz/executor/session_keeper.h"
#include "fuzz/script/script.h"
#include "harness/base/result.h"
#include "harness/contact/pool.h"

namespace fuzz {

class ScheduleRun {
 public:
  // What is passed by reference outlives it. `shared.sessions` has the first session.
  ScheduleRun(const ScriptRun::Shared& shared, harness::run::Pool& pool,
              const ExecutorOptions& options, Execution& out);

  // Plays all of it, up to the replies to the last canaries; leaves sessions that are no longer
  // usable. The Error says why a session cannot be opened.
  harness::session::awaitable<harness::Status> play(const Script& script);

 private:
  using Session = harness::session::Session;
  using Clock = harness::session::Clock;
  using Sent = harness::session::Sent;
  template <class Value>
  using awaitable = harness::session::awaitable<Value>;
  struct Asked {
    std::size_t number = 0;  // of the frame, from 1
    std::size_t step = 0;
    Sent sent;
    bool answered = false;
    bool waited_for = false;  // a step waits for a reply as long as usual
  };
  struct Lane {
    std::unique_ptr<SessionKeeper> own;  // null: the executor's
    SessionKeeper* keeper = nullptr;
    WriteQueue queue;
    std::vector<Asked> asked;
    std::set<std::string> cancelled;  // keys of ids
    std::size_t slice = 0;            // index into Execution::slices
    std::size_t heard = 0;            // of its inbox: what has been searched for requests
    std::deque<harness::json::Value> held;  // requests of the server that wait for a response
    bool open = false;
    Session& session() const { return *keeper->session(); }
    bool usable() const { return open && !session().closed(); }
  };

  awaitable<harness::Status> take(const Step& step, std::size_t index);
  awaitable<void> take_timing(const Timing& timing);
  awaitable<harness::Status> be_open(Lane& lane);
  awaitable<void> add(const Frame& frame, std::size_t index);
  awaitable<void> flush(Lane& lane);
  awaitable<void> flush_all();
  void note_sent(Lane& lane, const ScriptPlace& place, const Sent& sent, const std::string& bytes);
  void leave(Lane& lane);
  harness::session::SessionOptions options_of(const Lane& lane) const;

  // Receives on all sessions until `done`, or until nothing came for `quiet`. False: the latter, or
  // no session is left.
  using Done = std::function<bool()>;
  awaitable<bool> hear(Lane& first, const Done& done, Clock::duration quiet);
  awaitable<void> listen(std::chrono::milliseconds time);
  void keep_requests(Lane& lane);
  bool is_holding() const;
  bool is_held(const harness::json::Value& request) const;
  awaitable<void> give(Lane& lane, bool latest);
  awaitable<void> release(Lane& lane, bool latest);
  awaitable<void> release_all();
  bool claim(Lane& lane, Asked& asked);
  bool is_due(const Lane& lane, const Asked& asked) const;
  bool all_answered(bool or_waited_for = false);
  awaitable<void> settle();
  awaitable<bool> is_alive(Lane& lane);
  awaitable<void> finish();
  awaitable<void> conclude(Lane& lane);
  Clock::duration quiet() const;
  Lane& lane() { return lanes_[at_]; }

  ScriptRun::Shared shared_;
  harness::run::Pool& pool_;
  const ExecutorOptions& options_;
  Execution& out_;
  std::map<std::size_t, Lane> lanes_;
  std::size_t at_ = 1;      // number of the current lane
  std::size_t frames_ = 0;  // number of the latest frame
  harness::suite::Answers answers_;
  std::map<std::string, bool> holds_;  // method of the server or *: whether responses to it are
                                       // held
  Clock::duration idle_{};
  Clock::time_point began_;
};

}  // namespace fuzz
