// SPDX-License-Identifier: Apache-2.0
#include "harness/run/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "harness/contact/negotiate.h"
#include "harness/json/write.h"
#include "harness/session/patience.h"
#include "harness/suite/case_traits.h"
#include "harness/transport/timer.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;

bool hangs(const Judgement& judgement) {
  const auto& found = judgement.played.findings;
  return std::any_of(found.begin(), found.end(), [](const oracle::Finding& one) {
    return oracle::symptom_of(one) == oracle::Symptom::kHang;
  });
}

// Whether another case may have its session as if it were new. What changes nothing leaves it so
// where it has nothing to say, too; what puts back what it changes does so at its end.
bool left_tidy(const Entry& entry) {
  const Judgement& judgement = entry.judgement;
  if (judgement.played.believed) return false;
  switch (entry.scenario->need) {
    case suite::Need::kReady: return judgement.verdict != Verdict::kFail;
    case suite::Need::kOwn:
    case suite::Need::kBare: return judgement.verdict == Verdict::kPass;
    case suite::Need::kFresh:
    case suite::Need::kDisposable: return false;
  }
  return false;
}

}  // namespace

Workers::Workers(Means means)
    : means_(std::move(means)), pool_(means_.pool), schedule_(means_.schedule),
      turns_(means_.executor, means_.jobs, means_.most_cases) {
  means_.judge.stop_when([this] { return why_not_played(); });
  means_.pace.waiting = [this](bool begins) { turns_.waits(begins); };
}

Workers::~Workers() { means_.pace.waiting = {}; }

// --- all, once

awaitable<void> Workers::play_all() {
  if (means_.ready) ready_lease_ = pool_.seize({1, 0});
  const auto story = [this](int number) { return work(number); };
  co_await side_by_side(story);
  drop_ready();
}

void Workers::drop_ready() {
  pool_.discard(std::move(means_.ready));
  ready_lease_.give_back();
}

awaitable<void> Workers::side_by_side(std::function<awaitable<void>(int)> work) {
  const int workers = turns_.most();
  int running = workers;
  transport::Timer all_done(means_.executor, Clock::time_point::max());
  for (int i = 0; i < workers; ++i) {
    boost::asio::co_spawn(
        means_.executor, [&work, i]() -> awaitable<void> { co_await work(i); },
        [&](std::exception_ptr failure) {
          if (failure && !failure_) failure_ = failure;
          if (--running == 0) all_done.cancel();
        });
  }
  boost::system::error_code ignored;
  if (running > 0)
    co_await all_done.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  if (failure_) std::rethrow_exception(failure_);
}

awaitable<void> Workers::pause(milliseconds time) {
  transport::Timer timer(means_.executor, time);
  boost::system::error_code ignored;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
}

awaitable<void> Workers::work(int number) {
  SharedSession shared;
  shared.life = pool_.lives();
  for (bool more = true; more;) {
    co_await turns_.take();
    more = co_await work_once(number, shared);
    turns_.give_back();
  }
}

// False when nothing is left to do.
awaitable<bool> Workers::work_once(int number, SharedSession& shared) {
  if (shared.life != pool_.lives() || pool_.service().died()) {
    end_watch(shared);
    doubt_owing(shared);
    drop_shared(shared);
    shared.life = pool_.lives();
  }
  std::optional<SessionUse> use = schedule_.exclusive();
  if (!use) use = next_use(number, shared);
  if (!use && !again_.empty()) {
    co_await play_again();
    co_return true;
  }
  if (!use && schedule_.left(SessionUse::kShared) == 0) co_await leave_shared(shared);
  if (!use && schedule_.left() == 0) {
    if (together_.empty()) co_return false;
    look_together();
    co_return true;
  }
  // The others may turn out to need help, or leave what this one needs.
  const bool waits = use && means_.target.stdio() && !schedule_.any(*use, fits(*use, shared));
  if (!use || waits) {
    turns_.waits(true);
    co_await pause(milliseconds(10));
    turns_.waits(false);
    co_return true;
  }
  if (!schedule_.any(*use, fits(*use, shared))) {
    const bool changed = co_await await_room(*use, shared);
    if (changed || schedule_.left(*use) == 0) co_return true;
  }
  Entry& entry = schedule_.take(*use, fits(*use, shared));
  if (const std::string why = why_not_played(); !why.empty()) {
    entry.judgement = not_played("not played: " + why);
    means_.settle(entry);
  } else if (*use == SessionUse::kShared) {
    co_await play_shared(entry, shared);
  } else {
    // Nobody keeps a session that others may need while he waits for more.
    const bool leaves = *use == SessionUse::kDisposable || !means_.target.stdio();
    if (leaves && shared.session) co_await leave_shared(shared);
    if (*use == SessionUse::kDisposable) co_await leftover_for(entry);
    ++busy_;
    co_await play_own(entry);
    --busy_;
  }
  co_return true;
}

awaitable<void> Workers::leave_shared(SharedSession& shared) {
  co_await hear_out(shared);
  co_await prove_last(shared);
  if (!shared.session) co_return;
  pool_.give_back(std::move(shared.session), true);
  drop_shared(shared);
}

void Workers::drop_shared(SharedSession& shared) {
  pool_.discard(std::move(shared.session));
  if (shared.counted) --sharing_;
  shared.counted = false;
  shared.lease.give_back();
}

// Room for a session that is kept for the next cases, and for what this one opens beside it. While
// it is waited for, none is kept.
awaitable<Quota::Lease> Workers::share(SharedSession& shared, Demand wanted) {
  const Demand beside{wanted.sessions - 1, wanted.connections};
  if (shared.session && !pool_.has_room(beside)) co_await leave_shared(shared);
  if (!shared.counted) ++sharing_;
  shared.counted = true;
  if (shared.session) {
    Quota::Lease lease = pool_.seize(beside);
    co_return lease;
  }
  const Quota::Lease all = co_await room_for(wanted);
  shared.lease = pool_.seize({1, 0});
  Quota::Lease lease = pool_.seize(beside);
  co_return lease;
}

// Nothing of this kind has room beside what others play: until that changes no case is chosen, for
// another may fit then. Nobody keeps meanwhile what those need. False when it took too long: then
// one more is opened than should be.
awaitable<bool> Workers::await_room(SessionUse use, SharedSession& shared) {
  if (shared.session) {
    co_await leave_shared(shared);
    co_return true;
  }
  drop_ready();
  if (pool_.make_room(schedule_.wanted(use))) co_return true;
  turns_.waits(true);
  const bool changed = co_await pool_.room_changes();
  turns_.waits(false);
  co_return changed;
}

// What a case may open is waited for before it begins, and while it waits others act. The session
// that is ready may be what it waits for, and nobody may be left to play on that.
awaitable<Quota::Lease> Workers::room_for(Demand wanted) {
  if (!pool_.has_room(wanted) && means_.ready) drop_ready();
  const bool there = pool_.has_room(wanted);
  if (!there) turns_.waits(true);
  Quota::Lease lease = co_await pool_.room(wanted);
  if (!there) turns_.waits(false);
  co_return lease;
}

// "" where nothing stands in the way.
std::string Workers::why_not_played() const {
  if (!alive_ && mute_ >= kMute)
    return fmt::format("the target answered nothing in {} cases", mute_);
  return means_.limit.reason();
}

// Whether there is room for what a case opens beside the session that this worker has.
Schedule::Fits Workers::fits(SessionUse use, const SharedSession& shared) const {
  const bool shares = use == SessionUse::kShared;
  const int has = shares && shared.session ? 1 : 0;
  const bool barred = shares && !has && sharing_ >= most_sharing();
  return [this, has, barred, shares](const suite::Case& scenario, const Demand& wanted) {
    if (barred || (!shares && waits_for_session(scenario))) return false;
    return pool_.has_room({wanted.sessions - has, wanted.connections});
  };
}

// Another case is about to leave a process that this one can have: that takes less time than a
// start.
bool Workers::waits_for_session(const suite::Case& scenario) const {
  return means_.target.stdio() && !wants_new_session(scenario) &&
         scenario.need != suite::Need::kDisposable &&
         declared_.contains(json::write(scenario.client_capabilities)) &&
         !pool_.has_tidy(scenario.client_capabilities);
}

// Even workers begin with the cases that need sessions of their own.
std::optional<SessionUse> Workers::next_use(int number, const SharedSession& shared) const {
  const bool has_ready = shared.session != nullptr;
  const Entry* disposable = schedule_.first(SessionUse::kDisposable);
  WorkerState state;
  state.prefers_own = number % 2 == 0 && turns_.most() > 1;
  state.has_ready = has_ready;
  state.worth_opening = worth_another_session();
  state.may_share = has_ready || sharing_ < most_sharing();
  state.has_leftover = disposable && pool_.has_leftover(bearable(*disposable->scenario));
  state.soon_leftover = means_.target.stdio() && (busy_ > 0 || sharing_ > (shared.counted ? 1 : 0));
  state.again_waiting = !again_.empty();
  state.own_fits = schedule_.any(SessionUse::kOwn, fits(SessionUse::kOwn, shared));
  state.shared_fits = schedule_.any(SessionUse::kShared, fits(SessionUse::kShared, shared));
  return schedule_.next(state);
}

// A server that many sessions share may keep few: some are left to cases that need their own. A
// process more is worth it where it takes less time than it saves.
int Workers::most_sharing() const {
  if (means_.target.stdio()) return sharing_ > 0 && !worth_another_session() ? 1 : means_.jobs;
  const bool own = schedule_.left(SessionUse::kOwn) > 0;
  return own ? std::max(1, turns_.most() / 2) : turns_.most();
}

// Whether what is left to play on shared sessions takes longer than starting one more server.
bool Workers::worth_another_session() const {
  if (!means_.target.stdio() || shared_played_ == 0) return true;
  const auto left = static_cast<long>(schedule_.left(SessionUse::kShared));
  return shared_time_ / shared_played_ * left > 2 * pool_.opening();
}

// Another worker may be about to leave a session; it is waited for as long as a start would take.
awaitable<void> Workers::leftover_for(const Entry& entry) {
  const auto until = Clock::now() + pool_.start_time();
  turns_.waits(true);
  const SessionHistory history = bearable(*entry.scenario);
  while (!pool_.has_leftover(history) && busy_ > 0 && Clock::now() < until)
    co_await pause(milliseconds(10));
  turns_.waits(false);
}

awaitable<void> Workers::play_shared(Entry& entry, SharedSession& shared) {
  if (may_reconnect(*entry.scenario)) co_await hear_out(shared);
  if (!shared.session && means_.ready) {
    shared.session = std::move(means_.ready);
    shared.lease = std::move(ready_lease_);
    entry.discovered = true;
  }
  const Quota::Lease lease = co_await share(shared, suite::demand(*entry.scenario));
  SessionPtr& mine = shared.session;
  shared.owed &= mine != nullptr;
  co_await play_first(entry, mine);
  const PlayedCase& played = entry.judgement.played;
  prove(shared, entry.judgement);
  shared_time_ += entry.took;
  ++shared_played_;
  const bool watched = played.believed && !entry.again;
  if (mine) shared.watch.played(entry, mine->attribution().given_up(), watched);
  if (watched) shared.believed_at = Clock::now();
  const bool watching = played.believed || !shared.watch.empty();
  if (mine && watching && contradicted(shared) && played.believed) doubt_among_others(entry);
  if ((shared.owed || entry.judgement.reused) && entry.judgement.verdict == Verdict::kFail)
    doubt_among_others(entry);
  shared.owed |= played.missed > 0;
  bool ended = !mine || mine->closed() || mine->unusable();
  if (!ended && entry.judgement.verdict == Verdict::kFail) {
    const bool unharmed = co_await goes_on(*mine, played);
    ended = !unharmed;
  }
  const bool owes = played.owes_canary && !entry.again;
  if (owes)
    shared.owing.push_back(&entry);
  else if (!entry.again && !(mine && watched))
    means_.settle(entry);
  if (watched && (heavy(entry.judgement) || out_of_order_)) co_await hear_out(shared);
  const bool messy = entry.scenario->need == suite::Need::kOwn && !left_tidy(entry);
  if (!ended && !messy) co_return;
  co_await hear_out(shared);
  co_await prove_last(shared);
  if (!ended) pool_.give_back(std::move(shared.session), false);
  drop_shared(shared);
}

// Who answers what was asked next has borne what was said before.
void Workers::prove(SharedSession& shared, const Judgement& next) {
  if (next.answered) {
    for (Entry* entry : shared.owing) means_.settle(*entry);
    shared.owing.clear();
  } else if (next.verdict == Verdict::kFail || next.played.doubtful) {
    doubt_owing(shared);
  }
}

void Workers::doubt_owing(SharedSession& shared) {
  for (Entry* entry : shared.owing) doubt_among_others(*entry);
  shared.owing.clear();
}

awaitable<void> Workers::prove_last(SharedSession& shared) {
  if (shared.owing.empty()) co_return;
  Judgement last;
  if (shared.session && !shared.session->closed()) {
    const session::Sent canary = co_await shared.session->send_canary();
    const session::Deadline deadline = Clock::now() + shared.session->reply_time();
    last.answered = co_await shared.session->reply_to(canary, deadline) != nullptr;
  }
  last.played.doubtful = !last.answered;
  prove(shared, last);
}

// Whether a session on which a case failed still serves others: what was missing there does not
// come late, and the server answers as ever.
awaitable<bool> Workers::goes_on(Session& session, const PlayedCase& played) {
  if (played.doubtful || session.has_strays()) co_return false;
  if (played.missed > 0) {
    if (out_of_order_) co_return false;
    co_await session.linger();
    if (session.has_unclaimed()) co_return false;
  }
  const session::Sent canary = co_await session.send_canary();
  const session::Deadline deadline = Clock::now() + session.reply_time();
  const session::Inbound* reply = co_await session.reply_to(canary, deadline);
  co_return reply && (reply->message->kind == wire::MessageKind::kErrorResponse) ==
                         session.canary().answered_by_error;
}

awaitable<void> Workers::play_own(Entry& entry) {
  const Quota::Lease lease = co_await room_for(suite::demand(*entry.scenario));
  SessionPtr mine;
  co_await play_first(entry, mine);
  if (mine && entry.judgement.played.believed) {
    co_await mine->linger();
    if (mine->has_strays()) doubt(entry);
  }
  if (!entry.again) means_.settle(entry);
  const Judgement& judgement = entry.judgement;
  if (judgement.verdict == Verdict::kFail && !plain(judgement))
    pool_.discard(std::move(mine));
  else
    pool_.give_back(std::move(mine), left_tidy(entry));
}

awaitable<void> Workers::play_first(Entry& entry, SessionPtr& session) {
  means_.begin(entry);
  entry.number = played_++;
  const auto began = Clock::now();
  Judgement& judgement = entry.judgement;
  const std::string declared = json::write(entry.scenario->client_capabilities);
  declared_.insert(declared);
  judgement = co_await means_.judge.judge(*entry.scenario, session, Look::kFirst);
  declared_.erase(declared_.find(declared));
  alive_ |= judgement.played.alive;
  mute_ += hangs(judgement);
  entry.shared = judgement.shared || entry.discovered;
  if (session) means_.ledger.saw(judgement.by_oracles, session->number());
  entry.again = needs_second_look(entry);
  // A service is shared by all sessions, so there alone means later.
  if (entry.again && shares_second_look(entry))
    together_.push_back(&entry);
  else if (entry.again && unsure(judgement) && means_.target.stdio())
    again_.push_back(&entry);
  if (entry.again && heavy(judgement)) judgement.transcript = lightened(judgement);
  entry.took = Clock::now() - began;
  entry.result.duration_ms = std::chrono::duration_cast<milliseconds>(entry.took).count();
}

// A failure is judged again alone unless the baseline has it; so is a silence that a latecomer puts
// in doubt, an end that did not come where more than this case had been said, and whatever an
// oracle saw for the first time.
bool Workers::needs_second_look(Entry& entry) {
  Judgement& judgement = entry.judgement;
  judgement.played.doubtful |= ended_oddly(*entry.scenario, judgement);
  const bool looked = means_.ledger.look_again(judgement.by_oracles);
  const bool doubted = judgement.played.doubtful || judgement.played.missed > 0;
  const bool foreseen = !judgement.played.doubtful && is_foreseen(judgement);
  return looked || (unsure(judgement) && !foreseen && (doubted || !means_.known(entry)));
}

// Takes the replies that answer nothing the case played last asked; what they contradict is judged
// again. Whether one may have been meant for any message.
bool Workers::contradicted(SharedSession& shared) {
  const std::vector<std::string> late = shared.session->take_strays();
  if (late.empty()) return false;
  late_ = true;
  const SilenceWatch::Contradicted found = shared.watch.late(late);
  for (Entry* entry : found.named) doubt(*entry);
  for (Entry* entry : found.all) doubt_among_others(*entry);
  out_of_order_ |= found.unnamed;
  means_.pace.overtaken += static_cast<int>(found.named.size()) + found.unnamed;
  return found.unnamed;
}

// Settles what was believed; the session is not listened to any more.
void Workers::end_watch(SharedSession& shared) {
  for (Entry* entry : shared.watch.end()) means_.settle(*entry);
}

// The same after a last wait.
awaitable<void> Workers::hear_out(SharedSession& shared) {
  if (shared.watch.empty()) co_return;
  if (shared.session) {
    // It was listened to since; what has come and was not looked at yet is taken in any case.
    const session::Deadline until = std::max(shared.believed_at + means_.pace.grace(late_),
                                             Clock::now() + patience::kLeastHeard);
    for (bool more = true; more;) more = co_await shared.session->pump(until);
    contradicted(shared);
  }
  end_watch(shared);
}

}  // namespace harness::run
