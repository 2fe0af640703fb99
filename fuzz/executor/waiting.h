// SPDX-License-Identifier: Apache-2.0
// Waiting: what is waited for, when, and how long, as one table (waiting.cc). Pure: what was
// measured, what the caller wants and what the server was seen to do goes in, a time comes out.
//
// A wait costs as much as dozens of scripts, a silence that is waited out as much as thousands. So
// what was never of use is waited for ever more seldom.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "fuzz/executor/adaptive_wait.h"
#include "harness/session/session.h"

namespace fuzz {

// How sure to be of what does not come.
enum class Care {
  kQuick,     // mostly nothing is waited for that comes behind the reply to the canary
  kThorough,  // one more request shows that what has not come was passed over
  kPatient,   // likewise, after a wait for whatever comes late
  kDogged,    // likewise, after kHang, and as long as for any reply
};

// A silence that lasts so long is one. Whoever says that a server hangs waits for it.
inline constexpr std::chrono::milliseconds kHang{5000};

// What the caller wants; see the setters of ScriptExecutor.
struct WaitWishes {
  Care care = Care::kQuick;
  bool closely = false;
  std::optional<std::chrono::milliseconds> patience;
};

// What a server was seen to do, as far as it tells which waits are of use.
struct ServerHabits {
  AdaptiveWait late_replies{12, 8};      // that come behind the reply to the canary
  std::chrono::microseconds lateness{};  // of the latest of a script, a moving average
  AdaptiveWait slow_canaries{3, 1};      // a reply to the canary that takes longer than is usual
  AdaptiveWait late_ends{12, 1};         // the end of a process behind that of its connection
  AdaptiveWait cut_bodies{12, 8};        // an answer to a body that is not all there
  AdaptiveWait open_exchanges{12, 8};    // an answer behind that of the canary, over HTTP
  bool asks = false;                     // it has sent requests of its own
};

enum class Awaited {
  kCanary,         // the reply to the canary, as long as is usual
  kSlowCanary,     // the same, beyond that; from the same moment
  kLateReplies,    // replies that are due when the canary has its own
  kTornReplies,    // whatever comes, where framing was broken and a canary proves nothing
  kCutBody,        // HTTP: an answer at once to a body that is not all there
  kCutBodyLonger,  // the same, beyond that; from the same moment
  kOpenExchange,   // HTTP: an answer that is due when the canary and all others have theirs
  kSecondCanary,  // the reply to one more request, which shows that what is missing was passed over
  kEndOfProcess,  // the end of a process whose connection has ended
  kFirstReply,    // on a new connection without a handshake
};

// Where something is waited for. What a row of the table does not look at may be left out.
struct WaitSituation {
  harness::session::Pace pace;
  WaitWishes wishes;
  ServerHabits habits;
  bool last = false;       // the script ends here
  bool apart = false;      // none of its messages is in flight with another
  bool exchanges = false;  // each message has an exchange of its own (HTTP)
  // Canaries: what is due before them.
  std::size_t batched = 0;  // requests in batches
  std::size_t bytes = 0;
  // kSecondCanary
  bool broken = false;   // a connection ended without any response
  bool missing = false;  // a reply
  bool waited = false;   // HTTP: kOpenExchange was, and nothing came
  // kEndOfProcess
  bool accepts = false;  // its address still does
  // kFirstReply
  bool starting = false;                    // the process may still be
  std::chrono::milliseconds reply_time{0};  // Session::reply_time()
};

// How long to wait from now; 0: not at all.
std::chrono::microseconds wait_time(Awaited what, const WaitSituation& where);

}  // namespace fuzz
