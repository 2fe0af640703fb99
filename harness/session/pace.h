// SPDX-License-Identifier: Apache-2.0
// Pace: how long a target is waited for.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/clock.h"
#include "harness/session/patience.h"

namespace harness::session {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// The maximum number of messages per second to a target, over all sessions that share it. It only
// counts: a sender of many messages first asks how long to wait.
class Rate {
 public:
  using Clock = harness::Clock;
  explicit Rate(double per_second) : per_second_(per_second) {}

  void sent(Clock::time_point now) {
    due_ = std::max(due_, now) + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(1 / per_second_));
  }
  // When the next message may be sent; in the past if it may at once.
  Clock::time_point due() const { return due_; }

 private:
  double per_second_;
  Clock::time_point due_{};
};

// How fast the target answers: shared by all sessions of a run, so that deadlines follow the
// measurements. Deadlines are only for failures; on a correct target nothing waits for one.
struct Pace {
  microseconds round_trip{2000};  // of a canary, a moving average
  milliseconds timeout{10000};    // the user's bound
  // The minimum wait for a first reply: the target may still be starting.
  milliseconds start = patience::kStart;
  // The longest that a new connection took to answer the first message on it.
  microseconds first_answer{};
  // How many times slower a target is than on an idle machine, because others use the processors: 1
  // to 10. Measured in the last long wait.
  double slowdown = 1;
  // Its replies come late though it has a processor, because it is far away or slow by choice:
  // during a wait for one, others may act.
  bool distant = false;
  // On a stream, for a target that treats messages that arrive together as one: the pause between
  // two messages, unless the first is answered sooner. 0: none.
  milliseconds apart{};
  // The method that the operator named, if it is slow, and how long it takes: a reply has twice as
  // long.
  std::string slow_method;
  milliseconds slow_for{};
  // How often a reply came only after another message, after as long as any reply gets.
  int held_back = 0;
  bool holds_back() const { return held_back >= 2; }
  // How often a reply came behind that to a later message.
  int overtaken = 0;
  bool answers_out_of_order() const { return overtaken >= 2; }
  // The key of the id under which the target answers what names no request, as 0; "" as long as none
  // came twice that nobody had used.
  std::string stand_in;
  std::string unused_id;  // that came last
  void came_unused(const std::string& key) {
    if (std::exchange(unused_id, key) == key) stand_in = key;
  }
  // False: the first contact had no handshake, so none is waited for long.
  bool serves_initialize = true;
  // Of a target on this machine that others started.
  std::vector<long> processes;
  std::shared_ptr<Rate> rate;  // null: no limit
  // Called when a session begins (true) and ends a wait of more than a round trip. May be empty.
  std::function<void(bool begins)> waiting;
  // Called each second of such a wait: for what, how long so far, and how long at most. May be
  // empty.
  struct Waited {
    std::string what;    // "a reply to tools/call"
    bool first = false;  // nothing has come on this session: the target may be starting
    milliseconds since{}, most{};
  };
  std::function<void(const Waited&)> waited;

  // One slow moment, when a process starts or digests a large message, counts for little.
  void measured(microseconds sample);
  // How long a reply may take before it counts as missing. A batch with this many requests may take
  // as long as they would one after the other; large messages get one more second for each MiB.
  milliseconds reply(std::size_t batched = 0, std::size_t bytes = 0) const;
  // How long a reply may come after that of a later canary, for servers that answer out of order.
  milliseconds grace(bool patient) const;
  // What lasts longer than this is a wait, in which others may act.
  milliseconds brief() const;
  // How long initialize, or another first message, may take: a target may still be starting, and
  // take twice as long as it did before.
  milliseconds to_begin() const;
  // How long a first reply may take: the times of others are a measure, not a limit.
  milliseconds first() const;
};

}  // namespace harness::session
