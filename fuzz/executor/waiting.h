// SPDX-License-Identifier: Apache-2.0
// Waiting: what is waited for, when, and how long, as one table (waiting.cc). Pure: takes what was
// measured, what the caller wants and how the server behaved; returns a time.
//
// A wait costs as much as dozens of scripts, a silence as much as thousands. So
// a wait that never helped is made ever more seldom.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "fuzz/executor/adaptive_wait.h"
#include "harness/session/session.h"

namespace fuzz {

// How certain a missing reply must be.
enum class Care {
  kQuick,     // mostly, nothing after the reply to the canary is awaited
  kThorough,  // one more request shows that the missing one was passed over
  kPatient,   // likewise, after a wait for late replies
  kDogged,    // likewise, after kHang, and as long as for any reply
};

// A silence of this length counts as one. A caller that reports a hang waits this long.
inline constexpr std::chrono::milliseconds kHang{5000};

// What the caller wants; see the setters of ScriptExecutor.
struct WaitWishes {
  Care care = Care::kQuick;
  bool closely = false;
  bool hurried = false;  // such waits had their part of the time
  std::optional<std::chrono::milliseconds> patience;
};

// How a server behaved, as far as it shows which waits help.
struct ServerHabits {
  AdaptiveWait late_replies{12, 8};      // replies that come after the one to the canary
  std::chrono::microseconds lateness{};  // of the latest reply of a script, a moving average
  AdaptiveWait slow_canaries{3, 1};      // a reply to the canary that takes longer than usual
  AdaptiveWait late_ends{12, 1};         // the end of a process after the end of its connection
  AdaptiveWait cut_bodies{12, 8};        // a reply to an incomplete body
  AdaptiveWait open_exchanges{12, 8};    // a reply after that of the canary, over HTTP
  bool asks = false;                     // it has sent requests of its own
  bool names_canaries = false;           // a reply to one had its id
};

enum class Awaited {
  kCanary,         // the reply to the canary, for the usual time
  kSlowCanary,     // the same, longer; from the same moment
  kLateReplies,    // replies that are due when the canary is answered
  kTornReplies,    // anything, after broken framing, when a canary proves nothing
  kCutBody,        // HTTP: an immediate reply to an incomplete body
  kCutBodyLonger,  // the same, longer; from the same moment
  kOpenExchange,   // HTTP: a reply that is due when the canary and all others are answered
  kSecondCanary,  // the reply to one more request, which shows that the missing one was passed over
  kEndOfProcess,  // the end of a process whose connection has ended
  kFirstReply,    // on a new connection without a handshake
};

// The situation of a wait. Fields that a row of the table does not use may be left out.
struct WaitSituation {
  harness::session::Pace pace;
  WaitWishes wishes;
  ServerHabits habits;
  bool last = false;       // the script ends here
  bool apart = false;      // no two of its messages are in flight together
  bool exchanges = false;  // each message has its own exchange (HTTP)
  // Canaries: what is due before them.
  std::size_t batched = 0;  // requests in batches
  std::size_t bytes = 0;
  // kSecondCanary
  bool broken = false;   // a connection ended without any response
  bool missing = false;  // a reply
  bool waited = false;   // HTTP: kOpenExchange is over, and nothing came
  // kEndOfProcess
  bool accepts = false;  // its address still accepts connections
  // kFirstReply
  bool starting = false;                    // the process may still be starting
  std::chrono::milliseconds reply_time{0};  // Session::reply_time()
};

// How long to wait from now; 0: not at all.
std::chrono::microseconds wait_time(Awaited what, const WaitSituation& where);

}  // namespace fuzz
