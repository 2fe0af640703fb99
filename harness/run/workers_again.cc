// SPDX-License-Identifier: Apache-2.0
// What is judged again, alone.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <utility>

#include "harness/contact/negotiate.h"
#include "harness/run/workers.h"
#include "harness/suite/case_traits.h"

namespace harness::run {
namespace {

using session::Clock;
using session::Session;
using std::chrono::milliseconds;

// So many cases are looked at again on one session rather than on two.
constexpr std::size_t kMostWaiting = 48;
// So many sessions are listened to for late replies while other cases are played.
constexpr int kMostListened = 8;

// Nothing comes for a long while, nor until a canary is answered: one process may have been held
// up by another case, or ended by it.
awaitable<bool> stays_silent(Session& session, session::Deadline at_least) {
  co_await session.linger(true, at_least);
  const session::Sent canary = co_await session.send_canary();
  const session::Deadline deadline = Clock::now() + session.reply_time();
  const session::Inbound* reply = co_await session.reply_to(canary, deadline);
  if (!reply) co_return false;
  co_await session.linger();
  co_return !session.has_unclaimed();
}

}  // namespace

awaitable<void> Workers::judge_again(const std::vector<Entry*>& entries) {
  const auto waits = [](const std::deque<Entry*>& all, const Entry* entry) {
    return std::find(all.begin(), all.end(), entry) != all.end();
  };
  for (Entry* entry : entries)
    if (!entry->finished && !entry->heard && !waits(again_, entry) && !waits(together_, entry))
      (shares_second_look(*entry) ? together_ : again_).push_back(entry);
  look_together();
  // A service is shared by all sessions: alone means alone.
  const auto story = [this](int number) { return work_again(number); };
  looked_in_ = pool_.lives();
  do {
    co_await side_by_side(story);
    while (listening_ > 0) co_await pause(milliseconds(10));
    if (failure_) std::rethrow_exception(failure_);
  } while (!again_.empty());
  for (LookedOn& one : looked_on_) pool_.give_back(std::move(one.session), false);
  looked_on_.clear();
}

// Last played, first looked at again.
void Workers::look_together() {
  std::sort(together_.begin(), together_.end(),
            [](const Entry* a, const Entry* b) { return a->number > b->number; });
  again_.insert(again_.end(), together_.begin(), together_.end());
  together_.clear();
}

awaitable<void> Workers::work_again(int number) {
  if (number > 0 && pool_.service()) co_return;
  while (!again_.empty()) {
    co_await turns_.take();
    if (!again_.empty()) co_await play_again();
    turns_.give_back();
  }
}

awaitable<void> Workers::play_again() {
  // A few are looked at one after the other: one more process takes longer.
  while (looking_ && !again_.empty() && to_play() < kMostWaiting &&
         shares_second_look(*again_.front())) {
    turns_.waits(true);
    co_await pause(milliseconds(5));
    turns_.waits(false);
  }
  if (again_.empty()) co_return;
  Entry* entry = again_.front();
  again_.pop_front();
  const bool settled = is_settled(*entry);
  // Of a target that answers nothing one second look tells as much as all.
  const std::string why = mute_confirmed_ ? why_not_played() : means_.limit.reason();
  if (!settled && !why.empty()) {
    settle_unconfirmed(*entry, why);
  } else if (!settled) {
    bool beside = shares_second_look(*entry);
    looking_ |= beside;
    SecondJudgement second;
    second.lease = co_await room_for(suite::demand(*entry->scenario));
    means_.begin(*entry);
    if (beside) beside = co_await look_beside_others(*entry, second);
    if (!beside) co_await look_again(*entry, second_look_at(*entry), second);
    co_await look_at_an_end(*entry, second);
    alive_ |= second.judgement.played.alive;
    mute_confirmed_ = !alive_ && mute_ >= kMute;
    if (second.judgement.played.believed || second.judgement.played.contradicted) {
      // A session is listened to while others are played, unless very much was said on it.
      const bool much = heavy(second.judgement);
      if (much) second.judgement.transcript = lightened(second.judgement);
      const bool may_wait = !much && listening_ < kMostListened;
      if (may_wait && !means_.target.restart_each_case && !means_.target.reset) {
        ++listening_;
        entry->heard = true;
        boost::asio::co_spawn(means_.executor, hear_out_second(*entry, std::move(second)),
                              [this](std::exception_ptr failure) { listened(failure); });
        co_return;
      }
      co_await hear_out_second(*entry, std::move(second));
      co_return;
    }
    pool_.discard(std::move(second.session));
    if (!confirm(*entry, second.judgement)) co_return;
  }
  means_.settle(*entry);
}

// Another case may have shown meanwhile that what oracles saw comes again.
bool Workers::is_settled(const Entry& entry) const {
  return !unsure(entry.judgement) && !means_.ledger.unconfirmed(entry.judgement.by_oracles);
}

std::size_t Workers::to_play() const {
  const auto settled = std::count_if(again_.begin(), again_.end(),
                                     [this](const Entry* entry) { return is_settled(*entry); });
  return again_.size() - static_cast<std::size_t>(settled);
}

// A process costs more than all that is looked at again on it.
bool Workers::shares_second_look(const Entry& entry) const {
  return means_.target.stdio() && !means_.target.restart_each_case && !means_.target.reset &&
         may_share_second_look(entry);
}

// On a session of others like it. False where that settles nothing: then it is played alone.
awaitable<bool> Workers::look_beside_others(Entry& entry, SecondJudgement& second) {
  const auto free = std::find_if(looked_on_.begin(), looked_on_.end(),
                                 [&](const LookedOn& one) { return one.last > entry.number; });
  SessionPtr session;
  if (free != looked_on_.end()) {
    session = std::move(free->session);
    looked_on_.erase(free);
  }
  second.judgement = co_await means_.judge.judge(*entry.scenario, session, Look::kAlone);
  const Judgement& judgement = second.judgement;
  const bool settled =
      plain(judgement) && judgement.verdict == entry.judgement.verdict && judgement.answered;
  bool stays = settled && session && !session->closed() && !session->unusable();
  if (stays) stays = co_await goes_on(*session, judgement.played);
  if (stays)
    looked_on_.push_back({std::move(session), entry.number});
  else
    pool_.discard(std::move(session));
  looking_ = false;
  co_return settled;
}

awaitable<void> Workers::look_again(const Entry& entry, Look look, SecondJudgement& second) {
  if (entry.discovered) second.session = co_await discovered_again(*entry.scenario);
  second.judgement = co_await means_.judge.judge(*entry.scenario, second.session, look);
}

// What others said to a process that serves all may be what ended it, both times: the next one is
// looked at with this case alone.
awaitable<void> Workers::look_at_an_end(const Entry& entry, SecondJudgement& second) {
  const bool ended = pool_.service().died() && pool_.lives() == looked_in_;
  looked_in_ = pool_.lives();
  if (!ended || second.judgement.verdict != Verdict::kFail) co_return;
  pool_.discard(std::move(second.session));
  co_await look_again(entry, Look::kAlone, second);
  looked_in_ = pool_.lives();
}

// One long wait proves all silences of a case: what comes in it, or may have been taken for the
// answer to something later, has each waited out.
awaitable<void> Workers::hear_out_second(Entry& entry, SecondJudgement second) {
  turns_.join();
  bool contradicted = second.judgement.played.contradicted;
  if (!contradicted && second.session && !second.session->closed() &&
      !means_.target.has_exchanges()) {
    const session::Deadline heard_until = second.judgement.played.hear_until;
    const bool silent = co_await stays_silent(*second.session, heard_until);
    contradicted = !silent;
  }
  turns_.leave();
  pool_.discard(std::move(second.session));
  if (contradicted) {
    // Not here: others may be playing, and a service is shared by all.
    doubt(entry);
    entry.among_others = false;
    entry.heard = false;
    again_.push_back(&entry);
    co_return;
  }
  if (confirm(entry, second.judgement)) means_.settle(entry);
}

// A new session that was asked for all the target offers, as the first one was.
awaitable<SessionPtr> Workers::discovered_again(const suite::Case& scenario) {
  Result<SessionPtr> opened =
      co_await pool_.connect(scenario.need, scenario.client_capabilities, SessionHistory::kNone);
  if (!opened) co_return nullptr;
  Offer offer;
  co_await discover(**opened, offer);
  co_return std::move(*opened);
}

bool Workers::confirm(Entry& entry, Judgement& second) {
  means_.ledger.saw_again(entry.judgement.by_oracles, second.by_oracles);
  const bool stands =
      take_second(entry, std::move(second), !means_.target.stdio() && pool_.lives() == 0);
  if (stands) return true;
  entry.among_others = false;
  entry.heard = false;
  again_.push_back(&entry);
  return false;
}

void Workers::listened(std::exception_ptr failure) {
  --listening_;
  if (failure && !failure_) failure_ = failure;
}

}  // namespace harness::run
