// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/session_keeper.h"

#include <utility>

namespace fuzz {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;
using harness::session::Clock;
using harness::session::Sent;

namespace {
constexpr std::uint64_t kGreetings = 3;  // numbers of them

// Adds the time from here to the end of the block.
struct Stopwatch {
  std::chrono::steady_clock::duration* sum;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  ~Stopwatch() {
    if (sum) *sum += std::chrono::steady_clock::now() - began;
  }
};
}  // namespace

SessionKeeper::SessionKeeper(harness::run::Pool& pool, const ExecutorOptions& options,
                             const WaitWishes& wishes, ServerHabits& habits)
    : pool_(pool), options_(options), wishes_(wishes), habits_(habits) {}

bool SessionKeeper::has_own_process() const { return session_->wire().traits().process; }

void SessionKeeper::forget_session() {
  if (session_) pool_.discard(std::move(session_));
}

void SessionKeeper::forget_process() {
  forget_session();
  wants_process_ = true;
}

awaitable<Result<bool>> SessionKeeper::be_ready() {
  if (session_) {
    SessionState now = state_;
    now.closed = session_->closed();
    now.unusable = session_->unusable();
    // Somebody else may have started another process. Over HTTP nothing else tells.
    now.other_process = service() && service().life() != life_;
    if (is_usable(now, options_)) co_return false;
  }
  const Status opened = co_await reopen();
  state_.scripts = 0;
  if (!opened) co_return opened.error();
  co_return true;
}

awaitable<Status> SessionKeeper::reopen() {
  const Stopwatch stopwatch{options_.starts.get()};
  forget_session();
  Reopening::Facts facts;
  facts.served = static_cast<bool>(service());
  facts.ours = service().ours;
  facts.died = service().died();
  facts.shakes_hands = pool_.profile().era == harness::spec::Era::kHandshake;
  facts.fell_silent = std::exchange(fell_silent_, false);
  facts.wants_process = std::exchange(wants_process_, false);
  facts.starts_ahead = options_.starts_ahead;
  Reopening reopening(facts);
  for (Reopening::Next next = Reopening::Next::kTryAgain; next != Reopening::Next::kUse;) {
    if (reopening.restarts()) {
      const Status started = co_await service().restart();
      if (!started) co_return started.error();
    }
    Result<harness::run::SessionPtr> opened =
        co_await pool_.connect(harness::suite::Need::kFresh, options_.client_capabilities,
                               harness::run::SessionHistory::kNone);
    if (!opened) {
      next = reopening.failed();
      if (next == Reopening::Next::kAskFirst) co_await service().accepts();
      const bool ended = next == Reopening::Next::kAskFirst && service().died();
      if (!ended && next != Reopening::Next::kTryAgain) co_return opened.error();
      continue;
    }
    session_ = std::move(*opened);
    if (facts.served) life_ = service().life();
    session_->keep_sent_messages();
    session_->read_through(cache_);
    if (wishes_.care == Care::kDogged) session_->keep_exchanges(2 * kHang);
    if (session_->wire().over_http()) session_->set_tools(options_.tools);
    const bool greeted = co_await greet(reopening.has_new_process());
    const bool first = sessions_ == 0 && !greeted && session_->closed();
    if (first && !session_->exited() && !service().died())
      co_return harness::Error{"", "the target closes each connection after one reply",
                               "let it keep connections open: a script sends several messages on "
                               "one connection"};
    next = reopening.opened(greeted, session_->closed());
    if (next != Reopening::Next::kUse) forget_session();
  }
  if (options_.starts_ahead) pool_.expect(1);
  ++sessions_;
  state_.frames = 0;
  arrears_ = {};
  co_return Nothing{};
}

// Without a handshake nothing has been heard yet. The process may still be starting; and as long as
// the server was not seen to keep an id, any refusal passes for the reply to the canary.
awaitable<bool> SessionKeeper::greet(bool starting) {
  if (session_->profile().era == harness::spec::Era::kHandshake) co_return true;
  if (session_->has_exchanges()) co_return false;
  const Sent first = co_await session_->send_canary();
  WaitSituation where;
  where.pace = session_->pace();
  where.starting = starting;
  where.reply_time = session_->reply_time();
  const auto patience = wait_time(Awaited::kFirstReply, where);
  const harness::session::Inbound* reply =
      co_await session_->reply_to(first, Clock::now() + patience);
  // A connection may be good for one request, or so many: what shows however often it was asked
  // before is not for that reason.
  const std::uint64_t more = has_own_process() ? 0 : 1 + sessions_ % kGreetings;
  for (std::uint64_t i = 0; reply && i < more; ++i) {
    const Sent second = co_await session_->send_canary();
    reply = co_await session_->reply_to(second, Clock::now() + where.reply_time);
  }
  session_->take_slice();  // what a script shows must not be shown by this
  co_return reply != nullptr;
}

// The canary may have overtaken what ended the process.
awaitable<void> SessionKeeper::see_end() {
  WaitSituation where;
  where.accepts = co_await service().accepts();
  if (where.accepts) habits_.late_ends.another();
  where.wishes = wishes_;
  where.habits = habits_;
  const auto time = wait_time(Awaited::kEndOfProcess, where);
  if (time == time.zero()) co_return;
  co_await service().wait(std::chrono::duration_cast<std::chrono::milliseconds>(time));
  if (where.accepts) habits_.late_ends.learn(service().died());
}

}  // namespace fuzz
