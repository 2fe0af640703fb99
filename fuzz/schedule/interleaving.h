// SPDX-License-Identifier: Apache-2.0
// Interleavings: the orders in which the moves of several strands can be made. Pure.
//
//   Flight: strands of moves ──orders(), draw_order()──► Order ──to_script()──► Script
//
// A strand is what one part of a client does, in its order: it calls and waits for the reply, or it
// cancels. To leave a strand before its end for another is a preemption: most races need one or two
// (CHESS). After those, priorities are drawn, with few points at which they change (PCT,
// probabilistic concurrency testing).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/mutate/random.h"
#include "fuzz/script/script.h"

namespace fuzz {

enum class MoveKind : std::uint8_t {
  kSend,         // the call
  kAwait,        // its reply
  kCancel,       // it
  kRelease,      // the oldest held response, in `session`
  kReleaseLast,  // likewise the latest
  kCut,          // the connection of `session`
};
struct Move {
  MoveKind kind = MoveKind::kSend;
  std::size_t call = 0;     // of the first three: index into Flight::calls
  std::size_t session = 1;  // from 1

  bool operator==(const Move&) const = default;
};
using Strand = std::vector<Move>;
using Order = std::vector<Move>;

struct PlannedCall {
  std::string text;    // the request, in one line
  std::string cancel;  // the notification that cancels it, likewise; "" if nothing can be cancelled
};

struct Flight {
  std::string name;  // of its kind
  std::vector<PlannedCall> calls;
  std::vector<Strand> strands;
  bool holds = false;        // responses to the server are held until they are released
  int slow_ms = 10;          // about as long as its slowest call takes alone
};

// Those with exactly this many preemptions, `most` orders at most; their order depends on nothing
// else. A move that has nothing to act on yet waits: a reply and a cancellation for their call, a
// cut and a release for any call in their session.
std::vector<Order> orders(const Flight& scenario, int preemptions, std::size_t most);
// By priorities that change at this many points.
Order draw_order(const Flight& scenario, std::size_t changes, Random& random);

// What is between two moves that send something.
enum class GapKind : std::uint8_t {
  kTogether,  // nothing: they go out in one write if both are of one session
  kApart,     // they go out one after the other
  kArrival,   // the second goes out when the server has sent something
  kPause,     // the second goes out some time later
};
struct Gap {
  GapKind kind = GapKind::kTogether;
  int milliseconds = 0;  // of kPause
};
// Calls `gap` once for each place between two such moves, in order.
Script to_script(const Flight& scenario, const Order& order, const std::function<Gap()>& gap);

}  // namespace fuzz
