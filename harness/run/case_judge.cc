// SPDX-License-Identifier: Apache-2.0
#include "harness/run/case_judge.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include "harness/base/starvation.h"
#include "harness/results/oracle_ledger.h"
#include "harness/run/refused_handshake.h"
#include "harness/run/schedule.h"
#include "harness/session/patience.h"
#include "harness/suite/case_traits.h"
#include "harness/transport/timer.h"

namespace harness::run {
namespace {

constexpr int kMostRefusals = 3;

bool hung(const PlayedCase& played) {
  return std::any_of(
      played.findings.begin(), played.findings.end(),
      [](const oracle::Finding& one) { return oracle::symptom_of(one) == oracle::Symptom::kHang; });
}

}  // namespace

CaseJudge::CaseJudge(boost::asio::any_io_executor executor, const target::Target& target,
                     const suite::Suite& suite, const spec::Registry& registry, const Offer& offer,
                     Pool& pool)
    : executor_(std::move(executor)), target_(target), suite_(suite), registry_(registry),
      offer_(offer), pool_(pool) {}

awaitable<Judgement> CaseJudge::judge(const suite::Case& scenario, SessionPtr& session, Look look) {
  if (!session) {
    SessionPtr refused;
    const std::uint64_t before = pool_.lives();
    Result<SessionPtr> opened = co_await open(scenario, look != Look::kFirst, refused);
    bool again = false;
    // Who serves a few at a time may be full, and not wedged.
    if (!opened && refusals_++ < kMostRefusals) again = co_await replace_wedged(before);
    if (again) {
      pool_.discard(std::move(refused));
      opened = co_await open(scenario, look != Look::kFirst, refused);
    }
    if (!opened && refused) {
      Judgement judgement =
          co_await judge_refused(scenario, std::move(refused), opened.error().text());
      co_return judgement;
    }
    if (!opened) co_return not_played(opened.error().text());
    session = std::move(*opened);
  }
  const bool shared = session->used();
  const PlayContext context = context_for(scenario, look);
  const session::SessionOptions before = session->options();
  const std::uint64_t life = pool_.lives();
  PlayedCase played;
  try {
    played = co_await play(scenario, session, context);
  } catch (const Bug& bug) {
    Judgement judgement = erred(bug.what());
    judgement.shared = shared;
    session->retire();
    co_return judgement;
  }
  if (pool_.service() && worst_of(played.findings) == Verdict::kFail) co_await notice_death(played);
  if (pool_.service() && pool_.lives() > 0 && look != Look::kFirst)
    co_await pool_.service().wait(patience::kAfterwards);
  // The last end that the case told is not made good yet.
  const bool told = session && session->exited() && pool_.service().died();
  if (pool_.service().died() && !told) blame_death(played, *session);
  if (pool_.lives() - life != played.ends - std::uint64_t{told}) played.doubtful = true;
  bool replaced = false;
  if (hung(played)) replaced = co_await replace_wedged(life);
  // What another case said at the same time may have wedged it.
  if (replaced && look == Look::kFirst) played.doubtful = true;
  if (replaced && session) session->retire();
  if (session) session->set_options(before);
  Judgement judgement =
      judge_played(std::move(played), pool_.profile(), registry_, target_.secrets);
  judgement.shared = shared;
  co_return judgement;
}

awaitable<Result<SessionPtr>> CaseJudge::connect_again(const suite::Case& scenario,
                                                       suite::Need need, Look look) {
  const SessionHistory history =
      look == Look::kFirst ? SessionHistory::kAny : SessionHistory::kNone;
  Result<SessionPtr> opened = co_await pool_.connect(need, scenario.client_capabilities, history);
  co_return std::move(opened);
}

// The capabilities that the case declares are to blame only where others get through now.
awaitable<Judgement> CaseJudge::judge_refused(const suite::Case& scenario, SessionPtr refused,
                                              std::string why) {
  PlayedCase played;
  if (!scenario.client_capabilities.members.empty()) {
    const json::Value none = json::object();
    Result<SessionPtr> other =
        co_await pool_.connect(suite::Need::kFresh, none, SessionHistory::kNone);
    if (other) {
      trace::Slice slice = refused->read_slice();
      if (auto finding = refusal_of_handshake(slice, scenario.client_capabilities, pool_.profile(),
                                              registry_)) {
        played.findings.push_back(std::move(*finding));
        played.slices.push_back(std::move(slice));
      }
      pool_.discard(std::move(*other));
    }
  }
  pool_.discard(std::move(refused));
  if (played.findings.empty()) co_return not_played(std::move(why));
  co_return judge_played(std::move(played), pool_.profile(), registry_, target_.secrets);
}

awaitable<Result<SessionPtr>> CaseJudge::open(const suite::Case& scenario, bool alone,
                                              SessionPtr& refused) {
  // Where nothing at all may have been said before the end, a used connection does not do.
  const bool pristine = alone || (scenario.need == suite::Need::kBare && disconnects(scenario));
  const SessionHistory history = pristine ? SessionHistory::kNone : bearable(scenario);
  const bool fresh =
      alone || scenario.need == suite::Need::kBare || scenario.need == suite::Need::kFresh;
  const Status renewed = co_await pool_.renew(fresh);
  if (!renewed)
    co_return Error{"", "the target could not be restarted: " + renewed.error().text(), ""};
  Result<SessionPtr> opened =
      co_await pool_.connect(scenario.need, scenario.client_capabilities, history, &refused);
  if (!opened) co_return Error{"", "no session could be opened: " + opened.error().text(), ""};
  co_return std::move(opened);
}

PlayContext CaseJudge::context_for(const suite::Case& scenario, Look look) {
  const bool first = look == Look::kFirst;
  const Silence silence = first                  ? Silence::kBelieved
                          : look == Look::kAlone ? Silence::kHeardOut
                                                 : Silence::kWaitedOut;
  const auto connect = [this, &scenario, look](suite::Need need) {
    return connect_again(scenario, need, look);
  };
  // Over HTTP a canary is an exchange more.
  const bool shares =
      first && session_use(scenario, target_.restart_each_case) == SessionUse::kShared;
  const auto discard = [this](SessionPtr gone) { pool_.give_back(std::move(gone), false); };
  const auto lives = [this] { return pool_.lives(); };
  PlayContext out{suite_,  registry_, pool_.profile(), offer_,  silence,         connect,
                  discard, lives,     why_stop_,       habits_, alone_ || !first};
  out.leaves_canary = shares && target_.has_exchanges();
  out.restarts = pool_.service() && pool_.service().ours;
  if (out.learns && out.restarts)
    out.ending = [this, told = std::make_shared<std::uint64_t>(pool_.last_death().number)] {
      return ending(*told);
    };
  return out;
}

// A connection breaks before its process exits. A process that accepts another one is alive.
// `told`: how many deaths are told already; another connection may have had it started again since.
awaitable<std::optional<PlayContext::Ending>> CaseJudge::ending(std::uint64_t& told) {
  const Service& service = pool_.service();
  co_await service.wait(patience::kEndsTogether);
  if (const Pool::Death& death = pool_.last_death(); !service.died() && death.number > told) {
    told = death.number;
    co_return PlayContext::Ending{death.how, death.output};
  }
  bool lives = service.accepts && !service.died();
  if (lives) lives = co_await service.accepts();
  if (lives) co_return std::nullopt;
  const Starvation starvation;
  co_await service.wait(patience::kDies);
  // On a busy machine it has the time that it got no processor.
  if (!service.died()) co_await service.wait(std::min(starvation.since(), patience::kMadeGood));
  if (!service.died()) co_return std::nullopt;
  told = pool_.last_death().number + 1;
  co_return PlayContext::Ending{service.ending(), service.output ? service.output() : ""};
}

// If every message got a reply, nothing waits for a process that accepts connections.
awaitable<void> CaseJudge::notice_death(const PlayedCase& played) {
  const bool answered =
      std::all_of(played.findings.begin(), played.findings.end(), [](const oracle::Finding& one) {
        return oracle::symptom_of(one) == oracle::Symptom::kAnswer;
      });
  std::uint64_t told = pool_.last_death().number;
  if (answered)
    co_await ending(told);
  else
    co_await pool_.service().wait(patience::kSeenToEnd);
}

// Restarts a service of ours that runs but serves nobody: the next case would be blamed for it.
awaitable<bool> CaseJudge::replace_wedged(std::uint64_t life) {
  if (hopeless_ || !pool_.service() || pool_.service().died()) co_return false;
  bool wedged = pool_.lives() == life;
  if (wedged) wedged = !(co_await serves());
  if (!wedged) co_return false;
  const bool replaced = co_await pool_.replace(life);
  if (replaced) hopeless_ = !(co_await serves());
  co_return replaced && !hopeless_;
}

// A new client gets a reply to the canary.
awaitable<bool> CaseJudge::serves() {
  const json::Value none = json::object();
  Result<SessionPtr> other =
      co_await pool_.connect(suite::Need::kFresh, none, SessionHistory::kNone);
  if (!other) co_return false;
  const session::Sent canary = co_await (*other)->send_canary();
  const session::Deadline deadline = session::Clock::now() + (*other)->reply_time();
  const session::Inbound* reply = co_await (*other)->reply_to(canary, deadline);
  pool_.discard(std::move(*other));
  co_return reply != nullptr;
}

// The process behind the url ended meanwhile. Whether this case did it is only known when it is
// played again alone.
void CaseJudge::blame_death(PlayedCase& played, session::Session& session) {
  const std::string clause = spec::canary_requirement(pool_.profile(), session.canary());
  const Service& service = pool_.service();
  played.findings.push_back(end_of_process(session.transcript(), clause, service.ending(),
                                           service.output ? service.output() : std::string()));
  played.doubtful = true;
  session.retire();
}

}  // namespace harness::run
